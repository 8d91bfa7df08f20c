import { html, nothing, svg, type TemplateResult } from "lit-html";
import { inkOn } from "./colour";
import { colourBar, colourBarHeight, colourBarWidth } from "./colour-bar";
import { moved, type Place, pointIn, speak } from "./cursor";
import { diverging, type Shades } from "./shades";
import { widthOf } from "./text";
import "./matrix.css";

/** A matrix drawn as coloured cells, of which one is chosen by pointer or keys. */
export interface MatrixOptions {
  readonly id: string;
  /** Tells screen readers what it shows and how the keys move. */
  readonly label: string;
  readonly rows: number;
  readonly columns: number;
  /** NaN where there is no cell. */
  value(row: number, column: number): number;
  /** The absolute value that gets the strongest colour, where values are signed. */
  readonly most?: number;
  /** Colours for values that are not. */
  readonly shades?: Shades;
  rowName(row: number): string;
  columnName(column: number): string;
  /** The word that replaces the name of a row and a column; with small cells that of the chosen ones only. */
  word?(at: number): string | undefined;
  readonly rowAxis?: string;
  readonly columnAxis?: string;
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
  readonly largest?: number;
}

const shadesOf = ({ most = 1, shades = diverging(most) }: MatrixOptions) => shades;

const letter = 7;
const count = (length: number) => Array.from({ length }, (_, at) => at);

interface Layout {
  readonly left: number;
  readonly top: number;
  readonly side: number;
  /** Column names are upright where they would touch. */
  readonly upright: boolean;
  /** A name is written at every so many rows and columns. */
  readonly everyRow: number;
  readonly everyColumn: number;
  /** How many rows and columns have words in place of names; undefined where only the chosen ones have. */
  readonly worded: number | undefined;
}

/** The height of a line of text: smaller cells have none. */
const lineHeight = 12;

function layout(options: MatrixOptions): Layout {
  const { rows, columns, rowAxis, columnAxis, width, largest = 64 } = options;
  const longest = (name: (at: number) => string, length: number) =>
    count(length).reduce((most, at) => Math.max(most, widthOf(options.word?.(at) ?? name(at), letter)), 0);
  const [rowWidth, columnWidth] = [longest(options.rowName, rows), longest(options.columnName, columns)];
  const numberWidth = options.word ? letter * String(columns).length : columnWidth;
  const left = rowWidth + 10 + (rowAxis ? 18 : 0);
  const side = Math.max(1, Math.min(largest, (width - left - colourBarWidth) / columns));
  const worded =
    options.word && side >= lineHeight ? count(columns).filter((at) => options.word?.(at)).length : undefined;
  const words = worded || (columns <= 24 && /\p{L}/u.test(options.columnName(0)));
  const upright = Boolean(words) && columnWidth + 6 > side;
  const top = (upright ? columnWidth : 14) + 8 + (columnAxis ? 18 : 0);
  const nice = (least: number) => [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step >= least) ?? 1000;
  return {
    left,
    top,
    side,
    upright,
    everyRow: words && side >= 13 ? 1 : nice(16 / side),
    everyColumn: words ? 1 : nice((numberWidth + 10) / side),
    worded,
  };
}

/** #rrggbb as one little-endian word. */
function packed(css: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(css.slice(at, at + 2), 16));
  return (blue << 16) | (green << 8) | red;
}

/** One path for all cells of a colour: a drawing of many cells stays small, and sharp at any size. */
function cells(options: MatrixOptions, { left, top, side }: Layout): TemplateResult[] {
  const { rows, columns, value } = options;
  const shades = shadesOf(options);
  const paths = new Map<string, string>();
  const short = (x: number) => Math.round(x * 100) / 100;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const number = value(row, column);
      if (Number.isNaN(number)) continue;
      const colour = shades.colour(number);
      const box = `M${short(left + column * side)} ${short(top + row * side)}h${short(side)}v${short(side)}h${short(-side)}z`;
      paths.set(colour, (paths.get(colour) ?? "") + box);
    }
  }
  return [...paths].map(([colour, path]) => svg`<path d=${path} fill=${colour} />`);
}

function printed(options: MatrixOptions, { left, top, side }: Layout): TemplateResult | typeof nothing {
  const { rows, columns, value, print } = options;
  if (!print || side < 22) return nothing;
  const shades = shadesOf(options);
  return svg`${count(rows * columns).map((at) => {
    const [row, column] = [Math.floor(at / columns), at % columns];
    const number = value(row, column);
    const text = Number.isNaN(number) ? "" : print(number);
    // A truncated number would be another number.
    if (text === "" || text.length * 6.4 > side - 2) return nothing;
    const ink = inkOn(packed(shades.colour(number)));
    return svg`<g class="cell-text" fill=${ink}><text x=${left + (column + 0.5) * side} y=${top + (row + 0.5) * side}
      text-anchor="middle" dominant-baseline="central">${text}</text></g>`;
  })}`;
}

/** Which of so many rows or columns are named, and how: words and numbers behind them, or numbers and the chosen word. */
function named(options: MatrixOptions, length: number, every: number, chosen: number, worded: number | undefined) {
  const { word } = options;
  const ticks = count(Math.ceil(length / every)).map((step) => step * every);
  if (!word || worded !== undefined) return ticks;
  // Numbers give way to it.
  const away = every * 0.75;
  return word(chosen) === undefined
    ? ticks
    : [...ticks.filter((at) => Math.abs(at - chosen) > away), chosen].sort((a, b) => a - b);
}

function names(options: MatrixOptions, place: Layout): TemplateResult {
  const { left, top, side, upright, everyRow, everyColumn, worded } = place;
  const { rows, columns, rowAxis, columnAxis, chosen, word } = options;
  const kind = (at: number, own: number) => (word && at === own ? "chosen-name" : "");
  const name = (own: (at: number) => string, at: number, ofChosen: number) =>
    (word && (worded !== undefined || at === ofChosen) ? word(at) : undefined) ?? own(at);
  const middle = (at: number) => (at + 0.5) * side;
  return svg`<g class="axis">
    ${named(options, rows, everyRow, chosen.row, worded).map(
      (at) => svg`<text class=${kind(at, chosen.row)} x=${left - 6} y=${top + middle(at)} text-anchor="end"
        dominant-baseline="central">${name(options.rowName, at, chosen.row)}</text>`,
    )}
    ${named(options, columns, everyColumn, chosen.column, worded).map((at) => {
      const x = left + middle(at);
      const shown = name(options.columnName, at, chosen.column);
      return upright
        ? svg`<text class=${kind(at, chosen.column)} transform="translate(${x} ${top - 6}) rotate(-90)" dominant-baseline="central">${shown}</text>`
        : svg`<text class=${kind(at, chosen.column)} x=${x} y=${top - 8} text-anchor="middle">${shown}</text>`;
    })}
    ${columnAxis ? svg`<text class="axis-name" x=${left} y="12">${columnAxis}</text>` : nothing}
    ${
      rowAxis
        ? svg`<text class="axis-name" transform="translate(11 ${top + (rows * side) / 2}) rotate(-90)"
            text-anchor="middle">${rowAxis}</text>`
        : nothing
    }
  </g>`;
}

export function matrixPlot(options: MatrixOptions): TemplateResult {
  const { id, label, rows, columns, chosen, spoken, marked, markedRow } = options;
  const place = layout(options);
  const { left, top, side } = place;
  const shades = shadesOf(options);
  const [width, height] = [
    left + columns * side + colourBarWidth,
    top + Math.max(colourBarHeight(shades, rows * side), rows * side) + 2,
  ];
  const point = (event: PointerEvent) => {
    const at = pointIn(event);
    if (!at) return;
    const [row, column] = [Math.floor((at.y - top) / side), Math.floor((at.x - left) / side)];
    if (row >= 0 && row < rows && column >= 0 && column < columns) options.choose(row, column);
  };
  const press = (event: KeyboardEvent) => {
    const drawing = event.currentTarget as SVGElement;
    // Several keys can come before the next drawing: each starts where the last one led.
    const last = led.get(drawing);
    const next = moved(event, last?.since === options ? last.to : chosen, rows, columns);
    if (!next) return;
    led.set(drawing, { since: options, to: next });
    options.choose(next.row, next.column);
    speak(drawing.nextElementSibling, () => drawing.dataset.spoken ?? "");
  };
  const outline = (row: number, column: number, kind: string, across = 1) =>
    svg`<rect class=${kind} x=${left + column * side} y=${top + row * side} width=${across * side} height=${side} />`;
  const diagonal = marked ? count(rows * columns).filter((at) => marked(Math.floor(at / columns), at % columns)) : [];
  return html`<div class="matrix-plot">
    <svg id=${id} role="application" tabindex="0" aria-label=${label} data-spoken=${spoken}
      width=${width} height=${height} viewBox="0 0 ${width} ${height}"
      @pointermove=${point} @pointerdown=${point} @keydown=${press}>
      <g shape-rendering="crispEdges">${cells(options, place)}</g>
      ${
        diagonal.length > 0
          ? svg`<g class="marked">${["marked-under", "marked-cell"].map((kind) =>
              diagonal.map((at) => outline(Math.floor(at / columns), at % columns, kind)),
            )}</g>`
          : nothing
      }
      ${
        markedRow === undefined
          ? nothing
          : svg`<g class="marked" data-row=${markedRow}>${["marked-under", "marked-cell"].map((kind) => outline(markedRow, 0, kind, columns))}</g>`
      }
      ${printed(options, place)} ${names(options, place)} ${colourBar(id, shades, left + columns * side, top, rows * side)}
      <g class="mark" data-screen-only>
        ${outline(chosen.row, chosen.column, "mark-under")} ${outline(chosen.row, chosen.column, "mark-over")}
      </g>
    </svg>
    <p class="visually-hidden" aria-live="polite"></p>
  </div>`;
}

/** Where the keys led, and the drawing since which they did. */
const led = new WeakMap<Element, { since: MatrixOptions; to: Place }>();
