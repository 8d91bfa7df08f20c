import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { language } from "../i18n";
import { put } from "../state";
import "./copy-box.css";

const words = { en: { copy: "Copy", done: "Copied" }, zh: { copy: "复制", done: "已复制" } };

/** The id of the box or link that was copied from within the last seconds. */
export const copied = signal("");
let timer = 0;

/** Without access to the clipboard a text is selected, to be copied by hand. */
function select(id: string): void {
  const shown = document.getElementById(id);
  if (shown) getSelection()?.selectAllChildren(shown);
}

/** Copies a text; where that is not allowed, `instead` is called. */
export async function copy(id: string, text: string, instead = () => select(id)): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return instead();
  }
  copied.value = id;
  clearTimeout(timer);
  timer = window.setTimeout(() => put(copied, ""), 2000);
}

/** Shows a text with a button that copies it, whose name begins with the word that is seen. */
export function copyBox(id: string, label: string, text: string): TemplateResult {
  const word = words[language.value][copied.value === id ? "done" : "copy"];
  return html`<div class="copy-box">
    <pre id=${id} tabindex="0" role="region" aria-label=${label}><code>${text}</code></pre>
    <div class="tools">
      <button type="button" data-copy=${id} aria-label="${word}: ${label}" @click=${() => copy(id, text)}>
        ${word}
      </button>
      <span class="visually-hidden" role="status">${copied.value === id ? word : nothing}</span>
    </div>
  </div>`;
}
