import { html, type TemplateResult } from "lit-html";
import type { Row } from "../core/state";

/** Radio buttons for a row; `shown` is the choice in force where the state leaves it open. */
export function choices<T extends string>(
  row: Pick<Row<T>, "name" | "value">,
  legend: string,
  options: readonly (readonly [T, string])[],
  shown: T = row.value,
): TemplateResult {
  return html`<fieldset class="choices">
    <legend>${legend}</legend>
    <div class="segments">
      ${options.map(
        ([value, label]) => html`<label>
          <input
            type="radio"
            name="row-${row.name}"
            value=${value}
            .checked=${shown === value}
            @change=${() => {
              row.value = value;
            }}
          /><span>${label}</span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}
