import { svg, type TemplateResult } from "lit-html";
import { entry, inkOn, type Palette } from "../../colour";
import { fixed, plain, ticks } from "../../format";

export const margin = { left: 46, right: 62, top: 10, bottom: 44 };
export const barWidth = 14;

/** Where the picture lies within the figure, in CSS pixels. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly across: number;
  readonly down: number;
}

export function frameFor(width: number): Frame {
  const height = Math.round(Math.min(460, Math.max(280, width * 0.46)));
  return { width, height, across: width - margin.left - margin.right, down: height - margin.top - margin.bottom };
}

/** Axes, colour bar labels and the mark on the chosen cell. */
export function axes(
  frame: Frame,
  table: { length: number; dim: number; offset: number },
  cell: { index: number; lane: number },
  names: { position: string; lane: string; value: string },
): TemplateResult {
  const { width, height, across, down } = frame;
  const { left, top } = margin;
  const { length, dim, offset } = table;
  const x = (index: number) => left + ((index + 0.5) / length) * across;
  const y = (lane: number) => top + ((lane + 0.5) / dim) * down;
  const bottom = top + down;
  const bar = left + across + 16;
  const wide = Math.max(6, across / length);
  const high = Math.max(6, down / dim);
  const room = across / Math.max(44, 9 * plain(offset + length - 1).length);
  return svg`
    <g class="axis">
      ${ticks(0, length - 1, room).map(
        (index) => svg`<line x1=${x(index)} x2=${x(index)} y1=${bottom} y2=${bottom + 5} />
          <text x=${x(index)} y=${bottom + 18} text-anchor="middle">${plain(offset + index)}</text>`,
      )}
      ${ticks(0, dim - 1, down / 40).map(
        (lane) => svg`<line x1=${left - 5} x2=${left} y1=${y(lane)} y2=${y(lane)} />
          <text x=${left - 8} y=${y(lane)} text-anchor="end" dominant-baseline="central">${lane}</text>`,
      )}
      <text class="axis-name" x=${left + across / 2} y=${height - 6} text-anchor="middle">${names.position}</text>
      <text class="axis-name" transform="translate(11 ${top + down / 2}) rotate(-90)" text-anchor="middle">${names.lane}</text>
      ${[1, 0, -1].map(
        (
          value,
          step,
        ) => svg`<line x1=${bar + barWidth} x2=${bar + barWidth + 4} y1=${top + (step * down) / 2} y2=${top + (step * down) / 2} />
          <text x=${bar + barWidth + 8} y=${top + (step * down) / 2} dominant-baseline="central">${value > 0 ? "+1" : plain(value)}</text>`,
      )}
      <text class="axis-name" x=${Math.min(width - 2, bar + barWidth + 26)} y=${height - 6} text-anchor="end">${names.value}</text>
    </g>
    <g class="mark" data-screen-only>
      <rect class="mark-under" x=${x(cell.index) - wide / 2} y=${y(cell.lane) - high / 2} width=${wide} height=${high} />
      <rect class="mark-over" x=${x(cell.index) - wide / 2} y=${y(cell.lane) - high / 2} width=${wide} height=${high} />
    </g>`;
}

const cellWidth = 64;
const cellHeight = 30;

/** The cells around the chosen one, at a size where each can be read. */
export function lens(
  width: number,
  table: { data: Float32Array; length: number; dim: number; offset: number },
  cell: { index: number; lane: number },
  palette: Palette,
  label: string,
): TemplateResult {
  const { data, length, dim, offset } = table;
  // An odd number of columns, so that the chosen cell has its place in the middle.
  const room = Math.max(3, Math.min(9, Math.floor((width - 40) / cellWidth)));
  const columns = Math.min(length, room - 1 + (room % 2));
  const lines = Math.min(dim, 7);
  const start = (centre: number, count: number, all: number) =>
    Math.max(0, Math.min(all - count, centre - Math.floor(count / 2)));
  const firstIndex = start(cell.index, columns, length);
  const firstLane = start(cell.lane, lines, dim);
  const range = (count: number) => Array.from({ length: count }, (_, item) => item);
  return svg`<svg class="lens" role="img" aria-label=${label}
      width=${40 + columns * cellWidth} height=${24 + lines * cellHeight}
      viewBox="0 0 ${40 + columns * cellWidth} ${24 + lines * cellHeight}">
    <g class="axis">
      ${range(columns).map(
        (c) =>
          svg`<text x=${40 + (c + 0.5) * cellWidth} y="15" text-anchor="middle">${plain(offset + firstIndex + c)}</text>`,
      )}
      ${range(lines).map(
        (l) =>
          svg`<text x="32" y=${24 + (l + 0.5) * cellHeight} text-anchor="end" dominant-baseline="central">${firstLane + l}</text>`,
      )}
    </g>
    ${range(columns * lines).map((at) => {
      const c = at % columns;
      const l = Math.floor(at / columns);
      const value = data[(firstIndex + c) * dim + firstLane + l];
      const colour = entry(value);
      const chosen = firstIndex + c === cell.index && firstLane + l === cell.lane;
      return svg`<g class=${chosen ? "lens-cell chosen" : "lens-cell"} fill=${inkOn(palette.packed[colour])}>
        <rect x=${40 + c * cellWidth + 1} y=${24 + l * cellHeight + 1} width=${cellWidth - 2} height=${cellHeight - 2}
          fill=${palette.css[colour]} />
        <text x=${40 + (c + 0.5) * cellWidth} y=${24 + (l + 0.5) * cellHeight} text-anchor="middle"
          dominant-baseline="central">${fixed(value, 4)}</text>
      </g>`;
    })}
  </svg>`;
}
