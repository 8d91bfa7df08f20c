import { html, type TemplateResult } from "lit-html";
import type { Posenc } from "posenc";
import { choices, numberBox, rowSlider, slider } from "../../../controls";
import { plain, significant, single } from "../../../core/format";
import { type Language, language } from "../../../core/i18n";
import { page, selection } from "../../../core/page-state";
import { palette } from "../../../draw/colour";
import { standalone } from "../../../draw/standalone";
import type { Frame } from "../axes";
import { chosenCell, convention, encodingOptions, factors, waveOf } from "../model";
import { state } from "../state";
import { show, visible } from "../view";
import { Brush } from "./brush";
import { cells } from "./cells";
import { Loupe } from "./loupe";
import { en } from "./text.en";
import { zh } from "./text.zh";

/*
 * What looks closer at the table: zoom, lens, the chosen cell in numbers, and the options that few need. Fetched when
 * its place comes near.
 */

/** What the panel lends. */
interface Panel {
  readonly pe: Posenc;
  readonly canvas: HTMLCanvasElement;
  table(): { readonly data: Float32Array; readonly most: number };
  choose(index: number, lane: number): void;
  markDirty(): void;
}

export interface Closer {
  /** What the panel unfolds above the picture. */
  options(): TemplateResult;
  /** What stands below the picture, from above: the zoom, the chosen cell, and beside that the cells around it. */
  zoom(): TemplateResult;
  readout(): TemplateResult;
  cells(width: number): TemplateResult;
  /** Called when the picture has been drawn. */
  drawn(frame: Frame): void;
  /** The figure as a file: the axes, and the pictures in it. */
  svg(figure: HTMLElement): string;
  destroy(): void;
}

export const texts: Readonly<Record<Language, typeof en>> = { en, zh };
const words = () => texts[language.value];

/** Half as wide and high, or twice, with the chosen cell in the middle where it can be. */
function zoom(factor: number): void {
  const { left, right, top, bottom } = visible();
  const { index, lane } = chosenCell();
  const scaled = (first: number, end: number, centre: number, all: number): [number, number] => {
    const count = Math.max(1, Math.min(all, Math.round((end - first) * factor)));
    const begin = Math.max(0, Math.min(all - count, centre - Math.floor(count / 2)));
    return [begin, begin + count];
  };
  const [newLeft, newRight] = scaled(left, right, index, state.length.value);
  const [newTop, newBottom] = scaled(top, bottom, lane, state.dim.value);
  show({ left: newLeft, right: newRight, top: newTop, bottom: newBottom });
}

const whole = () => show({ left: 0, right: state.length.value, top: 0, bottom: state.dim.value });

function isWhole(): boolean {
  const { left, right, top, bottom } = visible();
  return left === 0 && top === 0 && right === state.length.value && bottom === state.dim.value;
}

/** First and last of what is in sight along one axis, as numbers to type. */
function range(
  legend: string,
  names: readonly [string, string],
  [first, last]: readonly [number, number],
  all: number,
  set: { readonly first: (next: number) => void; readonly last: (next: number) => void },
): TemplateResult {
  const limits = (min: number, max: number) => ({ min, max, whole: true });
  return html`<div class="range-boxes" role="group" aria-label=${legend}>
    <span>${legend}</span>
    ${numberBox({ label: names[0], value: first, limits: limits(0, last), set: set.first })}
    <span aria-hidden="true">–</span>
    ${numberBox({ label: names[1], value: last, limits: limits(first, all - 1), set: set.last })}
  </div>`;
}

function zoomControls(): TemplateResult {
  const text = words();
  const { left, right, top, bottom } = visible();
  return html`<div class="zoom" role="group" aria-label=${text.zoom}>
    <div class="player">
      <button type="button" data-zoom="in" ?disabled=${right - left === 1 && bottom - top === 1} @click=${() => zoom(0.5)}>
        ${text.zoomIn}
      </button>
      <button type="button" data-zoom="out" ?disabled=${isWhole()} @click=${() => zoom(2)}>${text.zoomOut}</button>
      <button type="button" data-zoom="all" ?disabled=${isWhole()} @click=${whole}>${text.zoomAll}</button>
    </div>
    ${range(text.columns, text.columnEnds, [left, right - 1], state.length.value, {
      first: (next) => show({ ...visible(), left: next }),
      last: (next) => show({ ...visible(), right: next + 1 }),
    })}
    ${range(text.lanes, text.laneEnds, [top, bottom - 1], state.dim.value, {
      first: (next) => show({ ...visible(), top: next }),
      last: (next) => show({ ...visible(), bottom: next + 1 }),
    })}
    ${choices(state.lens, text.lens, [
      ["1", "1:1"],
      ["4", "4:1"],
      ["off", text.off],
    ])}
    <p class="hint">${text.zoomHint}</p>
  </div>`;
}

function drawing(figure: HTMLElement): string {
  const images = [".heat-canvas", ".heat-bar"].map((selector) => {
    const canvas = figure.querySelector(selector) as HTMLCanvasElement;
    const { left, top, width, height } = canvas.style;
    const box = `x="${Number.parseFloat(left)}" y="${Number.parseFloat(top)}" width="${Number.parseFloat(width)}"`;
    const size = `height="${Number.parseFloat(height)}" preserveAspectRatio="none"`;
    return `<image ${box} ${size} href="${canvas.toDataURL()}"/>`;
  });
  const axes = figure.querySelector(".heat-axes") as SVGSVGElement;
  return standalone(axes).replace("</svg>", `${images.join("")}</svg>`);
}

export function closer({ pe, canvas, table, choose, markDirty }: Panel): Closer {
  const brush = new Brush(canvas);
  const loupe = new Loupe(canvas, markDirty);
  const stop = new AbortController();
  canvas.addEventListener(
    "keydown",
    ({ key, altKey, ctrlKey, metaKey }) => {
      if (altKey || ctrlKey || metaKey) return;
      if (key === "+" || key === "=") zoom(0.5);
      if (key === "-") zoom(2);
      if (key === "Escape" && !brush.cancel()) whole();
    },
    { signal: stop.signal },
  );

  function options(): TemplateResult {
    const text = words();
    const { exponent } = convention();
    return html`
      ${rowSlider(state.offset, text.offset, { span: [-4096, 4096], step: 1 })}
      ${rowSlider(state.timeScale, text.timeScale, { scale: "log" })}
      ${choices(
        state.exponent,
        text.exponent,
        [
          ["paper", text.paper],
          ["double-stepped", text.doubleStepped],
          ["half", text.half],
        ],
        exponent,
      )}
      ${
        exponent === "half"
          ? choices(
              state.exponentShift,
              text.exponentShift,
              [
                ["0", "0"],
                ["1", "1"],
              ],
              String(convention().shift) as "0" | "1",
            )
          : ""
      }
      <p class="hint">${text.hint}</p>
    `;
  }

  function around(width: number): TemplateResult {
    const { length, dim, offset } = encodingOptions();
    const colours = palette(page.palette.value);
    return cells(width, { ...table(), length, dim, offset }, chosenCell(), colours, words().cells);
  }

  function readout(): TemplateResult {
    const text = words();
    const { length, dim, base } = encodingOptions();
    const cell = chosenCell();
    const { wave, frequency, above, below } = cell;
    const { omega, lambda } = waveOf(pe, cell);
    const { data } = table();
    const { factor, times } = factors();
    const formula = html`${factor}${wave}(${times}${plain(cell.position)} /
      ${plain(base)}<sup>${above}/${below}</sup>) =`;
    const value = html`<output data-value>${single(data[cell.index * dim + cell.lane])}</output>`;
    return html`<div class="readout">
      <p class="equation">PE(${plain(cell.position)}, ${cell.lane}) = ${wave ? formula : ""} ${value}</p>
      <dl>
        <div><dt>${text.position}</dt><dd>${plain(cell.position)}</dd></div>
        <div><dt>${text.lane}</dt><dd>${cell.lane} (${wave ? `${wave}, i = ${frequency}` : text.empty})</dd></div>
        <div><dt>${text.omega}</dt><dd data-omega>${wave ? significant(omega, 6) : "–"}</dd></div>
        <div><dt>${text.lambda}</dt><dd data-lambda>${wave ? significant(lambda, 6) : "–"}</dd></div>
      </dl>
      ${slider({
        id: "heat-column",
        label: text.index,
        value: cell.index,
        limits: { ...selection.position.limits, max: length - 1 },
        set: (next) => choose(next, chosenCell().lane),
      })}
      ${slider({
        id: "heat-lane",
        label: text.lane,
        value: cell.lane,
        limits: { ...selection.lane.limits, max: dim - 1 },
        set: (next) => choose(chosenCell().index, next),
      })}
    </div>`;
  }

  return {
    options,
    zoom: zoomControls,
    readout,
    cells: around,
    drawn(frame) {
      const { data, most } = table();
      loupe.draw(frame, { table: data, dim: state.dim.value, view: visible(), cell: chosenCell(), most });
    },
    svg: drawing,
    destroy() {
      brush.destroy();
      loupe.destroy();
      stop.abort();
    },
  };
}
