import { html, nothing, type TemplateResult } from "lit-html";
import type { EngineSettings, KeyCache, SettingsTarget } from "posenc/engines";
import type { PosencFull } from "posenc/full";
import { choices, rowSlider } from "../../controls";
import { plain } from "../../core/format";
import { scrollTable } from "../../draw/table";
import { engines, spoken } from "./library";
import { six } from "./model";
import { state } from "./state";
import type { Text } from "./text.en";

type LibraryModel = ReturnType<PosencFull["model"]>;

const names: { readonly [target in SettingsTarget]: string } = {
  "llama.cpp": "llama.cpp",
  vllm: "vLLM",
  sglang: "SGLang",
  transformers: "transformers 5",
  "transformers-4": "transformers 4",
  mlx: "mlx-lm",
  onnx: "ONNX",
  candle: "candle",
};

const block = (label: string, text: string) =>
  html`<p class="note">${label}</p><pre class="given" tabindex="0" role="region" aria-label=${label}><code>${text}</code></pre>`;

/** An argument as a shell takes it. */
const quoted = (argument: string) =>
  /^[\w./:=,+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

/** Returns what is to be pasted, and what is left. */
function given(words: Text["engines"], made: EngineSettings): TemplateResult {
  const { status, keys, flags, isGguf, departures, version, change } = made;
  const { rule, factor, originalLength, length } = change ?? {};
  return html`<p data-engine-status=${status}>${words.status[status]} <span class="note">(${version})</span></p>
    ${
      rule && rule !== "none" && rule !== "not known" && factor
        ? html`<p class="note" data-engine-rule>${words.rule(plain(length ?? 0), rule, six(factor), originalLength ? plain(originalLength) : "")}</p>`
        : nothing
    }
    ${flags.length > 0 ? block(words.flags, flags.map(quoted).join(" ")) : nothing}
    ${Object.keys(keys).length > 0 ? block(isGguf ? words.gguf : words.config, JSON.stringify(keys, null, 2)) : nothing}
    ${
      departures.length > 0
        ? html`<h4>${words.departs}</h4>
          <ul class="findings" data-engine-departures>${departures.map(
            ({ note, source, path }) =>
              html`<li>${note} <code>${path ?? ""}</code> <code>${source.project} ${source.version}, ${source.file}</code></li>`,
          )}</ul>`
        : nothing
    }`;
}

function cacheTable(words: Text["engines"], { layers, bytes, missing }: KeyCache, length: number): TemplateResult {
  if (missing !== null) return html`<p class="note">${words.missing(missing)}</p>`;
  return html`${scrollTable(
    words.cache,
    words.cacheColumns,
    layers.map(
      ({ layers: places, kind, bytesPerToken, most }) => html`<tr>
        <th scope="row">${places}</th>
        <td>${words.kinds[kind]}</td>
        <td>${plain(bytesPerToken)}</td>
        <td>${most === null ? "–" : plain(most)}</td>
      </tr>`,
    ),
  )}
  <p class="note" data-cache-bytes>${words.total(plain(length), bytes ?? 0)}</p>`;
}

/** The choice of an engine, and what it is given to do what the model does. */
export function engineSettings(words: Text["engines"], model: LibraryModel): TemplateResult {
  const target = state.configEngine.value;
  const length = state.configTokens.value;
  const shown =
    target === "none"
      ? nothing
      : html`<div data-engine=${target}>
          ${given(words, engines.settings(model, { for: target, length, language: spoken.value }))}
          ${cacheTable(words, engines.keyCache(model, { length }), length)}
        </div>`;
  return html`<h3>${words.title}</h3>
    <div class="controls">
      ${choices(state.configEngine, words.engine, { none: words.none, ...names })}
      ${target === "none" ? nothing : rowSlider(state.configTokens, words.tokens, { scale: "log" })}
    </div>
    ${shown}`;
}
