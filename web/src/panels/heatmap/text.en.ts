import { html } from "lit-html";
import { plain } from "../../core/format";
import { display, frac, math, row, sup } from "../../draw/math";

const power = sup("b", row("2", "i", "/", "d"));

export const en = {
  intro: () => html`
    <p>
      Give every position in a sentence a pattern of its own, and the order of the words can be read from the patterns.
      The original 2017 Transformer uses waves for this. Each pair of dimensions holds the sine and the cosine of one wave, and from
      pair to pair the waves grow longer:
    </p>
    ${display(row("PE", "(", "p", ",", row("2", "i"), ")", "=", "sin", frac("p", power)))}
    ${display(row("PE", "(", "p", ",", row("2", "i", "+", "1"), ")", "=", "cos", frac("p", power)))}
    <p>
      Here ${math("p")} is the position, ${math("d")} the number of dimensions and ${math("b")} the base, usually 10000. Below,
      each column is one position and each row one dimension. Move over the picture, or focus it and use the arrow keys, to
      see the formula evaluated for this cell.
    </p>
  `,
  length: "Positions",
  dim: "Dimension d",
  base: "Base b",
  preset: "As in",
  thePaper: "the paper",
  order: "Order of dimensions",
  interleaved: "sin, cos, sin, …",
  split: "sines, then cosines",
  cosinesFirst: "cosines, then sines",
  palette: "Colours",
  puor: "orange – purple",
  rdbu: "red – blue",
  advanced: "Advanced: first position, scale and exponent",
  positionAxis: "position",
  laneAxis: "dimension",
  valueAxis: "value",
  canvas:
    "Heatmap of the encoding. Left and right arrows change the position, up and down the dimension; Home and End go to the first and last position, Page Up and Page Down move sixteen dimensions. Plus and minus zoom, Escape shows the whole table.",
  roledescription: "heatmap",
  describe: (
    o: { length: number; dim: number; base: number; offset: number; preset: string },
    { order, exponent }: { order: string; exponent: string },
    seen: { left: number; right: number; top: number; bottom: number } | undefined,
    sentence: string,
  ) =>
    `${o.length} positions from ${plain(o.offset)} on, ${o.dim} dimensions, base ${plain(o.base)}, ${
      o.preset === "paper" ? "" : `as in ${o.preset}, `
    }${order}${exponent === "double-stepped" ? ", exponent stepped twice" : ""}. ${
      seen ? `In sight: columns ${seen.left} to ${seen.right - 1}, dimensions ${seen.top} to ${seen.bottom - 1}. ` : ""
    }Orange or red is negative, purple or blue is positive, pale is near zero. Chosen: ${sentence}.`,
};
