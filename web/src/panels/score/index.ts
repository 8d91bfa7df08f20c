import { html, type TemplateResult } from "lit-html";
import type { Tensor } from "posenc";
import { coded } from "../../code/figure";
import { moreSettings, numberMatrix, player, rowSlider } from "../../controls";
import { playOnce } from "../../controls/self-play";
import { figure } from "../../core/figure";
import { exactly, fixed, plain, significant } from "../../core/format";
import { reset } from "../../core/state";
import { curvePlot } from "../../draw/curve";
import { rounded, roundedVector } from "../../draw/rounded";
import { computationOf } from "./computation";
import { drawing } from "./drawing";
import { type Model, model, reach } from "./model";
import { state } from "./state";
import { guess, swap } from "./swap";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;
const uses = Object.values(state);

const three = (value: number) => fixed(value, 3);
/** Writes a factor of a product: in brackets if it is negative. */
const factor = (value: number) => (value < 0 ? `(${three(value)})` : three(value));
const pair = (x: Tensor) => roundedVector(x.data);

/** Shows the score as the dot product of the rotated vectors, and by the formula for the difference of positions. */
function sums(words: Text, shown: Model): TemplateResult {
  const { rotatedQuery: q, rotatedKey: k, dot, cross, cosine, sine, score } = shown;
  const apart = (state.keyAt.value - state.queryAt.value) * state.planeAngle.value;
  return html`<div class="sums-by-hand">
    <p class="equation">
      q′ · k′ = ${factor(q.data[0])} × ${factor(k.data[0])} + ${factor(q.data[1])} × ${factor(k.data[1])} =
      <output data-score>${rounded(score)}</output>
    </p>
    <p class="equation">
      (q · k) cos Δ − (q × k) sin Δ = ${factor(dot)} × ${factor(cosine)} − ${factor(cross)} × ${factor(sine)},
      Δ = ${plain(apart)}°
    </p>
    <dl>
      <div><dt>q, q′</dt><dd>${pair(shown.query)} → <span data-rotated="q">${pair(q)}</span></dd></div>
      <div><dt>k, k′</dt><dd>${pair(shown.key)} → <span data-rotated="k">${pair(k)}</span></dd></div>
      <div>
        <dt>${words.rotation}</dt>
        <dd>q: ${plain(shown.positions[0])} → ${plain(shown.degrees[0])}°; k: ${plain(shown.positions[1])} → ${plain(shown.degrees[1])}°</dd>
      </div>
      <div><dt>${words.drift(2 * reach + 1)}</dt><dd data-score-drift>${significant(shown.drift, 3)}</dd></div>
      <div><dt>${words.shortened}</dt><dd data-shortened>${rounded(shown.shortened)}</dd></div>
    </dl>
  </div>`;
}

/** The curve of the score at every slide, which is level, and of the score when the key alone is slid. */
function trace(words: Text, shown: Model, width: number): TemplateResult {
  const { first, slid, keyAlone, most, score } = shown;
  const xs = slid.map((_, at) => first + at);
  const high = 1.05 * most || 1;
  return curvePlot({
    id: "score-trace",
    label: words.trace,
    x: { name: words.slideAxis, low: first, high: first + 2 * reach, whole: true },
    y: { name: words.scoreAxis, low: -high, high },
    xs,
    curves: [
      { name: words.together, values: slid },
      { name: words.keyAlone, values: keyAlone },
    ],
    chosen: state.slide.value - first,
    choose: (at) => {
      state.slide.value = xs[at];
    },
    spoken: words.spoken(plain(state.slide.value), three(score), three(keyAlone[state.slide.value - first])),
    width,
    height: 220,
  });
}

export const panel = figure({
  uses: [...uses, guess],
  texts: { en, zh },
  model,
  draw(words, shown, { width }) {
    const size = Math.min(480, width > 760 ? width * 0.46 : width);
    return html`<div class="rope">
        <div class="rope-drawing">${drawing(shown, size, words)}</div>
        <div class="controls">
          <div class="score-trace">${trace(words, shown, width > 760 ? width - size - 40 : width)}</div>
          ${rowSlider(state.slide, words.slide, { span: [-reach, reach], step: 1, none: words.none })}
          ${player(state.slide, words.slide, { span: [-reach, reach] })} ${sums(words, shown)}
        </div>
      </div>
      ${swap(words, shown)}
      ${moreSettings(
        [state.queryAt, state.keyAt, state.planeAngle, state.planeQuery, state.planeKey],
        html`${rowSlider(state.queryAt, words.queryAt, { span: [0, 36], step: 1 })}
          ${rowSlider(state.keyAt, words.keyAt, { span: [0, 36], step: 1 })}
          ${rowSlider(state.planeAngle, words.angle, { span: [-90, 90], step: 1, unit: "°" })}
          <div class="matrices">
            ${numberMatrix(state.planeQuery, "q", 2, words.entry("q"))} ${numberMatrix(state.planeKey, "k", 2, words.entry("k"))}
          </div>
          <button type="button" data-tool="post-score" @click=${() => reset(uses)}>${words.toPost}</button>`,
      )}`;
  },
  drawn: (element) => playOnce(element, ".score-plane", state.slide, [0, reach], 110),
  rows: ({ slid, first }) => [
    ["slide", "query position", "key position", "score"],
    ...slid.map((score, at) => [
      first + at,
      state.queryAt.value + first + at,
      state.keyAt.value + first + at,
      exactly(score),
    ]),
  ],
  drawing: ".score-plane, #score-trace",
  code: coded(computationOf),
  describe: (words, { positions, degrees, score }) =>
    words.describe(positions.map(plain), degrees.map(plain), three(score)),
});
