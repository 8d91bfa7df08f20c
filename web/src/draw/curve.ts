import { nothing, svg, type TemplateResult } from "lit-html";
import { type Axis, axes, scale } from "./axes";
import { movedAlong, pointIn } from "./cursor";

/** One line of a plot: a value for each x. */
export interface Curve {
  readonly name: string;
  readonly values: ArrayLike<number>;
  /** Where the line is a mean: the values themselves, drawn thin beneath it. */
  readonly detail?: ArrayLike<number>;
}

/** Lines over one axis, of which one x is chosen by pointer or keys. */
export interface CurveOptions {
  readonly id: string;
  /** Describes the curve to screen readers. */
  readonly label: string;
  readonly x: Axis;
  readonly y: Axis;
  /** Ascending, as many as every line has values. */
  readonly xs: ArrayLike<number>;
  /** Up to six. */
  readonly curves: readonly Curve[];
  /** Index of the chosen x. */
  readonly chosen: number;
  choose(index: number): void;
  /** The chosen x and its exact values in words. */
  readonly spoken: string;
  /** Whether each value gets a dot: for values that exist at whole numbers only. */
  readonly dots?: boolean;
  /** Whether the line is level until the next x: for values that jump. */
  readonly steps?: boolean;
  readonly width: number;
  readonly height?: number;
}

/** The colour, width and dash of each line. The first is wide: a later one may cover it. */
const looks = [
  ["var(--accent)", 4, "none"],
  ["var(--warm)", 2, "7 4"],
  ["var(--ink)", 2, "2 3"],
  ["var(--quiet)", 2, "9 3 2 3"],
  ["light-dark(#1b6e4a, #6fd6a2)", 3, "none"],
  ["var(--edge)", 1.2, "none"],
] as const;

const stroke = (at: number, d: string, isRaw = false) => {
  const [colour, wide, dashes] = looks[at];
  return svg`<path class=${isRaw ? "raw" : ""} d=${d} fill="none" stroke=${colour} stroke-width=${isRaw ? 0.6 : wide}
    stroke-dasharray=${isRaw ? "none" : dashes} stroke-linejoin="round" />`;
};

const lineHeight = 17;
/** Margins around the lines, in CSS pixels. */
export const margin = { left: 52, right: 18, bottom: 40 };

function nearest(xs: ArrayLike<number>, value: number): number {
  let best = 0;
  for (let at = 1; at < xs.length; at++) if (Math.abs(xs[at] - value) < Math.abs(xs[best] - value)) best = at;
  return best;
}

function inverse(axis: Axis, part: number): number {
  return axis.log ? axis.low * (axis.high / axis.low) ** part : axis.low + part * (axis.high - axis.low);
}

/** The line through all finite values; it breaks where there is none. In steps it jumps halfway between two. */
function path(
  xs: ArrayLike<number>,
  values: ArrayLike<number>,
  x: (v: number) => number,
  y: (v: number) => number,
  steps = false,
): string {
  let drawn = "";
  let pen = "M";
  for (let at = 0; at < xs.length; at++) {
    if (!Number.isFinite(values[at])) {
      pen = "M";
      continue;
    }
    if (steps && pen === "L") drawn += `H${x((xs[at - 1] + xs[at]) / 2).toFixed(2)}V${y(values[at]).toFixed(2)}`;
    drawn += `${pen}${x(xs[at]).toFixed(2)} ${y(values[at]).toFixed(2)}`;
    pen = "L";
  }
  return drawn;
}

export function curvePlot(options: CurveOptions): TemplateResult {
  const { id, label, xs, curves, chosen, spoken, dots, width, height = 300 } = options;
  const legend = curves.length > 1 ? curves.length * lineHeight + 4 : 0;
  const area = {
    left: margin.left,
    top: 26 + legend,
    across: width - margin.left - margin.right,
    down: height - 26 - margin.bottom,
  };
  const full = height + legend;
  const x = scale(options.x, area.left, area.left + area.across);
  const y = scale(options.y, area.top + area.down, area.top);
  const point = (event: PointerEvent) => {
    const at = pointIn(event);
    if (at) options.choose(nearest(xs, inverse(options.x, (at.x - area.left) / area.across)));
  };
  const press = (event: KeyboardEvent) => {
    const next = movedAlong(event, chosen, xs.length);
    if (next !== undefined) options.choose(next);
  };
  return svg`<svg id=${id} class="curve-plot" role="slider" tabindex="0" aria-label=${label} aria-valuemin="0"
      aria-valuemax=${xs.length - 1} aria-valuenow=${chosen} aria-valuetext=${spoken}
      width=${width} height=${full} viewBox="0 0 ${width} ${full}"
      @pointermove=${point} @pointerdown=${point} @keydown=${press}>
    ${axes(area, options.x, options.y)}
    ${
      curves.length > 1
        ? curves.map(
            ({ name }, at) => svg`<g class="curve curve-${at}">
              ${stroke(at, `M${area.left} ${8 + at * lineHeight}h30`)}
              <text x=${area.left + 38} y=${8 + at * lineHeight} dominant-baseline="central">${name}</text>
            </g>`,
          )
        : nothing
    }
    ${curves.map(({ detail }, at) =>
      detail ? svg`<g class="curve curve-${at}">${stroke(at, path(xs, detail, x, y), true)}</g>` : nothing,
    )}
    ${curves.map(
      ({ values }, at) => svg`<g class="curve curve-${at}">
        ${stroke(at, path(xs, values, x, y, options.steps))}
        ${
          dots
            ? Array.from(values, (value, index) =>
                Number.isFinite(value)
                  ? svg`<circle fill=${looks[at][0]} stroke="var(--paper)" stroke-width="1.5" cx=${x(xs[index])}
                    cy=${y(value)} r="2.5" />`
                  : nothing,
              )
            : nothing
        }
      </g>`,
    )}
    <g class="curve-mark" data-screen-only>
      <line stroke="var(--quiet)" x1=${x(xs[chosen])} x2=${x(xs[chosen])} y1=${area.top} y2=${area.top + area.down} />
      ${curves.map(({ values, detail }) => {
        const value = (detail ?? values)[chosen];
        if (!Number.isFinite(value)) return nothing;
        return svg`<circle cx=${x(xs[chosen])} cy=${y(value)} r="5" fill="var(--paper)" stroke="var(--ink)"
          stroke-width="2" />`;
      })}
    </g>
  </svg>`;
}
