import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sub, sup } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      <strong>Each position has a column of numbers; each pair of rows is one wave, drawn below as a clock hand.</strong>
      Fast hands tell near positions apart, slow ones far positions. Point at a row, or press play.
    </p>
  `,
  outro: () => html`
    <p>
      Pair ${math("i")} of ${math("d")} ${term("dimension", "dimensions")} turns by ${math(sub("ω", "i"))} radians per position, and once around in its
      ${term("wavelength", "wavelength")} ${math(sub("λ", "i"), ":")}
    </p>
    ${display(row(sub("ω", "i"), "=", frac("1", sup("b", row("2", "i", "/", "d")))), ", ", row(sub("λ", "i"), "=", frac(row("2", "π"), sub("ω", "i"))))}
    <p>
      <strong>Soft bits.</strong> As in a binary counter, periods grow from pair to pair, but without jumps: moving on by some
      positions is the same turn everywhere. (Books often draw the table with positions downwards.)
    </p>
    <p>
      <strong>Why 10000?</strong> The ${term("base", "base")} sets the slowest hand, which needs almost 2π · 10000 positions, far more than
      the texts of 2017 had. Slide it: with a small base all hands go around and positions repeat; with a huge one most
      hands hardly move. Nothing is special about 10000. Long-context models often raise the base; others (DeepSeek-V3, gpt-oss) use YaRN
      instead.
    </p>
    <p>
      <strong>Dashed: longer than the text.</strong> A model never sees such a hand go around. Beyond the training length it
      meets angles that are new to it, which is what NTK and YaRN work on.
    </p>
  `,
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
  describe: (o: { length: number; dim: number; position: number; ladder: string; sentence: string }) =>
    `${o.dim} dimensions over ${o.length} positions: purple or blue is positive, orange or red negative. Below, sine solid, cosine dotted, the hands at position ${o.position}. ${o.ladder} Chosen: ${o.sentence}.`,
};
