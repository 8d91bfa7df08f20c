import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sub, sup } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      Each cell compares the codes of two positions, ${math("p")} and ${math("q", ":")} what comes out depends on their distance
      alone. Slide ${math("p")} or press play: the solid line, the marked row, slides along the dashed one and never leaves it.
    </p>
  `,
  outro: () => html`
    <p>
      How alike are the codes of two positions? Multiply them dimension by dimension and add up: their dot product. Sines and cosines of one wave
      combine by the rule for the cosine of a difference, so that the positions themselves drop out:
    </p>
    ${display(row("PE", "(", "p", ")", "·", "PE", "(", "q", ")", "="))}
    ${display(row("∑", "sin", row(sub("ω", "i"), "p"), "sin", row(sub("ω", "i"), "q")))}
    ${display(row("+", "∑", "cos", row(sub("ω", "i"), "p"), "cos", row(sub("ω", "i"), "q")))}
    ${display(row("=", "∑", "cos", row(sub("ω", "i"), "(", "q", "−", "p", ")")))}
    <p>
      <strong>Long texts do not make codes alike.</strong> ${claim("B1", "Post B")}, “位置编码:赋予Transformer位置感知能力”, says that codes of long sequences grow similar. The matrix says otherwise: along each diagonal the ${term("product", "dot product")} is constant, so two neighbours at position 1,000
      are exactly as alike as two neighbours at the start. The largest dot product is ${math(frac("d", "2"), ",")} that of a
      position with itself.
    </p>
    <p>
      <strong>Near is similar, but not evenly so.</strong> The curve falls fast, then ripples: two positions further apart
      can be more alike than two that are nearer. And it is the same to the left as to the right: from the dot product alone,
      without the ${math(sup("W", "Q"))} and ${math(sup("W", "K"))} of a trained model, “before” and “after” cannot be
      distinguished.
    </p>
  `,
  length: "Positions",
  pairs: "Pairs of dimensions, d/2",
  base: "Base b",
  slideP: "Slide p",
  drift:
    "Largest difference in the whole matrix between a dot product and the value for its distance alone, by rounding:",
  matrix:
    "Dot product of the codes of positions p (rows) and q (columns). Arrow keys move by one; Page Up and Page Down by ten rows; Home and End to the first and last column.",
  curve: "Dot product over the distance q minus p",
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
      `Both dot products are ${product}: a cosine is the same for −${step} and +${step}, so the distance counts, but not the side.`,
    differ: (before: string, after: string) => `The dot products are ${before} before and ${after} after.`,
  },
  describe: (sentence: string, signed: boolean) =>
    `${signed ? "Purple or blue is positive, orange or red negative, pale near zero." : "The darker, the larger the dot product."} Every diagonal has one colour. Chosen: ${sentence}.`,
};
