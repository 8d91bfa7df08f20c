import { html, nothing, svg, type TemplateResult } from "lit-html";
import { shortened } from "../../core/words";
import { moved, type Place, pointIn, speak, stepped } from "../../draw/cursor";
import { encodings, type Model, rounding } from "./model";

export interface BarTexts {
  readonly label: string;
  /** The chosen bar in words, with its exact value. */
  readonly spoken: string;
  readonly encodings: Readonly<Record<(typeof encodings)[number], string>>;
  readonly percent: (share: number) => string;
}

const space = { left: 68, right: 4, bar: 34, number: 16, line: 64 };
const letter = 7.5;

/**
 * The share of attention that changes: a line of bars for each encoding and a bar for each word, each line on a scale of
 * its own. Without a change there is no bar.
 */
export function bars(
  model: Model,
  at: Place,
  choose: (row: number, column: number) => void,
  width: number,
  texts: BarTexts,
): TemplateResult {
  const { words, changes } = model;
  const [rows, columns] = [encodings.length, words.length];
  const side = Math.min(96, (width - space.left - space.right) / columns);
  // Words that do not fit side by side are written upright.
  const longest = Math.max(...words.map((word) => [...shortened(word)].length));
  const upright = longest * letter > side && side < 6 * letter;
  const names = words.map((word) => shortened(word, upright ? 12 : Math.max(3, Math.floor(side / letter))));
  const top = upright ? Math.max(...names.map((name) => name.length)) * letter + 10 : 24;
  const [right, height] = [space.left + columns * side, top + rows * space.line];
  const x = (column: number) => space.left + (column + 0.5) * side;
  const foot = (row: number) => top + (row + 1) * space.line - 8;
  const thick = Math.min(28, side * 0.5);

  const point = (event: PointerEvent) => {
    const place = pointIn(event);
    if (!place) return;
    const [row, column] = [Math.floor((place.y - top) / space.line), Math.floor((place.x - space.left) / side)];
    if (row >= 0 && row < rows && column >= 0 && column < columns) choose(row, column);
  };
  const press = (event: KeyboardEvent) => {
    const drawing = event.currentTarget as SVGElement;
    const next = stepped(event, model, at, (from) => moved(event, from, rows, columns));
    if (!next) return;
    choose(next.row, next.column);
    speak(event, () => drawing.dataset.spoken ?? "");
  };
  const bar = (row: number, column: number, most: number) => {
    const { share } = changes[row][column];
    const tall = most > rounding ? (share / most) * space.bar : 0;
    const isChosen = row === at.row && column === at.column;
    return svg`<g class=${isChosen ? "share chosen" : "share"} data-share>
      ${
        isChosen
          ? svg`<rect class="share-mark" data-screen-only x=${x(column) - side / 2 + 1} y=${foot(row) - space.line + 10}
              width=${side - 2} height=${space.line - 4} rx="4" />`
          : nothing
      }
      ${tall > 0 ? svg`<rect class="share-bar" x=${x(column) - thick / 2} y=${foot(row) - tall} width=${thick} height=${tall} />` : nothing}
      ${
        side >= 34
          ? svg`<text x=${x(column)} y=${foot(row) - tall - 5} text-anchor="middle">${texts.percent(share)}</text>`
          : nothing
      }
    </g>`;
  };
  return html`<div class="matrix-plot">
    <svg id="order-bars" class="order-bars" role="application" tabindex="0" aria-label=${texts.label}
      data-spoken=${texts.spoken} width=${right + space.right} height=${height} viewBox="0 0 ${right + space.right} ${height}"
      @pointermove=${point} @pointerdown=${point} @keydown=${press}>
      ${names.map((name, column) => {
        const title = svg`<title>${words[column]}</title>`;
        const kind = column === at.column ? "word chosen" : "word";
        return upright
          ? svg`<text class=${kind} transform="translate(${x(column)} ${top - 4}) rotate(-90)"
              dominant-baseline="central">${title}${name}</text>`
          : svg`<text class=${kind} x=${x(column)} y=${top - 8} text-anchor="middle">${title}${name}</text>`;
      })}
      ${encodings.map((encoding, row) => {
        const most = Math.max(...changes[row].map(({ share }) => share));
        return svg`<g data-encoding=${encoding}>
          <text x="0" y=${foot(row) - 4}>${texts.encodings[encoding]}</text>
          <line class="foot" x1=${space.left} x2=${right} y1=${foot(row)} y2=${foot(row)} />
          ${words.map((_, column) => bar(row, column, most))}
        </g>`;
      })}
    </svg>
    <p class="live visually-hidden" aria-live="polite"></p>
  </div>`;
}
