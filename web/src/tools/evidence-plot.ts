import { nothing, svg, type TemplateResult } from "lit-html";
import { type Axis, axes, scale } from "../draw/axes";

/** A point of a plot. */
export type Point = readonly [x: number, y: number];

/** The numbers that were given, and those of the explanation. */
export interface EvidencePlot {
  readonly label: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly given: readonly Point[];
  /** Lines of the explanation, or rings at its values where it rotates too often between them. */
  readonly lines: readonly (readonly Point[])[];
  readonly rings: readonly Point[];
  readonly names: readonly [given: string, explanation: string];
}

const margin = { left: 58, right: 16, top: 48, bottom: 42 };
const height = 320;

/** Draws given numbers as dots and the explanation as lines or rings. */
export function evidencePlot(plot: EvidencePlot, width: number): TemplateResult {
  const area = {
    left: margin.left,
    top: margin.top,
    across: width - margin.left - margin.right,
    down: height - margin.top - margin.bottom,
  };
  const x = scale(plot.x, area.left, area.left + area.across);
  const y = scale(plot.y, area.top + area.down, area.top);
  const path = (points: readonly Point[]) =>
    points.map(([across, up], at) => `${at === 0 ? "M" : "L"}${x(across).toFixed(1)} ${y(up).toFixed(1)}`).join("");
  const [given, explanation] = plot.names;
  const isFinitePoint = ([across, up]: Point) => Number.isFinite(across) && Number.isFinite(up);
  return svg`<svg class="evidence-plot" role="img" aria-label=${plot.label} width=${width} height=${height} viewBox="0 0 ${width} ${height}">
    ${axes(area, plot.x, plot.y)}
    <g class="explanation"><path d="M${area.left} 10h28" /><text x=${area.left + 36} y="10" dominant-baseline="central">${explanation}</text></g>
    <g class="given"><circle cx=${area.left + area.across / 2} cy="10" r="4" />
      <text x=${area.left + area.across / 2 + 12} y="10" dominant-baseline="central">${given}</text></g>
    <g class="explanation">
      ${plot.lines.map((points) => (points.length > 1 ? svg`<path d=${path(points)} />` : nothing))}
      ${plot.rings.filter(isFinitePoint).map(([across, up]) => svg`<circle cx=${x(across)} cy=${y(up)} r="7" />`)}
    </g>
    <g class="given">
      ${plot.given.filter(isFinitePoint).map(([across, up]) => svg`<circle cx=${x(across)} cy=${y(up)} r="4" />`)}
    </g>
  </svg>`;
}

const cycle = 2 * Math.PI;

/** Wraps an angle into -π ... π. */
export const wrapped = (angle: number) => angle - cycle * Math.round(angle / cycle);

/** Splits the wrapped line slope * x + start between two x into segments at its jumps. */
export function wrappedLines(slope: number, start: number, from: number, to: number): Point[][] {
  if (slope === 0 || from === to) return [[[from, wrapped(start)] as const, [to, wrapped(start)] as const]];
  const cuts: number[] = [];
  const [low, high] = [slope * from + start, slope * to + start].sort((a, b) => a - b);
  for (let edge = Math.ceil((low - Math.PI) / cycle) * cycle + Math.PI; edge < high; edge += cycle)
    if (edge > low) cuts.push((edge - start) / slope);
  cuts.sort((a, b) => a - b);
  const places = [from, ...cuts, to];
  return places.slice(1).map((end, index) => {
    const begin = places[index];
    const middle = wrapped(slope * ((begin + end) / 2) + start);
    const half = (slope * (end - begin)) / 2;
    const clamp = (angle: number) => Math.max(-Math.PI, Math.min(Math.PI, angle));
    return [[begin, clamp(middle - half)] as const, [end, clamp(middle + half)] as const];
  });
}
