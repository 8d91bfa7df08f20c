import { batch } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
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

/** The settings after all else. */
export function settings(words: typeof en, { plan }: Encoding): TemplateResult {
  const { order, exponent, shift } = plan.value;
  return moreSettings(
    folded,
    html`<div class="choice-row" @change=${followPreset}>
        ${choices(state.preset, words.preset, { ...presets, paper: words.thePaper })}
      </div>
      <div class="choice-row">
        ${choices(state.order, words.order, words.orders, order)}
        ${choices(page.palette, words.palette, words.palettes)}
      </div>
      ${rowSlider(state.offset, words.offset, { span: [-4096, 4096], step: 1 })}
      ${rowSlider(state.timeScale, words.timeScale, { scale: "log" })}
      ${choices(state.exponent, words.exponent, words.exponents, exponent)}
      ${exponent === "half" ? choices(state.exponentShift, "s", { 0: "0", 1: "1" }, String(shift) as "0" | "1") : nothing}
      <p class="hint">${words.hint}</p>`,
  );
}
