import { nothing, svg, type TemplateResult } from "lit-html";
import { type Area, type Axis, axes, scale } from "../../draw/axes";

/** Lines of several trainings: each seed a thin one, their mean a thick one. */

export type Point = readonly [x: number, y: number];

export interface Series {
  /** The encoding's name, by which it is styled, and its label. */
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

/** A style's name. */
export const styleOf = (name: string) => `lab-${name.toLowerCase().replace(/[^a-z\d]+/g, "-")}`;

/** A sample of a line, for legends. */
export const swatch = (name: string) =>
  svg`<svg class="lab-swatch ${styleOf(name)}" width="30" height="12" viewBox="0 0 30 12" aria-hidden="true"><path class="mean" d="M1 6h28" /></svg>`;

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
  const line = (kind: string, points: readonly Point[]) => {
    const drawn = seen(points);
    if (drawn.length === 1 && kind === "mean") return svg`<circle cx=${x(drawn[0][0])} cy=${y(drawn[0][1])} r="4" />`;
    return drawn.length > 1 ? svg`<path class=${kind} d=${path(drawn)} />` : nothing;
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
      ({ name, seeds, mean }) => svg`<g class="lab-lines ${styleOf(name)}">
        ${seeds.length > 1 ? seeds.map((points) => line("seed", points)) : nothing} ${line("mean", mean)}
      </g>`,
    )}
    ${ends.map(
      ({ name, label: written }, at) =>
        svg`<text class="lab-end ${styleOf(name)}" x=${right + 8} y=${heights[at]} dominant-baseline="central">${written}</text>`,
    )}
    ${
      covered && cover !== undefined
        ? svg`<rect class="lab-cover" x=${cover} y=${area.top} width=${right - cover} height=${area.down} />
            <text class="lab-question" x=${(cover + right) / 2} y=${(area.top + bottom) / 2 - 8} text-anchor="middle">?</text>
            <text x=${(cover + right) / 2} y=${(area.top + bottom) / 2 + 20} text-anchor="middle">${covered.text}</text>`
        : nothing
    }
    ${mark === undefined ? nothing : svg`<line class="lab-mark" data-screen-only x1=${x(mark)} x2=${x(mark)} y1=${area.top} y2=${bottom} />`}
  </svg>`;
}
