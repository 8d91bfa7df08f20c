import { nothing, svg, type TemplateResult } from "lit-html";
import type { Posenc } from "posenc";
import { plain, ticks } from "../../core/format";
import { short } from "../../draw/rounded";
import { nameOf, widthOf } from "../../draw/text";
import { type Model, samples, type Wave } from "./model";

const rowHeight = 52;
const swing = 18;
const radius = 20;
const top = 8;
const bottom = 40;
const left = 78;
const clockWidth = 2 * radius + 18;
/** Fewest pixels per wavelength; a faster wave is drawn as a band. */
const narrowest = 4;

/** The places of positions in a drawing. */
export interface Across {
  readonly width: number;
  readonly from: number;
  readonly to: number;
  x(position: number): number;
}

function across(width: number, from: number, to: number, length: number): Across {
  return { width, from, to, x: (position) => from + ((position + 0.5) / length) * (to - from) };
}

export const wavesAcross = (width: number, length: number) => across(width, left, width - clockWidth, length);
export const counterAcross = (width: number, length: number) => across(width, left, width - 30, length);

export const heightOf = (rows: number) => top + rows * rowHeight + bottom;

/** The row under a height in the drawing. */
export const rowAt = (y: number, rows: number) => Math.max(0, Math.min(rows - 1, Math.floor((y - top) / rowHeight)));

const middle = (row: number) => top + (row + 0.5) * rowHeight;

function line(pe: Posenc, wave: Wave, row: number, place: Across, length: number) {
  const y = middle(row);
  const perPosition = (place.to - place.from) / length;
  if (wave.lambda * perPosition < narrowest)
    return svg`<rect class="band" x=${place.x(-0.5)} y=${y - swing} width=${place.to - place.from} height=${2 * swing} />`;
  const count = Math.ceil((place.to - place.from) / 1.5);
  const positions = Float64Array.from({ length: count + 1 }, (_, at) => -0.5 + (at / count) * length);
  const values = samples(pe, wave.omega, positions);
  const path = (dimension: number) =>
    Array.from(positions, (position, at) => {
      const height = y - swing * values[2 * at + dimension];
      return `${at === 0 ? "M" : "L"}${place.x(position).toFixed(1)} ${height.toFixed(1)}`;
    }).join("");
  return svg`<path class="cosine" d=${path(1)} /><path class="sine" d=${path(0)} />`;
}

function clock(wave: Wave, row: number, x: number) {
  const y = middle(row);
  return svg`<g class="clock" data-clock=${wave.pair}>
    <circle class="face" cx=${x} cy=${y} r=${radius} />
    <line class="noon" x1=${x} x2=${x + radius} y1=${y} y2=${y} />
    <line class="hand" x1=${x} y1=${y} x2=${x + radius * wave.cos} y2=${y - radius * wave.sin} />
    <circle class="hub" cx=${x} cy=${y} r="2.5" />
    <circle class="tip" cx=${x + radius * wave.cos} cy=${y - radius * wave.sin} r="3.5" />
  </g>`;
}

/** The reader's word at the cursor, and the box that it has below it. */
function cursorBox(place: Across, position: number) {
  const word = nameOf(position);
  if (word === undefined) return undefined;
  const wide = widthOf(word) + 10;
  return { word, wide, middle: Math.max(wide / 2, Math.min(place.width - wide / 2, place.x(position))) };
}

/** Numbers of positions; one that the cursor's word would cover, or a part of it, is left out. */
function axis(place: Across, model: Model, rows: number, name: string) {
  const { length, position } = model;
  const end = top + rows * rowHeight;
  const box = cursorBox(place, position);
  const isFree = (tick: number) =>
    box === undefined || Math.abs(place.x(tick) - box.middle) > (box.wide + widthOf(String(tick))) / 2;
  return svg`<g class="axis">
      ${ticks(0, length - 1, (place.to - place.from) / 56).map(
        (tick) => svg`<line x1=${place.x(tick)} x2=${place.x(tick)} y1=${end} y2=${end + 5} />
          ${isFree(tick) ? svg`<text x=${place.x(tick)} y=${end + 18} text-anchor="middle">${tick}</text>` : nothing}`,
      )}
      <text class="axis-name" x=${(place.from + place.to) / 2} y=${end + 35} text-anchor="middle">${name}</text>
    </g>
    <line class="now" x1=${place.x(position)} x2=${place.x(position)} y1=${top} y2=${end} />
    ${
      box === undefined
        ? nothing
        : svg`<g class="cursor-word">
            <rect x=${box.middle - box.wide / 2} y=${end + 3} width=${box.wide} height="19" rx="4" />
            <text x=${box.middle} y=${end + 13} text-anchor="middle" dominant-baseline="central">${box.word}</text>
          </g>`
    }`;
}

const label = (row: number, name: string, note: string, longer: boolean) =>
  svg`<text class="row-name" x="2" y=${middle(row) - 8} dominant-baseline="central">${name}</text>
    <text class=${longer ? "row-note longer" : "row-note"} x="2" y=${middle(row) + 9}
      dominant-baseline="central">${note}${longer ? " ⟶" : ""}</text>`;

/** A row for each wave: its name and period, sine and cosine over the positions, and the hand at the chosen position. */
export function wavesDrawing(
  pe: Posenc,
  model: Model,
  width: number,
  words: { positionAxis: string; handsLabel: string; point(event: PointerEvent): void },
): TemplateResult {
  const rows = model.waves.length;
  const place = wavesAcross(width, model.length);
  return svg`<svg class="waves-drawing" role="img" aria-label=${words.handsLabel} width=${width}
      height=${heightOf(rows)} viewBox="0 0 ${width} ${heightOf(rows)}" @pointermove=${words.point} @pointerdown=${words.point}>
    <rect class="chosen-row" data-screen-only x="0" y=${top + model.chosen * rowHeight} width=${width} height=${rowHeight} rx="6" />
    ${axis(place, model, rows, words.positionAxis)}
    ${model.waves.map(
      (wave, row) => svg`<g class=${wave.longer ? "wave longer" : "wave"} data-wave=${wave.pair}>
        ${label(row, `i = ${wave.pair}`, `λ = ${short(wave.lambda)}`, wave.longer)}
        ${line(pe, wave, row, place, model.length)}
        <circle class="dot" cx=${place.x(model.position)} cy=${middle(row) - swing * wave.sin} r="4" />
        ${clock(wave, row, width - radius - 8)}
      </g>`,
    )}
  </svg>`;
}

/** The bits of the positions, one row per bit, lowest first: dark where the bit is 1. */
export function counter(
  model: Model,
  width: number,
  words: {
    positionAxis: string;
    counter: string;
    bit: (at: number) => string;
    bitPeriod: (period: string) => string;
  },
): TemplateResult {
  const rows = model.waves.length;
  const place = counterAcross(width, model.length);
  const perPosition = (place.to - place.from) / model.length;
  return svg`<svg class="counter-drawing" role="img" aria-label=${words.counter} width=${width}
      height=${heightOf(rows)} viewBox="0 0 ${width} ${heightOf(rows)}">
    ${model.waves.map((_, bit) => {
      const half = 2 ** bit;
      const y = middle(bit);
      const runs: TemplateResult[] = [];
      const longer = 2 * half > model.length;
      if (2 * half * perPosition < narrowest)
        runs.push(
          svg`<rect class="band" x=${place.from} y=${y - swing} width=${place.to - place.from} height=${2 * swing} />`,
        );
      else
        for (let start = half; start < model.length; start += 2 * half)
          runs.push(
            svg`<rect class="one" x=${place.x(start - 0.5)} y=${y - swing}
              width=${Math.min(half, model.length - start) * perPosition} height=${2 * swing} />`,
          );
      return svg`<g class=${longer ? "bit longer" : "bit"} data-bit=${bit}>
        ${label(bit, words.bit(bit), words.bitPeriod(plain(2 * half)), longer)}
        <rect class="frame" x=${place.from} y=${y - swing} width=${place.to - place.from} height=${2 * swing} />
        ${runs}
        <text class="digit" x=${width - 16} y=${y} text-anchor="middle"
          dominant-baseline="central">${Math.floor(model.position / half) % 2}</text>
      </g>`;
    })}
    ${axis(place, model, rows, words.positionAxis)}
  </svg>`;
}
