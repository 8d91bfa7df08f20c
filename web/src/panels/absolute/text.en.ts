import { html } from "lit-html";
import { math, row } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      There are two ways to say where a word stands. Absolute: number the places, 1, 2, 3. Relative: say how far the next
      word is, ${math(row("j", "−", "i"))}. Move half of a sentence to the front, and the two fare differently.
    </p>
    <p>
      Equal words are tied below. Choose a pair of neighbours with the pointer, the arrow keys or the slider; both sentences
      can be changed. Marks of punctuation have a place of their own, as tokenizers give them one.
    </p>
  `,
  outro: () => html`
    <p>
      <strong>Document 002 says that all offsets stay the same.</strong> Most do: inside each half every word is one step
      from the next. Where the halves were cut, between “sat” and “on”, the offset turns from +1 into a step far back: four
      of five hold, and the fifth does not. That is as it should be; the sentence has changed there.
    </p>
    <p>
      <strong>The product of two sinusoid codes knows the offset alone.</strong> Each pair's line ends with it: where the
      offset is the same, so is the product, whatever the absolute numbers are. This is how an absolute encoding can carry
      relative positions.
    </p>
  `,
  first: "Sentence 1",
  second: "Sentence 2",
  empty: "Type two words or more.",
  missing: "The second sentence does not have both words.",
  ties: "Equal words of the two sentences, tied; arrow keys choose a pair of neighbours",
  which: "Pair (from 0)",
  absolute: "Absolute positions",
  relative: "Relative offsets to the next word",
  word: "Word",
  pair: "Pair",
  verdict: "Same in both sentences?",
  same: "same",
  other: "differs",
  describe: (places: number, words: number, offsets: number, pairs: number) =>
    `Absolute positions: ${places} of ${words} words keep theirs. Relative offsets: ${offsets} of ${pairs} pairs of neighbours keep theirs.`,
};
