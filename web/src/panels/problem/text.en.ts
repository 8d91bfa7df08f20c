import { html } from "lit-html";
import { bag } from "./model";

export const en = {
  intro: () =>
    html`<p><strong>Drag a word, and look at its output, the squares below it.</strong> Attention compares every word with every word of the sentence.</p>`,
  outro: () => html`
    <p>
      <strong>Without positions, a sentence is a bag of words.</strong>${bag(" “", "” and “", "” are one bag.")} Whatever the order, each
      word meets the same company: its output goes where it goes. (Here no mask hides what comes later. GPT sees the past alone, and with
      two layers or more can infer the order from that: “Who loves whom” in the lab.)
    </p>
    <p>
      <strong>A positional encoding ends that.</strong> Here each position's vector of sines and cosines is added to its word: the
      same words in another order give other outputs.
    </p>
    <details>
      <summary>What is computed</summary>
      <p>
        Each word has a vector of sixteen numbers made from its letters; the vectors are queries, keys and values at once. The
        width of an arc is the weight that the chosen word gives to another; squares are its output, from −1 to 1, with positions from −2 to 2.
        “Same” means equal but for rounding.
      </p>
    </details>
  `,
  positions: "Positional encoding",
  areOn: { off: "off", on: "on" },
  chips: "The words of the sentence. Left and right arrow keys move the one in focus.",
  chip: (word: string, place: number) => `${word}, place ${place} of the row, from 0`,
  again: "First order",
  left: (word: string) => `Move “${word}” left`,
  right: (word: string) => `Move “${word}” right`,
  same: "same",
  changed: "changed",
  picture: (word: string, list: readonly string[]) => `“${word}” attends to: ${list.join(", ")}.`,
  describe: {
    none: "Type a word to begin.",
    cut: (count: number, all: number) => ` The first ${count} of ${all} words are shown.`,
    offFirst: "Positional encoding is off. Move a word: its output goes with it.",
    off: (count: number) =>
      `Positional encoding is off. The order has changed, and the outputs of all ${count} words are the same as before.`,
    onFirst: "Positional encoding is on. Now move a word: outputs change.",
    on: (changed: number, count: number) =>
      `Positional encoding is on. In the new order ${changed} of ${count} words have another output.`,
    twins: (word: string) => ` The two “${word}”s have the same output.`,
  },
};
