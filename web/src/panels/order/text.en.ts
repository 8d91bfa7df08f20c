import { html } from "lit-html";
import { display, row, sqrt, sup } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      Attention compares every word with every other, by their vectors alone. Put the words in another order and each word
      still meets the same company: its output is the same vector as before.
    </p>
    ${display(row("softmax", "(", row("Q", sup("K", "⊤")), "/", sqrt("d"), ")", "V"))}
    <p>
      Drag the words below into any order, use the arrows beside them, or shuffle. Each number is the largest change of a
      word's output between the two orders, over all lanes: 0 without a position encoding, larger with each of the four.
    </p>
  `,
  outro: () => html`
    <p>
      <strong>Without positions, order is invisible.</strong> “我爱你” (I love you) and “你爱我” (you love me) would be one
      and the same to the model. Outputs change places with their words, and nothing else happens; what remains in the
      first row, if anything, is rounding.
    </p>
    <p>
      <strong>Every encoding breaks this in its own way.</strong> The sinusoid and a learned table add a vector to each
      word; RoPE rotates queries and keys; ALiBi lowers the score of far pairs. ALiBi, as here without a mask, sees distances
      but not directions: reverse a sentence, and its row becomes 0 again.
    </p>
    <p>
      The word vectors have sixteen lanes and are made up from the letters, so that equal words are equal; they serve as
      queries, keys and values without further matrices. The learned table is untrained, drawn from a seed.
    </p>
  `,
  text: "My text",
  empty: "Type a word to begin.",
  shuffle: "Shuffle",
  chips: "The words in their second order",
  earlier: (word: string) => `Move “${word}” forward`,
  later: (word: string) => `Move “${word}” back`,
  title: "Largest change of each word's output",
  matrix:
    "Largest change of each word's attention output, a row for each encoding and a column for each word. Arrow keys choose a cell.",
  encodings: { none: "none", sinusoid: "sinusoid", learned: "learned", rope: "RoPE", alibi: "ALiBi" },
  encoding: "Row (encoding)",
  word: "Word (from 0)",
  lane: "lane",
  describe: (first: string, second: string, none: string, least: string) =>
    `“${first}” against “${second}”. Without positions no output changes by more than ${none}; with any of the four encodings some output changes by at least ${least}.`,
};
