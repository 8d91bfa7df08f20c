import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import "./copy-box.css";

/** The id of what was copied last, until a moment later. */
export const copied = signal("");
let timer = 0;

async function copy(id: string, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without access to the clipboard it is selected, to be copied by hand.
    const shown = document.getElementById(id);
    if (shown) getSelection()?.selectAllChildren(shown);
    return;
  }
  copied.value = id;
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    copied.value = "";
  }, 2000);
}

/** A text to be copied, with the button that does it. */
export function copyBox(
  id: string,
  label: string,
  text: string,
  words: { readonly copy: string; readonly copied: string },
): TemplateResult {
  return html`<div class="copy-box">
    <pre id=${id} tabindex="0" role="region" aria-label=${label}><code>${text}</code></pre>
    <div class="tools">
      <button type="button" data-copy=${id} aria-label="${words.copy}: ${label}" @click=${() => copy(id, text)}>
        ${copied.value === id ? words.copied : words.copy}
      </button>
      <span class="visually-hidden" role="status">${copied.value === id ? words.copied : nothing}</span>
    </div>
  </div>`;
}
