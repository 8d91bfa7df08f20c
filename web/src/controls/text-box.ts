import { html, type TemplateResult } from "lit-html";
import type { Row } from "../core/state";

/** A line of text; text too long for the link is ignored. */
export function textBox(row: Row<string>, label: string): TemplateResult {
  return html`<div class="control sentence">
    <label for="row-${row.name}">${label}</label>
    <input
      type="text"
      id="row-${row.name}"
      maxlength="200"
      .value=${row.value}
      @input=${(event: Event) => {
        const value = row.parse((event.currentTarget as HTMLInputElement).value);
        if (value !== undefined) row.value = value;
      }}
    />
  </div>`;
}
