import type { ReadonlySignal } from "@preact/signals-core";
import { html, type TemplateResult } from "lit-html";
import { choices, numberBox } from "../../../controls";
import type { Cell } from "../encoding";
import { state } from "../state";
import { show, visible } from "../view";
import type { en } from "./text.en";

/** Scales what is in sight, with the chosen cell in the middle where that is possible. */
export function zoom(factor: number, cell: ReadonlySignal<Cell>): void {
  const { index, dimension } = cell.value;
  const { left, right, top, bottom } = visible();
  const scaled = (first: number, end: number, centre: number, all: number): [number, number] => {
    const count = Math.max(1, Math.min(all, Math.round((end - first) * factor)));
    const begin = Math.max(0, Math.min(all - count, centre - Math.floor(count / 2)));
    return [begin, begin + count];
  };
  const [newLeft, newRight] = scaled(left, right, index, state.length.value);
  const [newTop, newBottom] = scaled(top, bottom, dimension, state.dim.value);
  show({ left: newLeft, right: newRight, top: newTop, bottom: newBottom });
}

export const showWhole = () => show({ left: 0, right: state.length.value, top: 0, bottom: state.dim.value });

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

/** The buttons below the picture. */
export function zoomButtons(text: typeof en, cell: ReadonlySignal<Cell>): TemplateResult {
  const { left, right, top, bottom } = visible();
  return html`<div class="zoom player" role="group" aria-label=${text.zoom}>
      <button type="button" data-zoom="in" ?disabled=${right - left === 1 && bottom - top === 1} @click=${() => zoom(0.5, cell)}>
        ${text.zoomIn}
      </button>
      <button type="button" data-zoom="out" ?disabled=${isWhole()} @click=${() => zoom(2, cell)}>${text.zoomOut}</button>
      <button type="button" data-zoom="all" ?disabled=${isWhole()} @click=${showWhole}>${text.zoomAll}</button>
  </div>`;
}

/** Makes the settings of the lens and of the numbers in sight. */
export function zoomSettings(text: typeof en): TemplateResult {
  const { left, right, top, bottom } = visible();
  return html`<div class="zoom" role="group" aria-label=${text.zoom}>
    ${range(text.columns, text.columnEnds, [left, right - 1], state.length.value, {
      first: (next) => show({ ...visible(), left: next }),
      last: (next) => show({ ...visible(), right: next + 1 }),
    })}
    ${range(text.dims, text.dimEnds, [top, bottom - 1], state.dim.value, {
      first: (next) => show({ ...visible(), top: next }),
      last: (next) => show({ ...visible(), bottom: next + 1 }),
    })}
    ${choices(state.lens, text.lens, { 1: "1:1", 4: "4:1", off: text.off })}
    <p class="hint">${text.zoomHint}</p>
  </div>`;
}
