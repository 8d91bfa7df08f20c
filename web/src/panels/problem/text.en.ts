import { html } from "lit-html";

export const en = {
  intro: () =>
    html`<p>Attention compares every word with every word of the sentence, itself included. Drag a word: what becomes of its output, the squares below it?</p>`,
  outro: () => html`
    <p class="lead">
      Numbers on this page are computed in your browser by one C++ library, the npm package posenc; results of trainings,
      which take minutes, are stored, say so, and can be computed again here.
    </p>
    <p>
      <strong>Without positions, a sentence is a bag of words.</strong> Whatever the order, each word meets the same company;
      its output goes where the word goes, and nothing else happens. Both “the” have the same output wherever they are.
    </p>
    <p>
      <strong>A positional encoding ends that.</strong> Here a vector made of sines and cosines, one for each position, is
      added to each word before attention: the same words in another order now give other outputs. What such vectors look
      like, what else has been invented, and how long a text each of them bears, is what this page is about.
    </p>
    <details>
      <summary>What is computed</summary>
      <p>
        Each word has a vector of sixteen numbers made from its letters; the vectors are queries, keys and values at once.
        The width of an arc is the weight that the chosen word gives to another; the squares are its output, one for each
        of the sixteen numbers, in colours from −1 to 1, with positions from −2 to 2. “Same” means: equal to the output in the first order, but for rounding.
      </p>
    </details>
  `,
  positions: "Positional encoding",
  areOn: { off: "off", on: "on" },
  chips: "The words of the sentence. Left and right arrow keys move the one in focus.",
  chip: (word: string, place: number) => `${word}, place ${place + 1} of the row`,
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
    twins: (word: string) => ` Both “${word}” have the same output.`,
  },
};
