import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { titles } from "../../core/printed";
import { math, row } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      Half of the sentence moves to the front: every word gets another number, but most stay as far from their neighbours as
      before. Choose a pair of neighbours with the arrow keys or the slider.
    </p>
  `,
  outro: () => html`
    <p>
      A word's position can be given in two ways. Absolute: number the positions, 1, 2, 3 (from 1, as ${claim("C5", "post C")} does). Relative: give the distance to
      the next word, ${math(row("j", "−", "i"), ".")}
    </p>
    <p>
      <strong>${claim("C6", "Post C")}, “${titles.C}”, says that all offsets stay the same.</strong> Most do: inside each
      half every word is one step from the next. Where its sentence was cut, between “sat” and “on”, the offset changes from
      +1 to a step far back: four of five hold, and the fifth does not. That is as it should be; the sentence has changed
      there. Punctuation counts as a ${term("token", "token", ",")} as it does for tokenizers, so the comma has a number, too.
    </p>
    <p>
      <strong>The dot product of two sinusoidal codes depends on the offset alone.</strong> Each pair's line ends with it: where the
      offset is the same, so is the dot product, whatever the absolute numbers are. This is how an absolute encoding can carry
      relative positions.
    </p>
  `,
  first: "Sentence 1",
  second: "Sentence 2",
  empty: "Type two words or more.",
  missing: "The second sentence does not have both words.",
  ties: "Equal words of the two sentences, tied; arrow keys choose a pair of neighbours",
  which: "Pair (from 0)",
  legend:
    "Arcs: the offset from each word to the next. Dashed in red: in the other sentence the offset is another one, or the pair is not there.",
  leftOut: (shown: number, all: number) =>
    `The first ${shown} of ${all} tokens are shown; punctuation counts as a token.`,
  describe: (positions: number, words: number, offsets: number, pairs: number) =>
    `Absolute positions: ${positions} of ${words === 1 ? "1 word" : `${words} words`} kept. Relative offsets: ${offsets} of ${
      pairs === 1 ? "1 pair" : `${pairs} pairs`
    } of neighbours kept.`,
};
