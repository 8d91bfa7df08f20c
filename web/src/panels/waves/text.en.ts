import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sub, sup } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      Each pair of ${term("dimension", "dimensions")} is a clock hand that rotates at its own speed; a binary counter counts the same
      positions. Point at a place, use the arrow keys, or press play.
    </p>
  `,
  outro: () => html`
    <p>
      <strong>Why waves of many ${term("wavelength", "lengths", "?")}</strong> As in a clock or a counter, fast hands distinguish near positions, slow hands far ones. Pair
      ${math("i")} of ${math("d")} dimensions rotates by ${math(sub("ω", "i"))} radians per position, and completes a
      rotation in ${math(sub("λ", "i"))} positions:
    </p>
    ${display(row(sub("ω", "i"), "=", frac("1", sup("b", row("2", "i", "/", "d")))))}
    ${display(row(sub("λ", "i"), "=", frac(row("2", "π"), sub("ω", "i")), "=", row("2", "π"), sup("b", row("2", "i", "/", "d"))))}
    <p>
      <strong>A counter with soft bits.</strong> The lowest bit flips at every step, the next at every second, and so on;
      each period is twice the one above. The hands do the same without the jumps, and from pair to pair their periods grow
      by ${math(sup("b", row("2", "/", "d")), ".")} A soft bit can be read by a linear layer, and moving on by some positions is
      the same rotation everywhere.
    </p>
    <p>
      <strong>Why 10000?</strong> The ${term("base", "base")} sets the slowest hand: one rotation takes almost 2π · 10000 positions, far more than the texts of
      2017 had, so that no two positions look alike to it. Slide it: with a small base all hands turn within the text and
      positions begin to repeat; with a huge one most of them hardly move, and the dimensions are wasted. Nothing is special about
      10000. Models for longer texts take 500000 or more (“Which encoding do today's models use?”).
    </p>
    <p>
      <strong>Longer than the text.</strong> A hand that does not complete a rotation within the text is dashed. A model has
      never seen all its angles: beyond the training length it meets angles that are new to it. That is why NTK, YaRN
      and other methods for longer contexts slow mainly these hands down.
    </p>
  `,
  pairs: "Pairs i, up to eight",
  dim: "Dimensions d",
  base: "Base b",
  length: "Length of the text",
  position: "Position p",
  ladder: (finished: number, pairs: number, slowest: string) =>
    `${finished} of ${Math.ceil(pairs)} pairs complete a rotation within the text; the slowest needs ${slowest} positions.`,
  counter: "Binary counter",
  hands: "Waves and clock hands",
  bit: (at: number) => `bit ${at}`,
  bitPeriod: (period: string) => `every ${period}`,
  positionAxis: "position",
  longer: "longer than the text",
  longerCount: (count: number, all: number) =>
    count === 0
      ? "Every period shown fits into the text."
      : `${count} of ${all} periods shown are longer than the text.`,
  chosenPair: "Pair",
  omega: "Frequency ω, radians per position",
  degrees: "Angle of the hand, degrees mod 360",
  binary: "p in binary",
  sine: "sin(p·ω)",
  cosine: "cos(p·ω)",
  none: "This dimension has no pair with these numbers. Type some, from 0 on: 0 1 2 3.",
  canvas:
    "Waves and clock hands. Left and right arrows change the position, up and down the pair; Home and End go to the first and last position.",
  roledescription: "waves",
  describe: (o: {
    pairs: readonly number[];
    length: number;
    dim: number;
    position: number;
    longer: string;
    sentence: string;
  }) =>
    `Waves of the pairs ${o.pairs.join(", ")} of ${o.dim} dimensions over ${o.length} positions: sine solid, cosine dotted, the hands at position ${o.position}. ${o.longer} Chosen: ${o.sentence}.`,
};
