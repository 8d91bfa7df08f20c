import { html, type TemplateResult } from "lit-html";
import { type Row, state, type TextName, table } from "../core/state";

/** A line of text; what is too long for the link is not taken over. */
export function textBox(name: TextName, label: string): TemplateResult {
  const row = table[name] as Row<string>;
  return html`<div class="control sentence">
    <label for="row-${name}">${label}</label>
    <input
      type="text"
      id="row-${name}"
      maxlength="200"
      .value=${state[name].value}
      @input=${(event: Event) => {
        const value = row.parse((event.currentTarget as HTMLInputElement).value);
        if (value !== undefined) state[name].value = value;
      }}
    />
  </div>`;
}
