import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sub, sup } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      <strong>Each position has a column of numbers; each pair of rows is one wave, drawn below as a clock hand.</strong>
      Fast hands tell near positions apart, slow ones far positions.
    </p>
  `,
  outro: () => html`
    <p>
      Pair ${math("i")} of ${math("d")} ${term("dimension", "dimensions")} turns by ${math(sub("ω", "i"))} radians per position, and once around in its
      ${term("wavelength", "wavelength")} ${math(sub("λ", "i"), ":")}
    </p>
    ${display(row(sub("ω", "i"), "=", frac("1", sup("b", row("2", "i", "/", "d")))), ", ", row(sub("λ", "i"), "=", frac(row("2", "π"), sub("ω", "i"))))}
    <p>
      <strong>Soft bits.</strong> As in a binary counter, periods grow from pair to pair, but without jumps: a step is the same
      turn everywhere. (Books often draw positions downwards.)
    </p>
    <p>
      <strong>Why 10000?</strong> The ${term("base", "base")} sets the slowest hand: in many dimensions almost 2π ·
      10000 positions, far more than the texts of 2017 had. With a small base positions repeat; with a huge one most
      hands hardly move. Long-context models often raise it; DeepSeek-V3 keeps it and uses YaRN, gpt-oss does both.
    </p>
    <p>
      <strong>Dashed: longer than the text.</strong> Beyond the training length such a hand reaches new angles, which is what
      NTK and YaRN work on.
    </p>
  `,
  prompt: (base: string, larger: string, length: number) =>
    `Base ${base} becomes ${larger}. How many hands go around within ${length} positions then?`,
  answers: { more: "More", same: "As many", fewer: "Fewer" },
  why: (before: number, after: number, all: number) =>
    `Before ${before} of ${all}, then ${after}: a larger base slows every hand but the first, the more the slower it is.`,
  pairs: "Pairs i, up to four",
  dim: "Dimensions d",
  base: "Base b",
  length: "Length of the text",
  position: "Position p",
  ladder: (finished: number, pairs: number, slowest: string) =>
    `${finished} of ${Math.ceil(pairs)} hands go around within the text; the slowest needs ${slowest} positions.`,
  hands: "The table of the encoding, and waves with clock hands of four pairs",
  positionAxis: "position",
  dimension: "dimension",
  canvas:
    "Table, waves and clock hands. Left and right arrows change the position, up and down the pair; Home and End go to the first and last position.",
  roledescription: "waves",
  describe: (o: { length: number; dim: number; position: number; ladder: string }) =>
    `${o.dim} dimensions over ${o.length} positions: purple is positive, orange negative. Below, sine solid, cosine dotted, the hands at position ${o.position}. ${o.ladder}`,
};
