import { html, type TemplateResult } from "lit-html";
import type { Tensor } from "posenc";
import { coded } from "../../code/figure";
import { choices, moreSettings, numberMatrix, rowSlider, slider } from "../../controls";
import { figure } from "../../core/figure";
import { exactly, fixed, plain, rows, significant } from "../../core/format";
import { text } from "../../core/i18n";
import { reader, selection } from "../../core/page-state";
import { reset } from "../../core/state";
import { computationOf } from "./computation";
import { type Model, model, tokenCount } from "./model";
import { chosenToken, plane, wordOf } from "./plane";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;
const digits = 3;
const uses = Object.values(state);
/** Names a token by its number and, where the sentence has one, its word. */
const named = (token: number, letter = "") =>
  html`<span class=${token === chosenToken() ? "chosen-token-name" : ""}>${letter}${token} <span class="token-name">${wordOf(token)}</span></span>`;
const order = Array.from({ length: tokenCount }, (_, token) => token);

const pair = (x: Tensor, token: number) =>
  html`<span class="vector">[${rows(x.data, 2)
    [token].map((value) => fixed(value, digits))
    .join(", ")}]</span>`;

function attention(words: Text, title: string, kind: string, result: Model["rotated"]): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
    <table class="attention" data-attention=${kind}>
      <caption>${title}</caption>
      <thead>
        <tr>
          <td></td>
          ${order.map((token) => html`<th scope="col">${named(token, "K")}</th>`)}
          <th scope="col" class="first">${words.output}</th>
        </tr>
      </thead>
      <tbody>
        ${order.map(
          (token) => html`<tr>
            <th scope="row">${named(token, "Q")}</th>
            ${rows(result.weights.data, tokenCount)[token].map(
              (weight) => html`<td class="weight" data-weight>${fixed(weight, digits)}</td>`,
            )}
            <td class="first" data-output>${pair(result.output, token)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function controls(words: Text, { drift, outputDrift }: Model): TemplateResult {
  const { gap, semicolon } = text.value;
  return html`<div class="controls">
    ${choices(state.ropeValues, words.values, words.valueChoices)}
    ${order.map((token) =>
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
    ${rowSlider(state.shift, words.shift, { span: [-180, 180], step: 1, unit: "°", none: words.none })}
    <p class="drift">
      ${state.shift.value === 0 ? words.noShift : html`${words.drift}${gap}<output data-drift>${significant(drift, 3)}</output>${semicolon}${words.outputDrift}${gap}<output data-output-drift>${significant(outputDrift, 3)}</output>`}
    </p>
  </div>`;
}

const settings = (words: Text) =>
  moreSettings(
    [state.tokens, state.weightQuery, state.weightKey, state.weightValue],
    html`<div class="matrices">
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
  draw: (words, shown, { width }) => html`<div class="rope">
      <div class="rope-drawing">
        ${plane(shown, Math.min(520, width > 760 ? width * 0.52 : width), words)}
        <ul class="legend">
          ${(["q", "k"] as const).map((kind) =>
            (["before", "after"] as const).map(
              (when) => html`<li>
                <svg width="46" height="14" viewBox="0 0 46 14" aria-hidden="true" class="arrow ${kind} ${when}">
                  <line x1="1" y1="7" x2="44" y2="7" marker-end="url(#tip-${kind}-${when})" /></svg
                >${words.legend[kind][when]}
              </li>`,
            ),
          )}
        </ul>
      </div>
      <div>
        ${controls(words, shown)}
        <div class="tables">
          ${attention(words, words.withRotation, "rotated", shown.rotated)}
          ${attention(words, words.withoutRotation, "plain", shown.plain)}
        </div>
      </div>
    </div>
    ${settings(words)}`,
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
      ...line("weights without rotation", shown.plain.weights),
      ...line("output without rotation", shown.plain.output),
    ];
  },
  drawing: ".rope-plane",
  code: coded(computationOf),
  describe: (words) =>
    words.describe(
      state.angles.value.map((angle) => `${plain(angle)}°`),
      state.shift.value,
    ),
});
