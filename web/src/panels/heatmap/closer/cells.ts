import { svg, type TemplateResult } from "lit-html";
import { fixed, plain } from "../../../core/format";
import { labelOf } from "../../../core/words";
import { entry, inkOn, type Palette } from "../../../draw/colour";

const cellWidth = 60;
const cellHeight = 30;

/** Returns a word to write beside its position, unless it is too long. */
const short = (word = "") => (word && word.length < 6 ? ` ${word}` : "");

/** The cells around the chosen one, at a size where each can be read. */
export function cells(
  width: number,
  table: { data: Float32Array; length: number; dim: number; offset: number; most: number },
  cell: { index: number; dimension: number },
  palette: Palette,
  label: string,
): TemplateResult {
  const { data, length, dim, offset, most } = table;
  // An odd number of columns, so that the chosen cell has its place in the middle.
  const fits = Math.max(3, Math.min(9, Math.floor((width - 40) / cellWidth)));
  const columns = Math.min(length, fits - 1 + (fits % 2));
  const lines = Math.min(dim, 7);
  const start = (centre: number, count: number, all: number) =>
    Math.max(0, Math.min(all - count, centre - Math.floor(count / 2)));
  const firstIndex = start(cell.index, columns, length);
  const firstDim = start(cell.dimension, lines, dim);
  const range = (count: number) => Array.from({ length: count }, (_, item) => item);
  return svg`<svg class="lens" role="img" aria-label=${label}
      width=${40 + columns * cellWidth} height=${24 + lines * cellHeight}
      viewBox="0 0 ${40 + columns * cellWidth} ${24 + lines * cellHeight}">
    <g class="axis">
      ${range(columns).map(
        (c) =>
          svg`<text x=${40 + (c + 0.5) * cellWidth} y="15" text-anchor="middle">${plain(offset + firstIndex + c)}${short(labelOf(firstIndex + c))}</text>`,
      )}
      ${range(lines).map(
        (l) =>
          svg`<text x="32" y=${24 + (l + 0.5) * cellHeight} text-anchor="end" dominant-baseline="central">${firstDim + l}</text>`,
      )}
    </g>
    ${range(columns * lines).map((at) => {
      const c = at % columns;
      const l = Math.floor(at / columns);
      const value = data[(firstIndex + c) * dim + firstDim + l];
      const colour = entry(value / most);
      const chosen = firstIndex + c === cell.index && firstDim + l === cell.dimension;
      return svg`<g class=${chosen ? "lens-cell chosen" : "lens-cell"} fill=${inkOn(palette.packed[colour])}>
        <rect x=${40 + c * cellWidth + 1} y=${24 + l * cellHeight + 1} width=${cellWidth - 2} height=${cellHeight - 2}
          fill=${palette.css[colour]} />
        <text x=${40 + (c + 0.5) * cellWidth} y=${24 + (l + 0.5) * cellHeight} text-anchor="middle"
          dominant-baseline="central">${fixed(value, 3)}</text>
      </g>`;
    })}
  </svg>`;
}
