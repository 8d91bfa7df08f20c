import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sub, sup } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      Each cell compares the codes of two positions, ${math("p")} and ${math("q")}: what comes out depends on their distance
      alone. Slide ${math("p")} or press play: the solid line, the marked row, slides along the dashed one and never leaves it.
    </p>
  `,
  outro: () => html`
    <p>
      How alike are the codes of two positions? Multiply them dimension by dimension and add up. Sines and cosines of one wave
      combine by the rule for the cosine of a difference, so that the positions themselves drop out:
    </p>
    ${display(row("PE", "(", "p", ")", "·", "PE", "(", "q", ")", "="))}
    ${display(row("∑", "sin", row(sub("ω", "i"), "p"), "sin", row(sub("ω", "i"), "q")))}
    ${display(row("+", "∑", "cos", row(sub("ω", "i"), "p"), "cos", row(sub("ω", "i"), "q")))}
    ${display(row("=", "∑", "cos", row(sub("ω", "i"), "(", "q", "−", "p", ")")))}
    <p>
      <strong>Long texts do not make codes alike.</strong> ${claim("B1", "Post B")}, “位置编码:赋予Transformer位置感知能力”, says that codes of long sequences grow similar. The matrix says otherwise: along each diagonal the ${term("product", "product")} is constant, so two neighbours at position 1,000
      are exactly as alike as two neighbours at the start. The largest product is ${math(frac("d", "2"))}, that of a
      position with itself.
    </p>
    <p>
      <strong>Near is similar, but not evenly so.</strong> The curve falls fast, then ripples: two positions further apart
      can be more alike than two that are nearer. And it is the same to the left as to the right: from the product alone,
      without the ${math(sup("W", "Q"))} and ${math(sup("W", "K"))} of a trained model, “before” and “after” cannot be told
      apart.
    </p>
  `,
  length: "Positions",
  pairs: "Pairs of dimensions, d/2",
  base: "Base b",
  slideP: "Slide p",
  drift: "Largest difference in the whole matrix between a product and the value for its distance alone:",
  matrix:
    "Product of the codes of positions p (rows) and q (columns). Arrow keys move by one; Page Up and Page Down by ten rows; Home and End to the first and last column.",
  curve: "Product over the distance q minus p",
  from: (p: number) => `from p = ${p}, to every q there is`,
  all: "for the distance alone, from p = 0",
  sides: {
    prompt: (p: number) =>
      `Which code is more like that of position ${p}: one a little before it, or one as far after it?`,
    answers: {
      before: (p: number) => `That of ${p}, before`,
      after: (p: number) => `That of ${p}, after`,
      same: "Both equally",
    },
    same: (product: string, step: number) =>
      `Both products are ${product}: a cosine is the same for −${step} and +${step}, so the product knows how far, but not on which side.`,
    differ: (before: string, after: string) => `The products are ${before} before and ${after} after.`,
  },
  describe: (sentence: string, signed: boolean) =>
    `${signed ? "Purple or blue is positive, orange or red negative, pale near zero." : "The darker, the larger the product."} Every diagonal has one colour. Chosen: ${sentence}.`,
};
