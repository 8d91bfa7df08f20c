import { html, nothing, type TemplateResult } from "lit-html";
import { coded } from "../../code/figure";
import { choices, moreSettings, rowSlider } from "../../controls";
import { fullFigure } from "../../core/figure";
import { brief, fixed, plain } from "../../core/format";
import { text } from "../../core/i18n";
import { curvePlot } from "../../draw/curve";
import { rounded } from "../../draw/rounded";
import { computationOf } from "./computation";
import { envelope } from "./envelope";
import { type Decay, type Model, model, rises } from "./model";
import { state } from "./state";
import { strip } from "./strip";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;
type Quantity = "bound" | "score";

const digits = (value: number) => fixed(value, 3);

/** Writes the formulas of the chosen distance with their numbers. */
function formulas(shown: Model, { base }: Decay): Record<Quantity, string> {
  const distance = shown.distances[shown.chosen];
  const pairs = shown.dim / 2;
  const angle = (index: string) => `${distance} / ${plain(base)}^(2${index}/${shown.dim})`;
  return {
    bound: `Σ_(j=1…${pairs}) |Σ_(l<j) e^(i · ${angle("l")})| / ${(pairs * (pairs + 1)) / 2}`,
    score:
      state.decayVectors.value === "ones"
        ? `2/${shown.dim} · Σ cos(${angle("i")}), i = 0 … ${pairs - 1}`
        : `q · R(${distance}) k / (|q| |k|)`,
  };
}

const spoken = (shown: Model, quantity: Quantity) =>
  `m = ${shown.distances[shown.chosen]}${text.value.colon}${shown.decays
    .map((decay) => `${formulas(shown, decay)[quantity]} = ${digits(decay[quantity][shown.chosen])}`)
    .join(text.value.semicolon)}`;

function plot(words: Text, shown: Model, quantity: Quantity, width: number): TemplateResult {
  const { distances, decays, chosen } = shown;
  const all = decays.flatMap((decay) => Array.from(decay[quantity]));
  const title = quantity === "bound" ? words.boundTitle : words.scoreTitle;
  const x = { name: words.distanceAxis, low: 1, high: distances[distances.length - 1], log: true, format: brief };
  return html`<div class="plane-box">
    <h3>${title}</h3>
    ${curvePlot({
      id: `decay-${quantity}`,
      label: `${title}. ${words.canvas}`,
      x,
      y: {
        name: words[quantity],
        low: Math.min(0, 1.05 * Math.min(...all)),
        high: Math.max(0.05, 1.05 * Math.max(...all)),
      },
      xs: distances,
      curves: decays.map((decay) => {
        const { low, high, mean } = envelope(distances, decay[quantity]);
        const detail = { values: decay[quantity], low, high };
        return { name: words.curve(plain(decay.base)), values: mean, detail };
      }),
      chosen,
      choose: (at) => {
        state.decayDistance.value = distances[at];
      },
      spoken: spoken(shown, quantity),
      width,
      height: 260,
    })}
    ${strip({ id: `decay-${quantity}-rises`, label: words.riseStrip, x, distances, decays, quantity, width })}
  </div>`;
}

/** The table of both curves for both bases: their values at the chosen distance, and how often they rise. */
function numbers(words: Text, shown: Model): TemplateResult {
  const { decays, chosen, distances } = shown;
  const column = (decay: Decay, quantity: Quantity) => {
    const places = distances.map((_, at) => at).filter((at) => rises(decay[quantity], at));
    const first = places.length > 0 ? `${distances[places[0] - 1]} → ${distances[places[0]]}` : words.never;
    return {
      value: rounded(decay[quantity][chosen]),
      first,
      count: words.risesOf(places.length, distances.length - 1),
    };
  };
  return html`<table class="decay-numbers">
    <caption>${words.atDistance(String(distances[chosen]))}</caption>
    <thead>
      <tr>
        <th scope="col">${words.line}</th>
        <th scope="col">${words.value}</th>
        <th scope="col">${words.firstRise}</th>
        <th scope="col">${words.rises}</th>
      </tr>
    </thead>
    <tbody>
      ${(["score", "bound"] as const).flatMap((quantity) =>
        decays.map((decay, which) => {
          const { value, first, count } = column(decay, quantity);
          return html`<tr data-quantity="${quantity}-${which}">
            <th scope="row">${words[quantity]}${text.value.comma}${words.curve(plain(decay.base))}</th>
            <td class="weight" data-value>${value}</td>
            <td data-first>${first}</td>
            <td data-rises>${count}</td>
          </tr>`;
        }),
      )}
    </tbody>
  </table>`;
}

export const panel = fullFigure({
  uses: Object.values(state),
  texts: { en, zh },
  model,
  draw(words, shown, { width: available }) {
    const width = available > 860 ? Math.round(0.56 * available) : available;
    return html`<div class="decay beside">
        ${plot(words, shown, "score", width)}
        <div>
          <div class="controls">
            ${rowSlider(state.decayDistance, words.distance, { scale: "log", span: [1, state.decayReach.value] })}
            ${choices(state.decayVectors, words.vectors, words.kinds)}
            ${state.decayVectors.value === "ones" ? nothing : rowSlider(state.decaySeed, words.seed, { span: [0, 100] })}
          </div>
          ${numbers(words, shown)}
        </div>
        ${plot(words, shown, "bound", width)}
        <p class="hint">${words.lines}</p>
      </div>
      ${moreSettings(
        [state.decayPairs, state.decayReach, state.decayBase, state.decayOtherBase],
        html`${rowSlider(state.decayPairs, words.pairs)} ${rowSlider(state.decayReach, words.reach, { scale: "log" })}
          ${rowSlider(state.decayBase, words.base, { scale: "log", span: [10, 1e7] })}
          ${rowSlider(state.decayOtherBase, words.otherBase, { scale: "log", span: [10, 1e7] })}`,
      )}`;
  },
  rows: ({ distances, decays }) => [
    ["distance", ...decays.flatMap(({ base }) => [`bound, base ${base}`, `score, base ${base}`])],
    ...distances.map((distance, at) => [distance, ...decays.flatMap(({ bound, score }) => [bound[at], score[at]])]),
  ],
  drawing: ".plane-box .curve-plot",
  code: coded(computationOf),
  describe: (words, shown) =>
    words.describe({
      dims: shown.dim,
      reach: String(shown.distances[shown.distances.length - 1]),
      bases: shown.decays.map(({ base }) => plain(base)),
      vectors: words.kinds[state.decayVectors.value],
      distance: String(shown.distances[shown.chosen]),
      scores: shown.decays.map(({ base, score }) => [plain(base), digits(score[shown.chosen])]),
    }),
});
