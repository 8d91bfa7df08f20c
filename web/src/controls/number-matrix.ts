import { html, type TemplateResult } from "lit-html";
import { type NumbersName, state, table } from "../core/state";
import { numberBox } from "./";

/** A matrix of number boxes for a row of the state; `names` says which entry is which. */
export function matrix(
  name: NumbersName,
  caption: string | TemplateResult,
  width: number,
  entryName: (row: number, column: number) => string,
): TemplateResult {
  const values = state[name].value;
  const limits = { min: table[name].min, max: table[name].max, whole: false };
  return html`<div class="matrix">
    <div class="matrix-name">${caption}</div>
    <div class="matrix-grid" data-width=${width}>
      ${values.map((value, index) =>
        numberBox({
          label: entryName(Math.floor(index / width), index % width),
          value,
          limits,
          step: 0.1,
          set: (next) => {
            state[name].value = state[name].value.map((old, at) => (at === index ? next : old));
          },
        }),
      )}
    </div>
  </div>`;
}
