import { nothing, svg, type TemplateResult } from "lit-html";
import type { Posenc } from "posenc";
import { ticks } from "../../core/format";
import { mark } from "../../draw/mark";
import { short } from "../../draw/rounded";
import { diverging } from "../../draw/shades";
import { nameOf, widthOf } from "../../draw/text";
import { type Model, samples, type Wave } from "./model";
import type { en } from "./text.en";

const rowHeight = 52;
const swing = 18;
const radius = 20;
const top = 26;
const gap = 14;
const bottom = 40;
const left = 78;
const clockWidth = 2 * radius + 18;
/** Fewest pixels per wavelength; a faster wave is drawn as a band. */
const narrowest = 4;

/** The places of positions in a drawing. */
export function wavesAcross(width: number, length: number) {
  const [from, to] = [left, width - clockWidth];
  return { width, from, to, x: (position: number) => from + ((position + 0.5) / length) * (to - from) };
}
type Across = ReturnType<typeof wavesAcross>;

/** The height of the table: rows that can be told apart, and no more of them than a screen has space for. */
const tableHeight = (dim: number) => Math.max(128, Math.min(224, dim * 7));
const wavesTop = (dim: number) => top + tableHeight(dim) + gap;

const heightOf = ({ dim, waves }: Model) => wavesTop(dim) + waves.length * rowHeight + bottom;

/** The pair under a height in the drawing: of a row of the table, or of a wave below it. */
export function pairAt(y: number, { dim, waves }: Model): number {
  const row = Math.floor((y - wavesTop(dim)) / rowHeight);
  if (row >= 0) return waves[Math.min(row, waves.length - 1)].pair;
  const dimension = Math.floor(((y - top) / tableHeight(dim)) * dim);
  return Math.floor(Math.max(0, Math.min(dim - 1, dimension)) / 2);
}

const middle = ({ dim }: Model, row: number) => wavesTop(dim) + (row + 0.5) * rowHeight;

/** The table as cells, a column for each position and a row for each dimension; of a long text columns are left out. */
function cells({ table, dim, length, waves, chosen }: Model, place: Across): TemplateResult {
  const across = place.to - place.from;
  const every = Math.ceil(length / Math.floor(across / 3));
  const down = tableHeight(dim) / dim;
  const wide = (across / length) * every;
  const shades = diverging(1);
  const paths = new Map<string, string>();
  for (let position = 0; position < length; position += every)
    for (let dimension = 0; dimension < dim; dimension++) {
      const colour = shades.colour(table[position * dim + dimension]);
      const x = place.x(position - 0.5);
      const box = `M${x.toFixed(1)} ${(top + dimension * down).toFixed(1)}h${Math.min(wide, place.to - x).toFixed(1)}v${down.toFixed(1)}h-${Math.min(wide, place.to - x).toFixed(1)}z`;
      paths.set(colour, (paths.get(colour) ?? "") + box);
    }
  const y = (pair: number) => top + 2 * pair * down;
  const { pair } = waves[chosen];
  return svg`<g class="cells" shape-rendering="crispEdges">${[...paths].map(([colour, path]) => svg`<path d=${path} fill=${colour} />`)}</g>
    <g class="axis">
      ${ticks(0, dim - 1, 4).map((dimension) => svg`<text x=${place.from - 8} y=${top + (dimension + 0.5) * down} text-anchor="end" dominant-baseline="central">${dimension}</text>`)}
    </g>
    <g class="mark" data-screen-only>
      ${mark(place.from, y(pair), across, Math.max(4, Math.min(2, dim - 2 * pair) * down))}
    </g>`;
}

/** Periods longer than the text are dashed. */
const dashesOf = ({ longer }: Wave) => (longer ? "6 4" : "none");

const dot = (kind: string, x: number, y: number, r: number) =>
  svg`<circle class=${kind} fill="var(--accent)" stroke="var(--paper)" stroke-width="1.5" cx=${x} cy=${y} r=${r} />`;

function line(pe: Posenc, wave: Wave, y: number, place: Across, length: number) {
  const perPosition = (place.to - place.from) / length;
  if (wave.lambda * perPosition < narrowest)
    return svg`<rect x=${place.x(-0.5)} y=${y - swing} width=${place.to - place.from} height=${2 * swing}
      fill="var(--accent)"
      opacity="0.6" />`;
  const count = Math.ceil((place.to - place.from) / 1.5);
  const positions = Float64Array.from({ length: count + 1 }, (_, at) => -0.5 + (at / count) * length);
  const values = samples(pe, wave.omega, positions);
  const path = (dimension: number) =>
    Array.from(positions, (position, at) => {
      const height = y - swing * values[2 * at + dimension];
      return `${at === 0 ? "M" : "L"}${place.x(position).toFixed(1)} ${height.toFixed(1)}`;
    }).join("");
  return svg`<path class="cosine" d=${path(1)} fill="none" stroke="var(--warm)" stroke-width="1.8"
    stroke-dasharray="1 3.2"
      stroke-linecap="round" />
    <path class="sine" d=${path(0)} fill="none" stroke="var(--accent)" stroke-width="1.8"
      stroke-dasharray=${dashesOf(wave)} />`;
}

function clock(wave: Wave, y: number, x: number) {
  return svg`<g class="clock" data-clock=${wave.pair}>
    <circle fill="var(--raised)" stroke="var(--edge)" cx=${x} cy=${y} r=${radius} />
    <line stroke="var(--edge)" x1=${x} x2=${x + radius} y1=${y} y2=${y} />
    <line class="hand" stroke="var(--accent)" stroke-width="2.4" stroke-dasharray=${dashesOf(wave)}
      x1=${x} y1=${y} x2=${x + radius * wave.cos} y2=${y - radius * wave.sin} />
    ${dot("hub", x, y, 2.5)} ${dot("tip", x + radius * wave.cos, y - radius * wave.sin, 3.5)}
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
function axis(place: Across, model: Model, name: string) {
  const { length, position } = model;
  const end = middle(model, model.waves.length - 0.5);
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
    <line stroke="var(--ink)" x1=${place.x(position)} x2=${place.x(position)} y1=${top} y2=${end} />
    ${
      box === undefined
        ? nothing
        : svg`<g class="cursor-word">
            <rect x=${box.middle - box.wide / 2} y=${end + 3} width=${box.wide} height="19" rx="4"
              fill="var(--paper)" stroke="var(--accent)" />
            <text x=${box.middle} y=${end + 13} text-anchor="middle" dominant-baseline="central">${box.word}</text>
          </g>`
    }`;
}

const label = (y: number, name: string, note: string, longer: boolean) =>
  svg`<text class="row-name" x="2" y=${y - 8} dominant-baseline="central">${name}</text>
    <text class=${longer ? "row-note longer" : "row-note"} x="2" y=${y + 9}
      dominant-baseline="central">${note}${longer ? " ⟶" : ""}</text>`;

/**
 * The table, and below it a row for each wave on the same positions: its name and period, sine and cosine, and the hand at
 * the chosen position.
 */
export function wavesDrawing(
  pe: Posenc,
  model: Model,
  width: number,
  words: typeof en,
  point: (event: PointerEvent) => void,
): TemplateResult {
  const place = wavesAcross(width, model.length);
  const height = heightOf(model);
  return svg`<svg class="waves-drawing" role="img" aria-label=${words.hands} width=${width}
      height=${height} viewBox="0 0 ${width} ${height}" @pointermove=${point} @pointerdown=${point}>
    <rect data-screen-only x="0" y=${middle(model, model.chosen - 0.5)} width=${width} height=${rowHeight} rx="6"
      fill="var(--accent-wash)" stroke="var(--accent)" />
    <g class="axis"><text class="axis-name" x="2" y="12">${words.dimension}</text></g>
    ${cells(model, place)} ${axis(place, model, words.positionAxis)}
    ${model.waves.map((wave, row) => {
      const y = middle(model, row);
      return svg`<g class=${wave.longer ? "wave longer" : "wave"} data-wave=${wave.pair}>
        ${label(y, `i = ${wave.pair}`, `λ = ${short(wave.lambda)}`, wave.longer)}
        ${line(pe, wave, y, place, model.length)}
        ${dot("dot", place.x(model.position), y - swing * wave.sin, 4)}
        ${clock(wave, y, width - radius - 8)}
      </g>`;
    })}
  </svg>`;
}
