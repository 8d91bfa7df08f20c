import { batch } from "@preact/signals-core";
import { html, type TemplateResult } from "lit-html";
import { choices, moreSettings, rowSlider } from "../../controls";
import { page } from "../../core/page-state";
import type { Encoding } from "./encoding";
import { state } from "./state";
import type { en } from "./text.en";

/** Choosing an implementation resets order and exponent: its own are in force. */
function followPreset(): void {
  batch(() => {
    state.order.value = "";
    state.exponent.value = "";
    state.exponentShift.value = "";
  });
}

/** The controls below the picture. */
export function controls(words: typeof en): TemplateResult {
  return html`<div class="controls">
    ${rowSlider(state.length, words.length, { scale: "log" })} ${rowSlider(state.dim, words.dim, { scale: "log" })}
    ${rowSlider(state.base, words.base, { scale: "log", span: [1, 1e6] })}
  </div>`;
}

const presets = {
  paper: "",
  tensor2tensor: "tensor2tensor",
  whisper: "Whisper",
  diffusers: "diffusers",
  ggml: "ggml",
  mlx: "MLX",
};

const folded = [
  state.preset,
  state.order,
  state.exponent,
  state.exponentShift,
  state.timeScale,
  state.offset,
  page.palette,
];

/** The settings after all else; `options` are those that are fetched later. */
export function settings(words: typeof en, { plan }: Encoding, options: TemplateResult): TemplateResult {
  return moreSettings(
    folded,
    html`<div class="choice-row" @change=${followPreset}>
        ${choices(state.preset, words.preset, { ...presets, paper: words.thePaper })}
      </div>
      <div class="choice-row">
        ${choices(state.order, words.order, words.orders, plan.value.order)}
        ${choices(page.palette, words.palette, words.palettes)}
      </div>
      ${options}`,
  );
}
