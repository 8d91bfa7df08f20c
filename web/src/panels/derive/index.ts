import { html, svg, type TemplateResult } from "lit-html";
import { coded } from "../../code/figure";
import { answerRow, choices, moreSettings, numberMatrix, question, rowSlider } from "../../controls";
import { figure } from "../../core/figure";
import { exactly, fixed, plain } from "../../core/format";
import type { Question } from "../../core/panel";
import { put } from "../../core/state";
import { movedAlong, pointIn } from "../../draw/cursor";
import { computationOf } from "./computation";
import { distanceAt, drawing, layoutOf } from "./drawing";
import { found, type Model, model, rounding, ruleNames } from "./model";
import { count, farthest, state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;

const guess = answerRow(...ruleNames);

function picture(words: Text, shown: Model, width: number): TemplateResult {
  const { height } = layoutOf(width);
  const press = (event: KeyboardEvent) => {
    const next = movedAlong(event, shown.m - shown.n, farthest + 1);
    if (next !== undefined) put(state.deriveBack, next);
  };
  const point = (event: PointerEvent) => {
    const at = pointIn(event);
    if (at && at.y > layoutOf(width).area.top - 20) put(state.deriveBack, distanceAt(width, at.x));
  };
  return html`${svg`<svg class="derive-picture" role="slider" tabindex="0" aria-label=${words.picture} aria-valuemin="0"
    aria-valuemax=${farthest} aria-valuenow=${shown.m - shown.n} aria-valuetext=${words.found(found(shown))}
    width=${width} height=${height} viewBox="0 0 ${width} ${height}" @keydown=${press} @pointerdown=${point}>
    ${drawing(shown, shown.rules[state.deriveRule.value], width, words)}
  </svg>`}`;
}

/** A question: which rule gives all pairs of one distance the same score? */
function asked(words: Text, { rules }: Model): Question {
  const [right = ""] = ruleNames.filter((rule) => rules[rule].spread < rounding);
  return {
    prompt: words.prompt,
    answers: ruleNames.map((rule) => [rule, words.answers[rule]]),
    right,
    why: words.why(Object.fromEntries(ruleNames.map((rule) => [rule, fixed(rules[rule].spread, 2)]))),
  };
}

export const panel = figure({
  uses: [...Object.values(state), guess],
  texts: { en, zh },
  model,
  draw: (words, shown, { width }) => html`${question(guess, asked(words, shown))}
    <div class="controls">
      ${choices(state.deriveRule, words.rule, words.rules)}
      ${rowSlider(state.queryAt, words.slide, { span: [state.deriveBack.value, count - 1] })}
    </div>
    ${picture(words, shown, width)}
    ${moreSettings(
      [state.deriveBack, state.planeAngle, state.planeQuery, state.planeKey],
      html`${rowSlider(state.deriveBack, words.distance)}
        ${rowSlider(state.planeAngle, words.angle, { span: [-90, 90], step: 1, unit: "°" })}
        <div class="matrices">
          ${numberMatrix(state.planeQuery, "q", 2, words.entry("q"))} ${numberMatrix(state.planeKey, "k", 2, words.entry("k"))}
        </div>`,
    )}`,
  *rows({ rules }) {
    yield ["distance", "query at", "key at", ...ruleNames.map((rule) => `score: ${rule}`)];
    for (const [distance, scores] of rules.add.scores.entries())
      for (const n of scores.keys())
        yield [distance, n + distance, n, ...ruleNames.map((rule) => exactly(rules[rule].scores[distance][n]))];
  },
  drawing: ".derive-picture",
  asks: (words, pe) => asked(words, model(pe)),
  code: coded(computationOf),
  describe: (words, shown) =>
    words.describe(words.rules[state.deriveRule.value], words.found(found(shown)), plain(shown.m), plain(shown.n)),
});
