import { html } from "lit-html";
import { term } from "../../core/glossary/term";

export const en = {
  intro: () => html`
    <p>
      How would you write a position into a vector? Try four ways on a text and on one twice as long: one plot has the step
      from each position to the next, the other the size of the codes beside that of a ${term("embedding", "word's vector", ".")}
    </p>
  `,
  outro: () => html`
    <p><strong>Count: 0, 1, 2.</strong> The code grows with the text; added to words, it soon is all that is left of them.</p>
    <p>
      <strong>Divide by the length.</strong> All codes lie between 0 and 1, but one step means another distance in each
      text: “the next word” cannot be learned.
    </p>
    <p>
      <strong>Bits.</strong> The step no longer depends on the text, and the code stays small. But it jumps: from 7 to 8 four bits flip,
      from 8 to 9 one. Near positions are not near.
    </p>
    <p>
      <strong>Waves.</strong> Sine and cosine make each bit turn smoothly. Every step has the same size, at every position of
      every text, and every code the same length. Why a pair of both? One sine has the same value twice in each of its waves and
      steps of different size; sine and cosine together are a point on a circle.
    </p>
  `,
  rule: "Code",
  rules: { count: "count", share: "divide by the length", bits: "bits", waves: "sine and cosine" },
  length: "Words in the text",
  position: "Position p",
  axis: "position p",
  step: "From p to p + 1",
  size: "Size of the code",
  text: (words: number) => `text of ${words} words`,
  word: "a word's vector",
  ofPosition: (position: number) => `Code of position ${position}:`,
  describe: {
    count: (last: number, times: string) =>
      `Position ${last} has a code ${times} times as long as a word's vector: it swamps the word.`,
    share: (short: string, long: string) =>
      `One step is ${short} in the one text and ${long} in the other: the same number means another distance in each.`,
    bits: (least: string, most: string, from: number) =>
      `Steps range from ${least} to ${most}: from ${from} to ${from + 1} the code jumps.`,
    waves: (step: string, size: string) => `Every step is ${step} and every code ${size} long, in both texts.`,
  },
};
