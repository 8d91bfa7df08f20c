import { svg, type TemplateResult } from "lit-html";
import type { SinusoidalPlan } from "posenc";
import { plain, significant, ticks } from "../../core/format";
import { rowsOf } from "../../draw/raster";
import { columnWords, wordsHeight } from "./words";

export const margin = { left: 46, top: wordsHeight, bottom: 44 };
export const barWidth = 14;

/** Where the picture lies within the figure, in CSS pixels. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly across: number;
  readonly down: number;
}

/** How many device pixels a CSS pixel is taken for. */
export const fineness = () => Math.min(3, window.devicePixelRatio || 1);

/** The dimensions from top to bottom: sines above cosines where several would share a pixel and be mixed. */
export const rowsIn = ({ down }: Layout, { dim, order }: SinusoidalPlan) =>
  rowsOf(dim, order === "interleaved" && dim > Math.round(down * fineness()));

/** `most`, the value at the end of the colour bar, is written beside it. */
export function layoutFor(width: number, most: number): Layout {
  const right = most === 1 ? 62 : 84;
  const height = Math.round(Math.min(480, Math.max(300, width * 0.46)));
  return { width, height, across: width - margin.left - right, down: height - margin.top - margin.bottom };
}

/** Puts something over the picture; lengths are in CSS pixels, from the picture's corner. */
export function place(element: HTMLElement, left: number, top: number, width: number, height: number): void {
  Object.assign(element.style, {
    left: `${margin.left + left}px`,
    top: `${margin.top + top}px`,
    width: `${width}px`,
    height: `${height}px`,
  });
}

/** Axes, words, colour bar labels and the mark on the chosen cell. */
export function axes(
  layout: Layout,
  rows: readonly number[],
  table: { readonly length: number; readonly offset: number; readonly most: number },
  cell: { readonly index: number; readonly dimension: number },
  names: { readonly position: string; readonly dimension: string; readonly value: string },
): TemplateResult {
  const { width, height, across, down } = layout;
  const { left, top } = margin;
  const { length, offset, most } = table;
  const x = (index: number) => left + ((index + 0.5) / length) * across;
  const y = (dimension: number) => top + ((rows.indexOf(dimension) + 0.5) / rows.length) * down;
  const bottom = top + down;
  const bar = left + across + 16;
  const wide = Math.max(6, across / length);
  const high = Math.max(6, down / rows.length);
  const count = across / Math.max(44, 9 * plain(offset + length - 1).length);
  return svg`
    <g class="axis">
      ${columnWords(length, { top, right: width, x }, cell.index)}
      ${ticks(0, length - 1, count).map(
        (index) => svg`<line x1=${x(index)} x2=${x(index)} y1=${bottom} y2=${bottom + 5} />
          <text x=${x(index)} y=${bottom + 18} text-anchor="middle">${plain(offset + index)}</text>`,
      )}
      ${ticks(0, rows.length - 1, down / 40)
        .map((row) => rows[row])
        .map(
          (dimension) => svg`<line x1=${left - 5} x2=${left} y1=${y(dimension)} y2=${y(dimension)} />
          <text x=${left - 8} y=${y(dimension)} text-anchor="end" dominant-baseline="central">${dimension}</text>`,
        )}
      <text class="axis-name" x=${left + across / 2} y=${height - 6} text-anchor="middle">${names.position}</text>
      <text class="axis-name" transform="translate(11 ${top + down / 2}) rotate(-90)" text-anchor="middle">${names.dimension}</text>
      ${[1, 0, -1].map(
        (
          value,
          step,
        ) => svg`<line x1=${bar + barWidth} x2=${bar + barWidth + 4} y1=${top + (step * down) / 2} y2=${top + (step * down) / 2} />
          <text x=${bar + barWidth + 8} y=${top + (step * down) / 2} dominant-baseline="central">${(value > 0 ? "+" : "") + significant(value * most, 3)}</text>`,
      )}
      <text class="axis-name" x=${Math.min(width - 2, bar + barWidth + 26)} y=${height - 6} text-anchor="end">${names.value}</text>
    </g>
    <g class="mark" data-screen-only>
      ${["mark-under", "mark-over"].map(
        (kind) => svg`<rect class=${kind} x=${x(cell.index) - wide / 2} y=${y(cell.dimension) - high / 2}
          width=${wide} height=${high} />`,
      )}
    </g>`;
}
