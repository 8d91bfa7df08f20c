import { html, type TemplateResult } from "lit-html";
import type { Term } from "./entries.en";
import "./term.css";

/** Explains a term; the module is fetched when the first one is pointed at or gets the focus. */
async function explain({ currentTarget, type }: Event): Promise<void> {
  const { show } = await import("./tip");
  await show(currentTarget as HTMLElement, type === "click");
}

/** A word of a text that the glossary explains, with the punctuation around it: browsers break lines beside a button. */
export function term(id: Term, words: string, after = "", before = ""): TemplateResult {
  const button = html`<button type="button" class="term" data-term=${id} @pointerenter=${explain} @focus=${explain} @click=${explain}>${words}</button>`;
  return after ? html`<span class="unbroken">${before}${button}${after}</span>` : button;
}
