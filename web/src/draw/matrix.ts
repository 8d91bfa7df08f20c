import { html, nothing, svg, type TemplateResult } from "lit-html";
import { inkOn } from "./colour";
import { colourBar, colourBarHeight, colourBarWidth } from "./colour-bar";
import { moved, type Place, pointIn, speak } from "./cursor";
import { mark } from "./mark";
import type { Shades } from "./shades";
import { nameOf, widthOf } from "./text";
import "./matrix.css";

/**
 * A square matrix drawn as coloured cells, of which one is chosen by pointer or keys. Rows and columns have the reader's
 * words, and numbers behind them; with small cells numbers, and the words of the chosen ones.
 */
export interface MatrixOptions {
  readonly id: string;
  /** Tells screen readers what it shows and how the keys move. */
  readonly label: string;
  readonly size: number;
  /** NaN where there is no cell, as behind a mask. */
  value(row: number, column: number): number;
  readonly shades: Shades;
  readonly rowAxis: string;
  readonly columnAxis: string;
  readonly chosen: Place;
  choose(row: number, column: number): void;
  /** The chosen cell in words, with its exact value. */
  readonly spoken: string;
  /** The text of a cell that is large enough. */
  print?(value: number): string;
  /** Cells that are marked beside the chosen one, such as a diagonal. */
  marked?(row: number, column: number): boolean;
  /** A row that is marked as a whole. */
  readonly markedRow?: number;
  /** The width of the drawing, and the largest side of a cell, in CSS pixels. */
  readonly width: number;
  readonly largest: number;
}

const letter = 7;
const count = (length: number) => Array.from({ length }, (_, at) => at);

interface Layout {
  readonly left: number;
  readonly top: number;
  readonly side: number;
  /** Whether cells are as high as a line of text: then all rows and columns that have words show them. */
  readonly isWorded: boolean;
  /** Column names are upright where they would touch. */
  readonly isUpright: boolean;
  /** A name is written at every so many rows and columns. */
  readonly everyRow: number;
  readonly everyColumn: number;
}

/** The height of a line of text: smaller cells have none. */
const lineHeight = 12;

function layout({ size, width, largest }: MatrixOptions): Layout {
  const longest = count(size).reduce((most, at) => Math.max(most, widthOf(nameOf(at) ?? String(at), letter)), 0);
  const left = longest + 28;
  const side = Math.max(1, Math.min(largest, (width - left - colourBarWidth) / size));
  const isWorded = side >= lineHeight;
  const hasWords = isWorded && nameOf(0) !== undefined;
  const isUpright = hasWords && longest + 6 > side;
  const nice = (least: number) => [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step >= least) ?? 1000;
  return {
    left,
    top: (isUpright ? longest : 14) + 26,
    side,
    isWorded,
    isUpright,
    everyRow: hasWords && side >= 13 ? 1 : nice(16 / side),
    everyColumn: hasWords && (side >= 13 || !isUpright) ? 1 : nice((letter * String(size).length + 10) / side),
  };
}

/** #rrggbb as one little-endian word. */
function packed(css: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(css.slice(at, at + 2), 16));
  return (blue << 16) | (green << 8) | red;
}

/** One path for all cells of a colour: a drawing of many cells stays small, and sharp at any size. */
function cells({ size, value, shades }: MatrixOptions, { left, top, side }: Layout): TemplateResult[] {
  const paths = new Map<string, string>();
  const short = (x: number) => Math.round(x * 100) / 100;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (Number.isNaN(value(row, column))) continue;
      const colour = shades.colour(value(row, column));
      const box = `M${short(left + column * side)} ${short(top + row * side)}h${short(side)}v${short(side)}h${short(-side)}z`;
      paths.set(colour, (paths.get(colour) ?? "") + box);
    }
  }
  return [...paths].map(([colour, path]) => svg`<path d=${path} fill=${colour} />`);
}

function printed(
  { size, value, print, shades }: MatrixOptions,
  { left, top, side }: Layout,
): TemplateResult | typeof nothing {
  if (!print || side < 22) return nothing;
  return svg`${count(size * size).map((at) => {
    const [row, column] = [Math.floor(at / size), at % size];
    const number = value(row, column);
    if (Number.isNaN(number)) return nothing;
    const text = print(number);
    // A truncated number would be another number.
    if (text.length * 7.2 > side - 2) return nothing;
    const ink = inkOn(packed(shades.colour(number)));
    return svg`<g class="cell-text" fill=${ink}><text x=${left + (column + 0.5) * side} y=${top + (row + 0.5) * side}
      text-anchor="middle" dominant-baseline="central">${text}</text></g>`;
  })}`;
}

function names({ size, rowAxis, columnAxis, chosen }: MatrixOptions, place: Layout): TemplateResult {
  const { left, top, side, isUpright, isWorded, everyRow, everyColumn } = place;
  const kind = (at: number, own: number) => (at === own ? "chosen-name" : "");
  const name = (at: number, own: number) => ((isWorded || at === own) && nameOf(at)) || String(at);
  const middle = (at: number) => (at + 0.5) * side;
  /** Numbers give way to the chosen word. */
  const named = (every: number, own: number) => {
    const ticks = count(Math.ceil(size / every)).map((step) => step * every);
    return isWorded || nameOf(own) === undefined
      ? ticks
      : [...ticks.filter((at) => Math.abs(at - own) > every * 0.75), own].sort((a, b) => a - b);
  };
  return svg`<g class="axis">
    ${named(everyRow, chosen.row).map(
      (at) => svg`<text class=${kind(at, chosen.row)} x=${left - 6} y=${top + middle(at)} text-anchor="end"
        dominant-baseline="central">${name(at, chosen.row)}</text>`,
    )}
    ${named(everyColumn, chosen.column).map((at) => {
      const x = left + middle(at);
      const shown = name(at, chosen.column);
      // A single letter, or a Chinese word of one, stands as it is.
      return isUpright && shown.length > 1
        ? svg`<text class=${kind(at, chosen.column)} transform="translate(${x} ${top - 6}) rotate(-90)" dominant-baseline="central">${shown}</text>`
        : svg`<text class=${kind(at, chosen.column)} x=${x} y=${top - 8} text-anchor="middle">${shown}</text>`;
    })}
    <text class="axis-name" x=${left} y="12">${columnAxis}</text>
    <text class="axis-name" transform="translate(11 ${top + (size * side) / 2}) rotate(-90)" text-anchor="middle">${rowAxis}</text>
  </g>`;
}

export function matrixPlot(options: MatrixOptions): TemplateResult {
  const { id, label, size, shades, chosen, spoken, marked, markedRow } = options;
  const place = layout(options);
  const { left, top, side } = place;
  const [width, height] = [
    left + size * side + colourBarWidth,
    top + Math.max(colourBarHeight(shades, size * side), size * side) + 2,
  ];
  const point = (event: PointerEvent) => {
    const at = pointIn(event);
    if (!at) return;
    const [row, column] = [Math.floor((at.y - top) / side), Math.floor((at.x - left) / side)];
    if (row >= 0 && row < size && column >= 0 && column < size) options.choose(row, column);
  };
  const press = (event: KeyboardEvent) => {
    const drawing = event.currentTarget as SVGElement;
    const next = moved(event, chosen, size, size);
    if (!next) return;
    options.choose(next.row, next.column);
    speak(event, () => drawing.dataset.spoken ?? "");
  };
  // Black on white: visible on every colour of a cell.
  const outline = (row: number, column: number, kind: string, across = 1) =>
    svg`<rect class=${kind} x=${left + column * side} y=${top + row * side} width=${across * side} height=${side}
      fill="none"
      stroke=${kind === "marked-cell" ? "#000" : "#fff"} stroke-width=${kind === "marked-cell" ? 1.5 : 3.5} />`;
  const diagonal = marked ? count(size * size).filter((at) => marked(Math.floor(at / size), at % size)) : [];
  return html`<div class="matrix-plot">
    <svg id=${id} role="application" tabindex="0" aria-label=${label} data-spoken=${spoken}
      width=${width} height=${height} viewBox="0 0 ${width} ${height}"
      @pointermove=${point} @pointerdown=${point} @keydown=${press}>
      <g shape-rendering="crispEdges">${cells(options, place)}</g>
      ${
        diagonal.length > 0
          ? svg`<g class="marked">${["marked-under", "marked-cell"].map((kind) =>
              diagonal.map((at) => outline(Math.floor(at / size), at % size, kind)),
            )}</g>`
          : nothing
      }
      ${
        markedRow === undefined
          ? nothing
          : svg`<g class="marked" data-row=${markedRow}>${["marked-under", "marked-cell"].map((kind) => outline(markedRow, 0, kind, size))}</g>`
      }
      ${printed(options, place)} ${names(options, place)} ${colourBar(id, shades, left + size * side, top, size * side)}
      <g class="mark" data-screen-only>
        ${mark(left + chosen.column * side, top + chosen.row * side, side, side)}
      </g>
    </svg>
    <p class="live visually-hidden" aria-live="polite"></p>
  </div>`;
}
