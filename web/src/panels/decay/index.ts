import { html, nothing, type TemplateResult } from "lit-html";
import { coded } from "../../code/figure";
import { choices, moreSettings, rowSlider } from "../../controls";
import { fullFigure } from "../../core/figure";
import { brief, fixed, plain } from "../../core/format";
import { text } from "../../core/i18n";
import { put } from "../../core/state";
import { curvePlot } from "../../draw/curve";
import { computationOf } from "./computation";
import { type Model, model } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";

type Text = typeof en;

const digits = (value: number) => fixed(value, 3);

/** The score at the chosen distance, for each base. */
const scores = ({ decays, chosen }: Model) =>
  decays.map(({ base, score }) => [plain(base), digits(score[chosen])] as const);

function plot(words: Text, shown: Model, width: number): TemplateResult {
  const { distances, decays, chosen } = shown;
  const all = decays.flatMap(({ score }) => Array.from(score));
  return html`${curvePlot({
    id: "decay-score",
    label: words.canvas,
    x: { name: words.distanceAxis, low: 1, high: distances[distances.length - 1], log: true, format: brief },
    y: { name: words.score, low: Math.min(0, 1.05 * Math.min(...all)), high: Math.max(0.05, 1.05 * Math.max(...all)) },
    xs: distances,
    curves: decays.map(({ base, score, mean }) => ({ name: words.curve(plain(base)), values: mean, detail: score })),
    chosen,
    choose: (at) => put(state.decayDistance, distances[at]),
    spoken: `m = ${distances[chosen]}${text.value.colon}${scores(shown)
      .map(([base, score]) => `${words.curve(base)} ${score}`)
      .join(text.value.semicolon)}`,
    width,
    height: 320,
  })}`;
}

export const panel = fullFigure({
  uses: Object.values(state),
  texts: { en, zh },
  model,
  draw: (words, shown, { width }) => html`<div class="controls">
      ${choices(state.decayVectors, words.vectors, words.kinds)}
      ${rowSlider(state.decayDistance, words.distance, { scale: "log", span: [1, state.decayReach.value] })}
    </div>
    ${plot(words, shown, width)}
    ${moreSettings(
      [state.decayPairs, state.decayReach, state.decayBase, state.decayOtherBase, state.decaySeed],
      html`${rowSlider(state.decayPairs, words.pairs)} ${rowSlider(state.decayReach, words.reach, { scale: "log" })}
        ${rowSlider(state.decayBase, words.base, { scale: "log", span: [10, 1e7] })}
        ${rowSlider(state.decayOtherBase, words.otherBase, { scale: "log", span: [10, 1e7] })}
        ${state.decayVectors.value === "ones" ? nothing : rowSlider(state.decaySeed, words.seed, { span: [0, 100] })}`,
    )}`,
  rows: ({ distances, decays }) => [
    ["distance", ...decays.map(({ base }) => `score, base ${base}`)],
    ...distances.map((distance, at) => [distance, ...decays.map(({ score }) => score[at])]),
  ],
  drawing: "#decay-score",
  code: coded(computationOf),
  describe: (words, shown) => words.describe(String(shown.distances[shown.chosen]), scores(shown)),
});
