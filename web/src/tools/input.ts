import { html, nothing, type TemplateResult } from "lit-html";
import { choices, numberBox } from "../controls";
import { language } from "../core/i18n";
import type { NumberRow } from "../core/state";
import * as desk from "./desk";
import { dtypes, exampleNames, idPresets, type Kind, kinds, quantizations } from "./protocol";
import { unread } from "./sentences";
import { type Slot, slots } from "./slots";
import { state } from "./state";
import type { ToolsText } from "./text.en";

/** The form: an example, or numbers of the reader's own and what was meant. */

function partField(words: ToolsText, kind: Kind, { name, optional }: Slot): TemplateResult {
  const key = desk.keyOf(kind, name);
  const pick = desk.picks.value[key];
  const isTyped = desk.found.value[pick] === undefined;
  const id = `part-${name}`;
  const hint = words.hints[name];
  const isShort = name === "positions";
  const set = (event: Event) => {
    desk.typed.value = { ...desk.typed.value, [key]: (event.currentTarget as HTMLTextAreaElement).value };
  };
  const choose = (event: Event) => {
    const { value } = event.currentTarget as HTMLSelectElement;
    desk.picks.value = { ...desk.picks.value, [key]: value === "" ? -1 : Number(value) };
  };
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
        ? html`<textarea id=${id} class="numbers" rows=${isShort ? 1 : 5} spellcheck="false" autocomplete="off"
            aria-describedby=${hint ? `${id}-hint` : "paste-hint"} .value=${desk.typed.value[key] ?? ""} @input=${set}></textarea>`
        : nothing
    }
    ${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : nothing}
  </div>`;
}

function files(words: ToolsText): TemplateResult {
  const status = desk.filed.value;
  const open = (event: Event) => {
    (event.currentTarget as Element).parentElement?.querySelector("input")?.click();
  };
  const chosen = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    desk.addFiles([...(input.files ?? [])]);
    input.value = "";
  };
  return html`<div class="drop-zone" role="group" aria-label=${words.dropTitle}>
      ${words.drop}
      <input type="file" multiple hidden accept=".npy,.npz,.safetensors,.gguf,.onnx,.json" @change=${chosen} />
      <button type="button" data-choose @click=${open}>${words.choose}</button>
      ${
        desk.found.value.length > 0
          ? html`<button type="button" data-forget @click=${desk.forget}>${words.forget}</button>`
          : nothing
      }
    </div>
    <div role="status" data-filed>${status && status.count > 0 ? html`<p class="note">${words.opened(status.count)}</p>` : nothing}</div>
    <div role="alert" data-unread>
      ${(status?.problems ?? []).map(
        (problem) => html`<p class="problem">${words.unreadable(problem.file)} ${unread(problem, language.value)}</p>`,
      )}
    </div>`;
}

function field(row: NumberRow, label: string): TemplateResult {
  return html`<div class="field">
    <label for="row-${row.name}">${label}</label>
    ${numberBox({
      id: `row-${row.name}`,
      value: row.value,
      limits: row.limits,
      set: (value) => {
        row.value = value;
      },
    })}
  </div>`;
}

/** The fields for the intended convention, as far as this kind has them. */
function plan(words: ToolsText): TemplateResult {
  const { fields } = words;
  const kind = state.kind.value;
  if (kind === "bias")
    return html`<div class="fields">${choices(state.expectedBias, fields.bias, [
      ["alibi", "ALiBi"],
      ["t5", "T5"],
    ])}</div>`;
  if (kind === "ids")
    return html`<div class="fields">${choices(
      state.expectedIds,
      fields.preset,
      idPresets.map((each) => [each, each] as const),
    )}</div>`;
  const hasPairs = kind !== "table";
  return html`<div class="fields">
    ${field(state.expectedDim, hasPairs ? fields.dim : fields.width)}
    ${hasPairs ? field(state.expectedRotated, fields.rotated) : nothing} ${field(state.expectedBase, fields.base)}
    ${
      kind === "rotation" || kind === "outputs"
        ? choices(state.expectedLayout, fields.layout, [
            ["half", words.layouts.half],
            ["interleaved", words.layouts.interleaved],
          ])
        : nothing
    }
  </div>`;
}

/** What the numbers do not show by themselves. */
function stated({ fields, none }: ToolsText): TemplateResult {
  const kind = state.kind.value;
  if (kind === "ids") return html``;
  const named = (list: readonly string[]) => list.map((each, at) => [each, at === 0 ? none : each] as const);
  return html`<div class="fields">
    ${choices(state.dtype, fields.dtype, named(dtypes) as never)}
    ${choices(state.quantized, fields.quantized, named(quantizations) as never)}
    ${kind === "rotation" || kind === "outputs" ? field(state.seqAxis, fields.seqAxis) : nothing}
  </div>`;
}

function expectation(words: ToolsText): TemplateResult {
  const { fields, expectations } = words;
  const kind = state.expectation.value;
  return html`<div class="controls">
      ${choices(
        state.expectation,
        words.expectation,
        (["none", "plan", "config"] as const).map((each) => [each, expectations[each]] as const),
      )}
    </div>
    ${kind === "plan" ? plan(words) : nothing}
    ${
      kind === "config"
        ? html`<div class="part">
            <label for="part-config">${words.parts.config}</label>
            <textarea id="part-config" class="numbers" rows="8" spellcheck="false" maxlength="8000"
              .value=${state.expectedConfig.value}
              @input=${(event: Event) => {
                const text = state.expectedConfig.parse((event.currentTarget as HTMLTextAreaElement).value);
                if (text !== undefined) state.expectedConfig.value = text;
              }}
            ></textarea>
            <div class="fields">
              ${field(state.expectedLayer, fields.layer)} ${field(state.expectedLength, fields.length)}
            </div>
          </div>`
        : nothing
    }`;
}

function ownNumbers(words: ToolsText): TemplateResult {
  const kind = state.kind.value;
  return html`<h3>${words.steps[1]}</h3>
    <div class="field kind">
      <label for="row-kind">${words.kind}</label>
      <select id="row-kind" .value=${kind}
        @change=${(event: Event) => {
          state.kind.value = state.kind.parse((event.currentTarget as HTMLSelectElement).value) ?? kind;
        }}
      >
        ${kinds.map((each) => html`<option value=${each} ?selected=${each === kind}>${words.kinds[each]}</option>`)}
      </select>
    </div>
    ${files(words)}
    <p class="hint" id="paste-hint">${words.paste}</p>
    <div class="parts">${slots[kind].map((slot) => partField(words, kind, slot))}</div>
    ${stated(words)} ${expectation(words)}
    <div class="controls">
      <button type="button" class="run" data-run @click=${desk.runOwn}>${words.run}</button>
    </div>`;
}

/** The numbers to diagnose: an example, or the reader's own. */
export function input(words: ToolsText): TemplateResult {
  const sample = state.sample.value;
  return html`<h3>${words.steps[0]}</h3>
    <div class="controls" @change=${desk.first}>
      ${choices(state.sample, words.sample, [
        ["own", words.own] as const,
        ...exampleNames.map((name) => [name, words.samples[name]] as const),
      ])}
    </div>
    ${sample === "own" ? ownNumbers(words) : html`<p class="story">${words.stories[sample]}</p>`}`;
}
