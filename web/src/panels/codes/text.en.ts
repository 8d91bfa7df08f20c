import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { two } from "./drawing";
import { dim, type Model, otherLength } from "./model";

export const en = {
  intro: () => html`
    <p>
      <strong>Orange is where a code fails.</strong> A position must become numbers that are no larger than a
      ${term("embedding", "word's vector", ",")} and one step should look the same everywhere.
    </p>
  `,
  outro: () => html`
    <p>
      <strong>Count: 0, 1, 2.</strong> The code grows with the text; added to a word, it soon drowns it.
      <strong>Divide by the length,</strong> and all codes fit; but one step is a different number in each text, so a model cannot
      learn what “the next word” looks like.
    </p>
    <p>
      <strong>Bits</strong> are small and the same in every text. But neighbouring positions can have very different codes.
    </p>
    <p>
      <strong>Waves</strong> are bits that turn instead of flipping: every step has the same size. Why pairs of sine and cosine? One
      sine alone has each value twice in a wave, and steps of different size; both together are a point on a circle.
    </p>
  `,
  length: "Words in the text",
  picture: "Four ways to write a position as numbers, with the step from each position to the next",
  names: { count: "count", share: "divide", bits: "bits", waves: "waves" },
  notes: ({ tooLong, codes, otherStep, flip: [at, here, next] }: Model) => ({
    count: tooLong === undefined ? "still small" : `too large from\nposition ${tooLong} on`,
    share: `a step is ${two(codes.share.steps[0])},\nin ${otherLength} words ${two(otherStep)}`,
    bits: `${at} to ${at + 1} flips ${here},\nthe next step ${next}`,
    waves: "never too large,\nevery step the same",
  }),
  code: "the code",
  step: "its steps",
  text: (words: number) => `text of ${words} words`,
  grey: "grey: a word's size",
  describe: (last: number, step: string) =>
    `Codes of positions 0 to ${last}. Each step of the waves is ${step} in any text. Words have ${dim} dimensions.`,
};
