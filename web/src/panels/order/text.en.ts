import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, row, sqrt, sup } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      A bar shows how much of a word's attention goes to other words once they are in a second order: none without positions,
      some with any encoding. Drag the words below, or use their arrows.
    </p>
  `,
  outro: () => html`
    <p>
      <strong>Without positions, order is invisible.</strong> ${term("attention", "Attention")} compares every word with every word of the sentence, by their
      vectors alone:
    </p>
    ${display(row("softmax", "(", row("Q", sup("K", "⊤")), "/", sqrt("d"), ")"))}
    <p>
      In another order each word meets the same company, and gives each companion the same weight as before. “我爱你” (I
      love you) and “你爱我” (you love me) would be one and the same to the model.
    </p>
    <p>
      <strong>Each encoding brings order in by its own means.</strong> The sinusoid and a ${term("learned", "learned table")} add a vector to each
      word; RoPE rotates queries and keys; ALiBi lowers the score of far pairs. Used as here, without a ${term("mask", "mask", ",")} ALiBi sees
      distances but not directions: in a sentence read backwards every pair is as far apart as before.
    </p>
    <p>
      The word vectors have sixteen dimensions and are made from the letters by a fixed rule, so that equal words are equal; they serve
      as queries and keys without further matrices. The learned table is untrained, drawn from a seed.
    </p>
  `,
  text: "My sentence",
  empty: "Type a word to begin.",
  shuffle: "Shuffle",
  chips: "The words in their second order",
  left: (word: string) => `Move “${word}” to the left`,
  right: (word: string) => `Move “${word}” to the right`,
  title: "How much of each word's attention moves (each row to its own scale)",
  bars: "How much of each word's attention moves, a row for each encoding and a column for each word. Arrow keys choose a bar.",
  encodings: { none: "none", sinusoid: "sinusoid", learned: "learned", rope: "RoPE", alibi: "ALiBi" },
  encoding: "Encoding",
  word: "Word (from 0)",
  oneOrder: "All words are equal: there is only one order of them, and nothing to compare.",
  sameOrder: "Both orders are the same now: move a word to see a difference.",
  mirrored: "ALiBi's row is 0 here: every pair of words is as far apart as before, and distances are all it sees.",
  describeSame: (first: string) => `“${first}” twice in the same order: nothing can change.`,
  describe: (first: string, second: string, none: string, others: readonly string[]) =>
    `“${first}” against “${second}”. The most that a word's attention moves: ${none} without positions, ${others.join(", ")}.`,
};
