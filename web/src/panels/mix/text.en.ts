import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, math, row, sub } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      Put the position beside the word ${term("concatenation", "concatenate", ")", "(")} or add it? The bars are the parts of one score; the curve says
      how much words and positions get in each other's way when they are added, by the number of dimensions.
    </p>
  `,
  outro: () => html`
    <p>Added, the product of two tokens has four parts, concatenated it has the first and the last:</p>
    ${display(row("(", sub("w", "m"), "+", sub("p", "m"), ")", "·", "(", sub("w", "n"), "+", sub("p", "n"), ")", "="))}
    ${display(row(sub("w", "m"), "·", sub("w", "n"), "+", sub("w", "m"), "·", sub("p", "n")))}
    ${display(row("+", sub("p", "m"), "·", sub("w", "n"), "+", sub("p", "m"), "·", sub("p", "n")))}
    <p>
      <strong>Why adding is enough.</strong> A word and a position are almost at right angles in many dimensions: the two
      parts in the middle shrink against the last one, as the curve shows. And ${term("projection", "the matrices")} can turn them further apart, since ${math(sub("W", "q"))} and ${math(sub("W", "k"))} are learned: a model that needs it keeps a few dimensions for positions.
    </p>
    <p>
      <strong>Why not concatenate?</strong> Every matrix that reads the wider vector grows. With as many dimensions for the position as for the word
      the three matrices have twice as many numbers. And adding with a matrix of its own for each is the same as concatenating:
      ${math(row("A", "w", "+", "B", "p"))} is ${math(row("A", "(", "w", "+", "p", ")"))} where ${math("A", "=", "B", ".")}
    </p>
    <p>
      <strong>And trained with the same budget?</strong> The lab has transformers of one width that learned the same text, with
      sinusoids added to all dimensions or beside the words, in half of them.
      “Extrapolation measured” compares them, and trains both in your tab.
    </p>
    <p>
      <strong>What adding does badly.</strong> With few dimensions, or words that are longer than positions, the middle parts are noise in the
      score, and distance is only one of four parts. Relative biases and RoPE begin there.
    </p>
  `,
  way: "Position and word",
  ways: { add: "added", concatenate: "concatenated" },
  pairs: "Pairs of dimensions, d/2",
  seed: "Words drawn with seed",
  query: "Query at m",
  key: "Key at n",
  parts: {
    words: "word m · word n",
    wordPosition: "word m · position n",
    positionWord: "position m · word n",
    positions: "position m · position n",
  },
  bars: "The parts of the score",
  axis: "pairs of dimensions",
  share: "word · position, against position · position",
  curve: "How large the mixed parts are against that of two positions, by the number of pairs",
  spoken: (pairs: number, share: string) => `${pairs} pairs: ${share}`,
  score: "Score, without W_q and W_k:",
  parameters: "Numbers in W_q, W_k and W_v:",
  describe: (isAdded: boolean, dim: number, share: string, parameters: string) =>
    `${isAdded ? "Added" : "Concatenated"}, ${dim} dimensions: ${isAdded ? `a word with a position is ${share} times as large as two positions` : "words and positions do not mix"}; ${parameters} numbers in the three matrices. Words are drawn at random.`,
};
