import { html } from "lit-html";
import type { Tensor } from "posenc";
import { coded } from "../../code/figure";
import { choices, moreSettings, numberMatrix, rowSlider, slider } from "../../controls";
import { figure } from "../../core/figure";
import { exactly, plain, rows } from "../../core/format";
import { reader, selection } from "../../core/page-state";
import { reset } from "../../core/state";
import { computationOf } from "./computation";
import { model, tokenCount } from "./model";
import { outputs, plane, wordOf } from "./plane";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";

type Text = typeof en;
const uses = Object.values(state);
const order = Array.from({ length: tokenCount }, (_, token) => token);

/** The largest change of an output that is rounding alone. */
const rounding = 1e-5;

const settings = (words: Text) =>
  moreSettings(
    [state.angles, state.tokens, state.weightQuery, state.weightKey, state.weightValue],
    html`${order.map((token) =>
      slider({
        id: `angle-${token}`,
        label: words.angle(token, wordOf(token)),
        value: state.angles.value[token],
        limits: state.angles.limits,
        span: [-180, 180],
        step: 1,
        unit: "°",
        set: (value) => {
          state.angles.value = state.angles.value.map((angle, at) => (at === token ? value : angle));
        },
      }),
    )}
      <div class="matrices">
        ${numberMatrix(state.tokens, words.tokens, 2, words.entry("x"))}
        ${numberMatrix(state.weightQuery, html`W<sub>q</sub>`, 2, words.entry("W_q"))}
        ${numberMatrix(state.weightKey, html`W<sub>k</sub>`, 2, words.entry("W_k"))}
        ${numberMatrix(state.weightValue, html`W<sub>v</sub>`, 2, words.entry("W_v"))}
      </div>
      <button type="button" data-tool="post" @click=${() => reset(uses)}>${words.toPost}</button>`,
  );

export const panel = figure({
  uses: [...uses, selection.position, reader.sentence],
  texts: { en, zh },
  model,
  draw(words, shown, { width }) {
    const isWide = width > 640;
    const size = isWide ? Math.min(400, (width - 32) / 2) : Math.min(300, width);
    return html`<div class="controls">
        ${choices(state.ropeValues, words.values, words.valueChoices)}
        ${rowSlider(state.shift, words.shift, { span: [-180, 180], step: 1, unit: "°", none: words.none })}
      </div>
      <div class="planes">
        <div class="plane-box"><p class="plane-title">${words.planeTitle}</p>${plane(shown, size, words)}</div>
        <div class="plane-box"><p class="plane-title">${words.outputs}</p>${outputs(shown, isWide ? size : 0.7 * size, words.outputs)}</div>
      </div>
      ${settings(words)}`;
  },
  rows(shown) {
    const line = (name: string, x: Tensor) =>
      rows(x.data, x.shape[1]).map((values, token) => [name, token, ...values.map(exactly)]);
    return [
      ["what", "token", "0", "1", "2"],
      ...line("Q", shown.query),
      ...line("K", shown.key),
      ...line("Q rotated", shown.rotatedQuery),
      ...line("K rotated", shown.rotatedKey),
      ...line("weights", shown.rotated.weights),
      ...line("output", shown.rotated.output),
    ];
  },
  drawing: ".planes svg",
  code: coded(computationOf),
  describe: (words, { drift, outputDrift }) =>
    words.describe({
      angles: state.angles.value.map((angle) => `${plain(angle)}°`),
      shift: state.shift.value,
      keepsWeights: drift < rounding,
      keepsOutputs: outputDrift < rounding,
    }),
});
