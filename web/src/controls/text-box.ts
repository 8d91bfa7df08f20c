import { html, nothing, type TemplateResult } from "lit-html";
import type { Row } from "../core/state";
import { boxText } from "./sentence/text";
import "./text-box.css";

/** A row of text, which may have a limit of its length. */
type Text = Pick<Row<string>, "name" | "value" | "parse"> & { readonly longest?: number };

export interface TextBoxOptions {
  /** The id of the input, where several boxes write the same row. */
  readonly id?: string;
  /** The note below it. */
  readonly note?: string | undefined;
}

/** Cuts a text to the length that a row takes, never within a character. */
const start = (text: string, longest: number) => text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "");

/** A line of text. Of a text too long for the link the beginning is taken, and a note says so. */
export function textBox(row: Text, label: string, options: TextBoxOptions = {}): TemplateResult {
  const { id = `row-${row.name}`, note } = options;
  const write = (event: Event) => {
    const box = event.currentTarget as HTMLInputElement;
    const { longest = box.value.length } = row;
    const typed = box.value.length;
    if (typed > longest) box.value = start(box.value, longest);
    // It is written here because the state may be unchanged, and then nothing is drawn.
    const note = box.parentElement?.querySelector("[data-cut]");
    if (note) note.textContent = typed > longest ? boxText().cut(box.value.length, typed) : "";
    const value = row.parse(box.value);
    if (value !== undefined) row.value = value;
  };
  return html`<div class="control sentence">
    <label for=${id}>${label}</label>
    <input type="text" id=${id} aria-describedby="${id}-note ${id}-cut" .value=${row.value} @input=${write} />
    <p class="hint" id="${id}-cut" data-cut role="status"></p>
    <p class="hint" id="${id}-note" data-note>${note ?? nothing}</p>
  </div>`;
}
