import { html, nothing, type TemplateResult } from "lit-html";
import { plain } from "../../core/format";
import type { Desk } from "./desk";
import { state } from "./state";
import type { Text } from "./text.en";

/** A text of the reader's own, typed or from a file. It is in no link and leaves the tab for its workers alone. */
export function ownText(words: Text, desk: Desk): TemplateResult | typeof nothing {
  if (state.labTask.value !== "text") return nothing;
  const own = desk.text.value;
  return html`<details class="lab-text">
    <summary>${words.ownText}</summary>
    <p class="hint">${words.ownTextHint}</p>
    <label class="control sentence"
      ><span>${words.paste}</span>
      <textarea
        rows="4"
        data-lab="text"
        @change=${(event: Event) => desk.type(words.pasted, (event.currentTarget as HTMLTextAreaElement).value)}
      ></textarea
    ></label>
    <div class="controls">
      <label class="control lab-file"
        ><span>${words.file}</span>
        <input
          type="file"
          accept="text/*,.txt,.md"
          data-lab="file"
          @change=${(event: Event) => desk.take((event.currentTarget as HTMLInputElement).files?.[0])}
      /></label>
    </div>
    <p class="hint" role="status" data-own-text>
      ${desk.textProblem.value || (own ? words.reads(own.name, plain(own.text.length)) : words.readsOurs)}
      ${own ? html`<button type="button" class="again" data-lab="ours" @click=${() => desk.take(undefined)}>${words.ours}</button>` : nothing}
    </p>
  </details>`;
}
