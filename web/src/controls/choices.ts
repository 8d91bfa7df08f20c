import { html, type TemplateResult } from "lit-html";
import { put, type Row } from "../core/state";

/** The choices with their labels, in this order. */
type Choices<T extends string> = Readonly<Partial<Record<T, string>>> | readonly (readonly [T, string])[];

/** Radio buttons for a row; `shown` is the choice in force where the state leaves it open. */
export function choices<T extends string>(
  row: Pick<Row<T>, "name" | "value">,
  legend: string,
  options: Choices<T>,
  shown: T = row.value,
): TemplateResult {
  const labels = (Array.isArray(options) ? options : Object.entries(options)) as readonly (readonly [T, string])[];
  return html`<fieldset class="choices">
    <legend>${legend}</legend>
    <div class="segments">
      ${labels.map(
        ([value, label]) => html`<label>
          <input
            type="radio"
            name="row-${row.name}"
            value=${value}
            .checked=${shown === value}
            @change=${() => put(row, value)}
          /><span>${label}</span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}
