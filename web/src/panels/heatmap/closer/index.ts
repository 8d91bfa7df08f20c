import { html, nothing, type TemplateResult } from "lit-html";
import type { Posenc } from "posenc";
import { choices, rowSlider, slider } from "../../../controls";
import { wavelength } from "../../../core/arithmetic";
import { standalone } from "../../../core/below/standalone";
import { plain, single } from "../../../core/format";
import type { Frames } from "../../../core/frames";
import { type Language, language } from "../../../core/i18n";
import { page, selection } from "../../../core/page-state";
import { labelOf } from "../../../core/words";
import { palette } from "../../../draw/colour";
import { rounded, shortened } from "../../../draw/rounded";
import type { Layout } from "../axes";
import type { Encoding } from "../encoding";
import { choose } from "../pointing";
import { state } from "../state";
import type { Table } from "../table";
import { visible } from "../view";
import { Brush } from "./brush";
import { cells } from "./cells";
import { Loupe } from "./loupe";
import { en } from "./text.en";
import { zh } from "./text.zh";
import { showWhole, zoom, zoomButtons, zoomSettings } from "./zoom";
import "./style.css";

/* The close-up of the table: zoom, lens, the chosen cell in numbers, and the options that few need. */

/** The panel's objects that the close-up uses. */
interface Panel {
  readonly pe: Posenc;
  readonly encoding: Encoding;
  readonly table: Table;
  readonly canvas: HTMLCanvasElement;
  readonly frames: Frames;
}

export interface Closer {
  /** What lies over the picture. */
  readonly over: readonly HTMLElement[];
  /** The settings that few need. */
  options(): TemplateResult;
  /** The parts below the picture: the zoom, the chosen cell, and beside that the cells around it. */
  zoom(): TemplateResult;
  readout(): TemplateResult;
  cells(width: number): TemplateResult;
  /** Draws what lies over the picture; `rows` are the dimensions in sight from top to bottom. */
  draw(layout: Layout, rows: readonly number[]): void;
  /** The figure as a file: the axes, and the pictures in it. */
  svg(figure: HTMLElement): string;
}

export const texts: Readonly<Record<Language, typeof en>> = { en, zh };
const words = () => texts[language.value];

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

export function closer({ pe, encoding, table, canvas, frames }: Panel): Closer {
  const { cell } = encoding;
  const brush = new Brush(canvas);
  const loupe = new Loupe(canvas, () => frames.request());
  canvas.addEventListener("keydown", ({ key, altKey, ctrlKey, metaKey }) => {
    if (altKey || ctrlKey || metaKey) return;
    if (key === "+" || key === "=") zoom(0.5, cell);
    if (key === "-") zoom(2, cell);
    if (key === "Escape" && !brush.cancel()) showWhole();
  });

  function options(): TemplateResult {
    const text = words();
    const { exponent, shift } = encoding.plan.value;
    return html`
      ${rowSlider(state.offset, text.offset, { span: [-4096, 4096], step: 1 })}
      ${rowSlider(state.timeScale, text.timeScale, { scale: "log" })}
      ${choices(state.exponent, text.exponent, text.exponents, exponent)}
      ${exponent === "half" ? choices(state.exponentShift, "s", { 0: "0", 1: "1" }, String(shift) as "0" | "1") : nothing}
      <p class="hint">${text.hint}</p>
      ${zoomSettings(text)}
    `;
  }

  function around(width: number): TemplateResult {
    const { length, dim, offset } = encoding.options.value;
    const { data, most } = table;
    const colours = palette(page.palette.value);
    return cells(width, { data, most, length, dim, offset }, cell.value, colours, words().cells);
  }

  function readout(): TemplateResult {
    const text = words();
    const { length, dim, base } = encoding.options.value;
    const { scale, exponent, shift } = encoding.plan.value;
    const { index, position, dimension, wave, frequency, above, below } = cell.value;
    // The frequency in radians per position, the wavelength in positions.
    const omega = pe.frequencies({ dim, base, scale, exponent, shift }).data[frequency];
    const lambda = wavelength(omega);
    const { factor, times } = encoding.factors();
    const formula = html`${factor}${wave}(${times}${plain(position)} /
      ${plain(base)}<sup>${above}/${below}</sup>) =`;
    const word = labelOf(index);
    const number = table.data[index * dim + dimension];
    const value = html`<output data-value>${rounded(number, single(number))}</output>`;
    return html`<div class="readout">
      <p class="equation">PE(${plain(position)}, ${dimension}) = ${wave ? formula : ""} ${value}</p>
      <dl>
        <div><dt>${text.position}</dt><dd>${plain(position)}${word === undefined ? "" : html` · <span data-word>${word}</span>`}</dd></div>
        <div><dt>${text.dimension}</dt><dd>${dimension} (${wave ? `${wave}, i = ${frequency}` : text.empty})</dd></div>
        <div><dt>${text.omega}</dt><dd data-omega>${wave ? shortened(omega) : "–"}</dd></div>
        <div><dt>${text.lambda}</dt><dd data-lambda>${wave ? shortened(lambda) : "–"}</dd></div>
      </dl>
      ${slider({
        id: "heat-column",
        label: text.index,
        value: index,
        limits: { ...selection.position.limits, max: length - 1 },
        set: (next) => choose(next, cell.value.dimension),
      })}
      ${slider({
        id: "heat-dimension",
        label: text.dimension,
        value: dimension,
        limits: { ...selection.dimension.limits, max: dim - 1 },
        set: (next) => choose(cell.value.index, next),
      })}
    </div>`;
  }

  return {
    over: [loupe.field, loupe.glass, brush.box],
    options,
    zoom: () => zoomButtons(words(), cell),
    readout,
    cells: around,
    draw(layout, rows) {
      const { data, most } = table;
      brush.rows = rows;
      loupe.draw(layout, { table: data, dim: state.dim.value, view: visible(), rows, cell: cell.value, most });
    },
    svg: drawing,
  };
}
