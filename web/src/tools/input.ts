import { html, nothing, type TemplateResult } from "lit-html";
import { choices, numberBox } from "../controls";
import { type NumberRow, put, type Row } from "../core/state";
import * as desk from "./desk";
import { exampleNames, kinds } from "./protocol";
import { unreadable } from "./sentences";
import { type Slot, slots } from "./slots";
import { fieldsOf, type Place, state } from "./state";
import type { ToolsText } from "./text.en";

/* The form: an example, or numbers of the reader's own and what was meant. */

type Box = HTMLSelectElement | HTMLTextAreaElement;
const withValue = (set: (value: string) => void) => (event: Event) => set((event.currentTarget as Box).value);

function partField(words: ToolsText, { name, optional }: Slot): TemplateResult {
  const pick = desk.picks.value[name];
  const isTyped = desk.found.value[pick] === undefined;
  const id = `part-${name}`;
  const hint = words.hints[name];
  const set = withValue((value) => put(desk.typed, { ...desk.typed.value, [name]: value }));
  const choose = withValue((value) =>
    put(desk.picks, { ...desk.picks.value, [name]: value === "" ? -1 : Number(value) }),
  );
  return html`<div class="part" data-part=${name}>
    <label for=${id}>${words.parts[name]} ${optional ? html`<span class="unit">${words.optional}</span>` : nothing}</label>
    ${
      desk.found.value.length > 0
        ? html`<select id=${isTyped ? nothing : id} aria-label=${words.parts[name]} @change=${choose}>
            <option value="" ?selected=${isTyped}>${words.typed}</option>
            ${desk.found.value.map(
              ({ label }, index) => html`<option value=${index} ?selected=${index === pick}>${label}</option>`,
            )}
          </select>`
        : nothing
    }
    ${
      isTyped
        ? html`<textarea id=${id} rows=${name === "positions" ? 1 : 5} spellcheck="false" autocomplete="off"
            aria-describedby=${hint ? `${id}-hint` : "paste-hint"} .value=${desk.typed.value[name] ?? ""} @input=${set}></textarea>`
        : nothing
    }
    ${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : nothing}
  </div>`;
}

function files(words: ToolsText): TemplateResult {
  const { count, problems } = desk.filed.value ?? { count: 0, problems: [] };
  const open = (event: Event) => (event.currentTarget as Element).parentElement?.querySelector("input")?.click();
  const chosen = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    desk.addFiles([...(input.files ?? [])]);
    input.value = "";
  };
  const forget = html`<button type="button" data-forget @click=${desk.forget}>${words.forget}</button>`;
  return html`<div class="drop-zone" role="group" aria-label=${words.dropTitle}>
      ${words.drop}
      <input type="file" multiple hidden accept=".npy,.npz,.safetensors,.gguf,.onnx,.json" @change=${chosen} />
      <button type="button" data-choose @click=${open}>${words.choose}</button>
      ${desk.found.value.length > 0 ? forget : nothing}
    </div>
    <div role="status" data-filed>${count > 0 ? html`<p class="note">${words.opened(count)}</p>` : nothing}</div>
    <div role="alert" data-unread>
      ${problems.map(
        ([file, problem]) => html`<p class="problem">${words.unreadable(file)} ${unreadable(file, problem, words)}</p>`,
      )}
    </div>`;
}

function numberField(row: NumberRow, label: string): TemplateResult {
  const id = `row-${row.name}`;
  const set = (value: number) => put(row, value);
  return html`<div class="field">
    <label for=${id}>${label}</label> ${numberBox({ id, value: row.value, limits: row.limits, set })}
  </div>`;
}

/** The fields of these places, as far as this kind has them. */
const fields = (words: ToolsText, ...places: Place[]): TemplateResult =>
  html`<div class="fields">
    ${places.flatMap(fieldsOf).map(([name, { row, names }]) =>
      names
        ? choices(
            row as Row<string>,
            words.fields[name],
            names.map((each) => [each, words.options[each] ?? each] as const),
          )
        : numberField(row as NumberRow, words.fields[name]),
    )}
  </div>`;

function config(words: ToolsText): TemplateResult {
  const set = withValue((text) => put(state.config, state.config.parse(text) ?? state.config.value));
  return html`<div class="part">
    <label for="part-config">${words.parts.config}</label>
    <textarea id="part-config" rows="8" spellcheck="false" maxlength="8000"
      .value=${state.config.value} @input=${set}></textarea>
    ${fields(words, "config")}
  </div>`;
}

function ownNumbers(words: ToolsText): TemplateResult {
  const kind = state.kind.value;
  const expectation = state.expectation.value;
  const choose = withValue((value) => put(state.kind, state.kind.parse(value) ?? kind));
  return html`<h3>${words.steps[1]}</h3>
    <div class="field kind">
      <label for="row-kind">${words.kind}</label>
      <select id="row-kind" .value=${kind} @change=${choose}>
        ${kinds.map((each) => html`<option value=${each} ?selected=${each === kind}>${words.kinds[each]}</option>`)}
      </select>
    </div>
    ${files(words)}
    <p class="hint" id="paste-hint">${words.paste}</p>
    <div class="parts">${slots[kind].map((slot) => partField(words, slot))}</div>
    ${kind === "ids" ? nothing : fields(words, "values", "samples")}
    <div class="controls">${choices(state.expectation, words.expectation, words.expectations)}</div>
    ${expectation === "plan" ? fields(words, "plan") : expectation === "config" ? config(words) : nothing}
    <div class="controls">
      <button type="button" class="run" data-run @click=${desk.runOwn}>${words.run}</button>
    </div>`;
}

/** The numbers to diagnose: an example, or the reader's own. */
export function input(words: ToolsText): TemplateResult {
  const sample = state.sample.value;
  const names = ["own", ...exampleNames] as const;
  return html`<h3>${words.steps[0]}</h3>
    <div class="controls" @change=${desk.first}>
      ${choices(
        state.sample,
        words.sample,
        names.map((name) => [name, words.samples[name][0]] as const),
      )}
    </div>
    ${sample === "own" ? ownNumbers(words) : html`<p class="story">${words.samples[sample][1]}</p>`}`;
}
