import { nothing, svg, type TemplateResult } from "lit-html";
import type { SinusoidalPlan } from "posenc";
import { plain, significant, ticks } from "../../core/format";
import { rowsOf, type View } from "../../draw/raster";
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
export const rowsIn = ({ down }: Layout, view: View, { order }: SinusoidalPlan) =>
  rowsOf(view, order === "interleaved" && view.bottom - view.top > Math.round(down * fineness()));

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
  view: View,
  rows: readonly number[],
  table: { readonly offset: number; readonly most: number },
  cell: { readonly index: number; readonly dimension: number },
  names: { readonly position: string; readonly dimension: string; readonly value: string },
): TemplateResult {
  const { width, height, across, down } = layout;
  const { left, top } = margin;
  const { offset, most } = table;
  const columns = view.right - view.left;
  const x = (index: number) => left + ((index - view.left + 0.5) / columns) * across;
  const y = (dimension: number) => top + ((rows.indexOf(dimension) + 0.5) / rows.length) * down;
  const bottom = top + down;
  const bar = left + across + 16;
  const wide = Math.max(6, across / columns);
  const high = Math.max(6, down / rows.length);
  const count = across / Math.max(44, 9 * plain(offset + view.right - 1).length);
  const isSeen =
    cell.index >= view.left && cell.index < view.right && cell.dimension >= view.top && cell.dimension < view.bottom;
  return svg`
    <g class="axis">
      ${columnWords(view.left, view.right, { top, right: width, x }, cell.index)}
      ${ticks(view.left, view.right - 1, count).map(
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
    ${
      isSeen
        ? svg`<g class="mark" data-screen-only>
          ${["mark-under", "mark-over"].map(
            (kind) => svg`<rect class=${kind} x=${x(cell.index) - wide / 2} y=${y(cell.dimension) - high / 2}
              width=${wide} height=${high} />`,
          )}
        </g>`
        : nothing
    }`;
}
