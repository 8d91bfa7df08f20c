import { html } from "lit-html";
import type { Posenc, Tensor } from "posenc";
import { coded } from "../../code/figure";
import { answerRow, choices, moreSettings, numberMatrix, question, rowSlider, slider } from "../../controls";
import { figure } from "../../core/figure";
import { exactly, fixed, plain, rows } from "../../core/format";
import { reader, selection } from "../../core/page-state";
import type { Question } from "../../core/panel";
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
`,
  );

const guess = answerRow("weights", "outputs", "both");

/** A question: what changes when a text moves on whose values are rotated, too? */
function asked(words: Text, pe: Posenc): Question {
  const { drift, outputDrift } = model(pe, 90, true);
  const changes = [drift > rounding && "weights", outputDrift > rounding && "outputs"].filter(Boolean);
  return {
    prompt: words.prompt,
    answers: Object.entries(words.answers),
    right: changes.length > 1 ? "both" : changes.join(),
    why: words.why(fixed(drift, 2), fixed(outputDrift, 2)),
  };
}

export const panel = figure({
  uses: [...uses, selection.position, reader.sentence, guess],
  texts: { en, zh },
  model: (pe) => model(pe),
  draw(words, shown, { pe, width }) {
    const isWide = width > 640;
    const size = isWide ? Math.min(400, Math.floor((width - 33) / 2)) : Math.min(300, width);
    return html`${question(guess, asked(words, pe))}
      <div class="controls">
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
  asks: asked,
  code: coded(computationOf),
  describe: (words, { drift, outputDrift }) =>
    words.describe({
      angles: state.angles.value.map((angle) => `${plain(angle)}°`),
      shift: state.shift.value,
      keepsWeights: drift < rounding,
      keepsOutputs: outputDrift < rounding,
    }),
});
