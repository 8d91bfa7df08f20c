import { html, nothing, type TemplateResult } from "lit-html";
import { choices } from "../../controls";
import { plain } from "../../core/format";
import { examples } from "./examples";
import { configText, otherText } from "./model";
import { longestInLink, state } from "./state";
import type { Text } from "./text.en";

const families = Object.entries(examples).map(([family, { name }]) => [family as keyof typeof examples, name] as const);

/** A field for a text that is pasted or typed, or a file that is dropped. */
function textField(id: string, label: string, value: string, words: Text, set: (text: string) => void): TemplateResult {
  const drop = async (event: DragEvent) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    set(await file.text());
  };
  return html`<label for=${id}>${label}</label>
    <textarea class="config-text" id=${id} rows="10" spellcheck="false" .value=${value}
      @input=${(event: Event) => set((event.currentTarget as HTMLTextAreaElement).value)}
      @dragover=${(event: Event) => event.preventDefault()}
      @drop=${drop}
    ></textarea>
    ${value.length > longestInLink ? html`<p class="note" data-not-in-link>${words.notInLink(plain(value.length), plain(longestInLink))}</p>` : nothing}`;
}

const problem = (reason: string, of: string) =>
  html`<p class="problem" role="alert" data-config-problem=${of}>${reason}</p>`;

/** Two choices of examples side by side, the text of each that is chosen, and why it cannot be read. */
export function inputs(words: Text, problems: { readonly own: string; readonly other: string }): TemplateResult {
  const text = otherText();
  return html`<div class="configs">
    <div>
      <div class="controls">${choices(state.configFamily, words.examples, [...families, ["own", words.own]])}</div>
      ${textField("row-configText", words.paste, configText(), words, (given) => {
        state.configText.value = given;
        state.configFamily.value = "own";
      })}
      ${problem(problems.own, "own")}
    </div>
    <div>
      <div class="controls">
        ${choices(state.configOther, words.compareWith, [...families, ["own", words.own], ["none", words.none]])}
      </div>
      ${
        text === undefined
          ? nothing
          : html`${textField("row-configOtherText", words.pasteOther, text, words, (given) => {
              state.configOtherText.value = given;
              state.configOther.value = "own";
            })}
            ${problem(problems.other, "other")}`
      }
    </div>
  </div>`;
}
