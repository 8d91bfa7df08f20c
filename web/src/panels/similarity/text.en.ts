import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { display, math, row, sub } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      <strong>A cell compares the codes of two positions; along each diagonal the colour is one.</strong> Slide
      ${math("p", ":")} its row, the solid line, moves along the dashed one and never leaves it.
    </p>
  `,
  outro: () => html`
    <p>
      The ${term("product", "dot product")} of two codes knows their distance alone, since sines and cosines of one wave combine by the rule for the cosine
      of a difference:
    </p>
    ${display(row("PE", "(", "p", ")", "·", "PE", "(", "q", ")", "=", "∑", "cos", row(sub("ω", "i"), "(", "q", "−", "p", ")")))}
    <p>
      <strong>Long texts do not make codes alike,</strong> though ${claim("B1", "one post")} says so: two neighbours at
      position 1,000 are exactly as alike as two at the start.
    </p>
    <p>
      <strong>Near is similar, but not evenly so.</strong> The curve falls fast, then ripples. And it is the same to both sides: from this product
      alone, without a trained model's ${math(sub("W", "q"))} and ${math(sub("W", "k"), ",")} before and after cannot be told
      apart.
    </p>
  `,
  length: "Positions",
  pairs: "Pairs of dimensions, d/2",
  base: "Base b",
  slideP: "Slide p",
  matrix:
    "Dot product of the codes of positions p (rows) and q (columns). Arrow keys move by one; Page Up and Page Down by ten rows; Home and End to the first and last column.",
  curve: "Dot product over the distance q minus p",
  from: (p: number) => `from p = ${p} to each q`,
  all: "for the distance alone",
  sides: {
    prompt: (p: number) =>
      `Which code is more like that of position ${p}: one a little before it, or one as far after it?`,
    answers: {
      before: (p: number) => `That of ${p}, before`,
      after: (p: number) => `That of ${p}, after`,
      same: "Both equally",
    },
    same: (product: string, step: number) =>
      `Both dot products are ${product}: a cosine is the same for −${step} and +${step}, so the distance counts, but not the side.`,
    differ: (before: string, after: string) => `The dot products are ${before} before and ${after} after.`,
  },
  describe: (signed: boolean) =>
    `${signed ? "Purple is positive, orange negative, pale near zero." : "The darker, the larger the dot product."}`,
};
