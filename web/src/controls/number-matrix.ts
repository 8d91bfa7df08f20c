import { html, type TemplateResult } from "lit-html";
import type { NumbersRow } from "../core/state";
import { numberBox } from "./number-box";

/** A matrix of number boxes for a row of the state; `entryName` names each entry. */
export function numberMatrix(
  row: NumbersRow,
  caption: string | TemplateResult,
  width: number,
  entryName: (row: number, column: number) => string,
): TemplateResult {
  return html`<div class="matrix">
    <div class="matrix-name">${caption}</div>
    <div class="matrix-grid" data-width=${width}>
      ${row.value.map((value, index) =>
        numberBox({
          label: entryName(Math.floor(index / width), index % width),
          value,
          limits: row.limits,
          step: 0.1,
          set: (next) => {
            row.value = row.value.map((old, at) => (at === index ? next : old));
          },
        }),
      )}
    </div>
  </div>`;
}
