import { svg, type TemplateResult } from "lit-html";
import { plain, ticks } from "../core/format";

/** A direction of a drawing: the values it spans and what they are. */
export interface Axis {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  /** Logarithmic; `low` is then above 0. */
  readonly log?: boolean;
  /** Whether only whole numbers get a tick. */
  readonly whole?: boolean;
  format?(value: number): string;
}

/** The rectangle that values are drawn in, in CSS pixels. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly across: number;
  readonly down: number;
}

/** Where a value lies between the pixels `from` (at the axis's low end) and `to`. */
export function scale(axis: Axis, from: number, to: number): (value: number) => number {
  const at = (value: number) => (axis.log ? Math.log(value) : value);
  const [low, high] = [at(axis.low), at(axis.high)];
  return (value) => from + ((at(value) - low) / (high - low || 1)) * (to - from);
}

function marks(axis: Axis, count: number): number[] {
  if (!axis.log) return ticks(axis.low, axis.high, count, axis.whole ?? false);
  const [low, high] = [Math.ceil(Math.log10(axis.low) - 1e-9), Math.floor(Math.log10(axis.high) + 1e-9)];
  const every = Math.max(1, Math.ceil((high - low) / Math.max(1, count)));
  return Array.from({ length: Math.floor((high - low) / every) + 1 }, (_, step) => 10 ** (low + step * every));
}

const kind = (value: number, axis: Axis) => (value === 0 && !axis.log ? "zero" : "grid");
const text = (value: number, axis: Axis) => (axis.format ?? plain)(value);

/** Grid lines of x with their numbers and the axis's name, below. */
function axisBelow({ left, top, across, down }: Area, x: Axis): TemplateResult {
  const [right, bottom] = [left + across, top + down];
  const at = scale(x, left, right);
  return svg`<g class="axis">
    ${marks(x, across / 64).map(
      (value) => svg`<line class=${kind(value, x)} x1=${at(value)} x2=${at(value)} y1=${top} y2=${bottom} />
        <text x=${at(value)} y=${bottom + 16} text-anchor="middle">${text(value, x)}</text>`,
    )}
    <text class="axis-name" x=${right} y=${bottom + 34} text-anchor="end">${x.name}</text>
  </g>`;
}

/** Grid lines with their numbers, and the axes' names: x below, y above the left corner. */
export function axes(area: Area, x: Axis, y: Axis): TemplateResult {
  const { left, top, across, down } = area;
  const at = scale(y, top + down, top);
  return svg`${axisBelow(area, x)}<g class="axis">
    ${marks(y, down / 40).map(
      (value) => svg`<line class=${kind(value, y)} x1=${left} x2=${left + across} y1=${at(value)} y2=${at(value)} />
        <text x=${left - 6} y=${at(value)} text-anchor="end" dominant-baseline="central">${text(value, y)}</text>`,
    )}
    <text class="axis-name" x=${left} y=${top - 10}>${y.name}</text>
  </g>`;
}
