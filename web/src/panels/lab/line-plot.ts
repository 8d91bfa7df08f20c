import { nothing, svg, type TemplateResult } from "lit-html";
import { type Area, type Axis, axes, scale } from "../../draw/axes";

/** Lines of several trainings: each seed a thin one, their mean a thick one. */

export type Point = readonly [x: number, y: number];

export interface Series {
  /** The encoding's name and its label. */
  readonly name: string;
  readonly label: string;
  readonly seeds: readonly (readonly Point[])[];
  readonly mean: readonly Point[];
}

export interface LinePlot {
  /** The description for screen readers. */
  readonly label: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** The chosen x, which a line marks. */
  readonly mark?: number;
  /** The x from which on nothing is shown yet, and the text there. */
  readonly covered?: { readonly from: number; readonly text: string };
  /** Whether lines are named at their ends. */
  readonly named?: boolean;
  readonly width: number;
}

const height = 300;
const margin = { left: 46, right: 14, named: 90, top: 26, bottom: 40 };
const letter = 13;

/** The colour of each encoding, and the dash of its mean; without a default, so that a name that is missing is an error. */
const looks: Readonly<Record<string, readonly [colour: string, dash?: string]>> = {
  none: ["var(--quiet)", "2 3"],
  sinusoid: ["var(--warm)"],
  concatenated: ["var(--warm)", "8 4"],
  learned: ["light-dark(#7a6200, #e3c84d)", "9 3 2 3"],
  RoPE: ["var(--accent)"],
  "RoPE, PI": ["var(--accent)", "8 4"],
  "RoPE, NTK": ["var(--accent)", "3 3"],
  "RoPE, YaRN": ["var(--accent)", "12 3 3 3"],
  ALiBi: ["light-dark(#00695c, #4fd1ba)"],
  T5: ["light-dark(#1457a8, #82b8f7)"],
  Shaw: ["light-dark(#b3125c, #ff92bd)"],
  FIRE: ["light-dark(#b3261e, #ff9389)"],
  FoX: ["light-dark(#2c6e2f, #8fd694)"],
  "1 layer": ["var(--warm)"],
  "1 layer, no mask": ["var(--warm)", "8 4"],
  "2 layers": ["light-dark(#00695c, #4fd1ba)", "9 3 2 3"],
  "2 layers, no mask": ["light-dark(#00695c, #4fd1ba)", "3 3"],
  "RoPE, no mask": ["var(--accent)", "12 3 3 3"],
};

/** A training's line, or the mean of several. */
function stroke(name: string, kind: "seed" | "mean", d: string): TemplateResult {
  const [colour, dash = "none"] = looks[name];
  return svg`<path class=${kind} d=${d} stroke=${colour} stroke-dasharray=${kind === "mean" ? dash : "none"} />`;
}

/** A sample of a line, for legends. */
export const swatch = (name: string) =>
  svg`<svg class="lab-swatch" width="30" height="12" viewBox="0 0 30 12"
    aria-hidden="true">${stroke(name, "mean", "M1 6h28")}</svg>`;

/** Heights of names beside the ends of their lines, none over another. */
function spread(wanted: readonly number[], low: number, high: number): number[] {
  const order = wanted.map((_, at) => at).sort((a, b) => wanted[a] - wanted[b]);
  const placed = [...wanted];
  order.forEach((at, row) => {
    placed[at] = Math.max(wanted[at], row === 0 ? low : placed[order[row - 1]] + letter);
  });
  order.reverse().forEach((at, row) => {
    placed[at] = Math.min(placed[at], row === 0 ? high : placed[order[row - 1]] - letter);
  });
  return placed;
}

export function linePlot(plot: LinePlot): TemplateResult {
  const { label, series, mark, covered, named = false, width } = plot;
  const area: Area = {
    left: margin.left,
    top: margin.top,
    across: width - margin.left - (named ? margin.named : margin.right),
    down: height - margin.top - margin.bottom,
  };
  const [right, bottom] = [area.left + area.across, area.top + area.down];
  const x = scale(plot.x, area.left, right);
  const y = scale(plot.y, bottom, area.top);
  const hidden = covered?.from ?? Number.POSITIVE_INFINITY;
  const seen = (points: readonly Point[]) => points.filter(([at]) => at < hidden);
  const path = (points: readonly Point[]) =>
    points.map(([at, value], step) => `${step === 0 ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const line = (name: string, kind: "seed" | "mean", points: readonly Point[]) => {
    const drawn = seen(points);
    if (drawn.length > 1) return stroke(name, kind, path(drawn));
    if (drawn.length === 0 || kind === "seed") return nothing;
    return svg`<circle fill=${looks[name][0]} cx=${x(drawn[0][0])} cy=${y(drawn[0][1])} r="4" />`;
  };
  const ends = named && !covered ? series.filter(({ mean }) => mean.length > 0) : [];
  const heights = spread(
    ends.map(({ mean }) => y(mean[mean.length - 1][1])),
    area.top,
    bottom,
  );
  const cover = covered && x(covered.from);
  return svg`<svg class="lab-plot" role="img" aria-label=${label} width=${width} height=${height} viewBox="0 0 ${width} ${height}">
    ${axes(area, plot.x, plot.y)}
    ${series.map(
      ({ name, seeds, mean }) => svg`<g class="lab-lines">
        ${seeds.length > 1 ? seeds.map((points) => line(name, "seed", points)) : nothing} ${line(name, "mean", mean)}
      </g>`,
    )}
    ${ends.map(
      ({ name, label: written }, at) =>
        svg`<text class="lab-end" x=${right + 8} y=${heights[at]} dominant-baseline="central"><tspan
          fill=${looks[name][0]}>${written}</tspan></text>`,
    )}
    ${
      covered && cover !== undefined
        ? svg`<rect fill="var(--raised)" stroke="var(--edge)" x=${cover} y=${area.top} width=${right - cover}
          height=${area.down} />
            <text class="lab-question" x=${(cover + right) / 2} y=${(area.top + bottom) / 2 - 8} text-anchor="middle">?</text>
            <text x=${(cover + right) / 2} y=${(area.top + bottom) / 2 + 20} text-anchor="middle">${covered.text}</text>`
        : nothing
    }
    ${
      mark === undefined
        ? nothing
        : svg`<line stroke="var(--ink)" data-screen-only x1=${x(mark)} x2=${x(mark)}
      y1=${area.top} y2=${bottom} />`
    }
  </svg>`;
}
