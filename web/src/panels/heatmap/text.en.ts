import { html } from "lit-html";
import { plain } from "../../core/format";
import { term } from "../../core/glossary/term";

export const en = {
  intro: () => html`
    <p>
      Every position of a sentence gets a column of numbers of its own: fast ${term("sinusoid", "waves")} at the top, slower and slower ones
      below. Point at a cell, or use the arrow keys, to read it.
    </p>
  `,
  length: "Positions",
  dim: "Dimensions d",
  base: "Base b",
  preset: "As in",
  thePaper: "the paper",
  order: "Order of dimensions",
  orders: { interleaved: "sin, cos, sin, …", split: "sines, then cosines", "cosines-first": "cosines, then sines" },
  palette: "Colours",
  palettes: { PuOr: "orange – purple", RdBu: "red – blue" },
  positionAxis: "position",
  dimAxis: "dimension",
  valueAxis: "value",
  canvas:
    "Heatmap of the encoding. Left and right arrows change the position, up and down the dimension; Home and End go to the first and last position, Page Up and Page Down move sixteen dimensions.",
  roledescription: "heatmap",
  describe: (
    o: { length: number; dim: number; base: number; offset: number; preset: string },
    { order, exponent }: { order: string; exponent: string },
    sentence: string,
  ) =>
    `${o.length} positions from ${plain(o.offset)} on, ${o.dim} dimensions, base ${plain(o.base)}, ${
      o.preset === "paper" ? "" : `as in ${o.preset}, `
    }${order}${exponent === "double-stepped" ? ", exponent stepped twice" : ""}. Orange or red is negative, purple or blue is positive, pale is near zero. Chosen: ${sentence}.`,
};
