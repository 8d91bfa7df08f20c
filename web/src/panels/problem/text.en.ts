import { html } from "lit-html";

export const en = {
  intro: () => html`<p>Attention compares every word with every other. Drag a word: what becomes of its output?</p>`,
  outro: () => html`
    <p class="lead">
      Every number on this page is computed in your browser by one C++ library, which can be installed from npm; results of
      trainings, which take minutes, are stored and can be computed again here.
    </p>
    <p>
      <strong>Without positions, a sentence is a bag of words.</strong> Whatever the order, each word meets the same company;
      its output goes where the word goes, and nothing else happens. Both “the” have the same output wherever they are.
    </p>
    <p>
      <strong>A positional encoding ends that.</strong> Here a vector made of sines and cosines, one for each position, is
      added to each word before attention: the same words in another order now give other outputs. What such vectors look
      like, what else has been invented, and how far each of them carries, is what this page is about.
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
  positions: "Positions",
  areOn: { off: "off", on: "on" },
  chips: "The words of the sentence. Left and right arrow keys move the one in focus.",
  chip: (word: string, place: number) => `${word}, place ${place + 1}`,
  again: "First order",
  left: (word: string) => `Move “${word}” left`,
  right: (word: string) => `Move “${word}” right`,
  same: "same",
  changed: "changed",
  picture: (word: string, list: string) => `“${word}” attends to: ${list}.`,
  describe: {
    none: "Type a word to begin.",
    cut: (count: number, all: number) => ` The first ${count} of ${all} words are shown.`,
    offFirst: "Positions are off. Move a word: its output goes with it.",
    off: (count: number) =>
      `Positions are off. The order has changed, and the outputs of all ${count} words are the same as before.`,
    onFirst: "Positions are on. Now move a word: outputs change.",
    on: (changed: number, count: number) =>
      `Positions are on. In the new order ${changed} of ${count} words have another output.`,
    twins: (word: string) => ` Both “${word}” have the same output.`,
  },
};
