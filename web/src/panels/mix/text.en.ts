import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, math, row, sub } from "../../draw/math";
import { storedMean } from "../../training/results";

export const en = {
  intro: () => html`
    <p>
      <strong>Each bar is a part of one score; the two orange ones mix a word with a position.</strong> Add the position to the
      word's vector, or put it beside the word ${term("concatenation", "concatenate", ")", "(")}?
    </p>
  `,
  outro: () => html`
    <p>Added, the product of two tokens has four parts; concatenated, it has the first and the last:</p>
    ${display(row("(", sub("w", "m"), "+", sub("p", "m"), ")", "·", "(", sub("w", "n"), "+", sub("p", "n"), ")"))}
    ${display(row("=", sub("w", "m"), "·", sub("w", "n"), "+", sub("w", "m"), "·", sub("p", "n")))}
    ${display(row("+", sub("p", "m"), "·", sub("w", "n"), "+", sub("p", "m"), "·", sub("p", "n")))}
    <p>
      <strong>Adding saves half of the matrices.</strong> Concatenation computes ${math(row("A", "w", "+", "B", "p"), ";")} addition is the
      special case ${math("A", "=", "B", ".")} The sum can still be taken apart: in many dimensions a word and a
      position are almost at right angles (slide), and ${term("projection", "the learned matrices")} can keep a few
      dimensions for positions.
    </p>
    <p>
      <strong>Measured.</strong> Small transformers of one width, sinusoids added to all dimensions, or beside the words in half
      of them: perplexity ${storedMean("text", "sinusoid", 1, "sinusoid", 2)} and
      ${storedMean("text", "concatenated", 1, "concatenated", 2)} at the training length,
      ${storedMean("text", "sinusoid", 8)} and ${storedMean("text", "concatenated", 8)} at eight times it.
    </p>
    <p>
      <strong>What adding costs.</strong> With few dimensions the orange parts are noise, and distance is one of four parts;
      relative biases and RoPE change that. (The Transformer multiplies word vectors by √d first. The paper gives no reason; a
      common reading: so that positions do not drown them.)
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
  score: "Score, without W_q and W_k:",
  parameters: "numbers in W_q, W_k and W_v:",
  describe: (isAdded: boolean, dim: number, share: string) =>
    `${isAdded ? "Added" : "Concatenated"}, ${dim} dimensions: ${isAdded ? `on average over all positions a word-position product is ${share} of a position-position product` : "words and positions do not mix"}. Words are drawn at random.`,
};
