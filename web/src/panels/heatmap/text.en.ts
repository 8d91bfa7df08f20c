import { html } from "lit-html";
import { plain } from "../../format";
import { display, frac, math, row, sub, sup } from "../../math";

const turn = sup("b", row("2", "i", "/", "d"));

export const en = {
  intro: () => html`
    <p>
      Give every position in a sentence a pattern of its own, and the order of the words can be read from the patterns.
      The transformer of 2017 uses waves for this. Each pair of lanes holds the sine and the cosine of one wave, and from
      pair to pair the waves grow longer:
    </p>
    ${display(row("PE", "(", "p", ",", row("2", "i"), ")", "=", "sin", frac("p", turn)))}
    ${display(row("PE", "(", "p", ",", row("2", "i", "+", "1"), ")", "=", "cos", frac("p", turn)))}
    <p>
      Here ${math("p")} is the position, ${math("d")} the number of lanes and ${math("b")} the base, usually 10000. Below,
      each column is one position and each row one lane. Move over the picture, or focus it and use the arrow keys, to
      see the formula with its numbers put in.
    </p>
  `,
  outro: () => html`
    <p>
      <strong>What to look for.</strong> The top rows flicker: their waves repeat after some six positions
      (${math("2", "π")}, to be exact). Further down they stretch, and the lowest rows hardly change over the whole
      picture. It is the trick of a clock: a fast hand tells neighbours apart, slow hands tell far places apart. Lower the
      base and even the slow hands begin to turn; order “split” shows the same waves with all sines above all cosines.
    </p>
    <p>
      A picture has fewer pixels than a long table has cells. Each pixel then shows a weighted mean of the cells it covers, so a
      fast wave fades to the pale middle colour instead of drawing stripes that are not in the numbers. The magnified cells
      beside the formula are never averaged.
    </p>
    <details>
      <summary>Why one frequency per pair?</summary>
      <p>
        With sine and cosine of the same frequency ${sub0("ω", "i")}, moving on by ${math("k")} positions is a rotation of
        the pair by ${math("k", sub("ω", "i"))}, whatever the position was. A model can learn such a rotation as a fixed
        linear map, and so it can reach for “three words back”.
      </p>
    </details>
  `,
  length: "Positions",
  dim: "Dimension d",
  base: "Base b",
  order: "Order of lanes",
  interleaved: "sin, cos, sin, …",
  split: "sines, then cosines",
  palette: "Colours",
  puor: "orange – purple",
  rdbu: "red – blue",
  advanced: "Advanced: first position and exponent",
  offset: "First position",
  exponent: "Exponent",
  paper: "2i/d (the paper)",
  doubleStepped: "4i/d (stepped twice)",
  advancedHint:
    "Positions are exact up to two thousand million and may be negative or fractional. The exponent 4i/d is a common slip: a loop that already counts in twos doubles once more, and half of the slow waves become too slow to see.",
  position: "Position",
  index: "Column (from 0)",
  lane: "Lane",
  omega: "Frequency ω, radians per position",
  lambda: "Wavelength 2π/ω, positions",
  positionAxis: "position",
  laneAxis: "lane",
  valueAxis: "value",
  lens: "The chosen cell and its neighbours with their values, positions across, lanes down",
  canvas:
    "Heatmap of the encoding. Left and right arrows change the position, up and down the lane; Home and End go to the first and last position, Page Up and Page Down move sixteen lanes.",
  roledescription: "heatmap",
  describe: (
    o: { length: number; dim: number; base: number; offset: number; order: string; exponent: string },
    sentence: string,
  ) =>
    `${o.length} positions from ${plain(o.offset)} on, ${o.dim} lanes, base ${plain(o.base)}, ${o.order}${
      o.exponent === "paper" ? "" : ", exponent stepped twice"
    }. Orange or red is negative, purple or blue is positive, pale is near zero. Chosen: ${sentence}.`,
};

function sub0(name: string, below: string) {
  return math(sub(name, below));
}
