import { html, svg, type TemplateResult } from "lit-html";
import { coded } from "../../code/figure";
import { answerRow, choices, moreSettings, question, rowSlider } from "../../controls";
import { figure } from "../../core/figure";
import { fixed } from "../../core/format";
import { text } from "../../core/i18n";
import { selection } from "../../core/page-state";
import type { Question } from "../../core/panel";
import { put } from "../../core/state";
import { movedAlong, pointIn } from "../../draw/cursor";
import { short, shortened } from "../../draw/rounded";
import { computationOf } from "./computation";
import { drawing, height, pairAt } from "./drawing";
import { drawnRules, facts, type Model, model } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;

function picture(words: Text, shown: Model, width: number): TemplateResult {
  const press = (event: KeyboardEvent) => {
    const next = movedAlong(event, shown.chosen, shown.pairs.length);
    if (next !== undefined) put(selection.headPair, next);
  };
  const point = (event: PointerEvent) => {
    const at = pointIn(event);
    if (at) put(selection.headPair, pairAt(at.x, width, shown.pairs.length));
  };
  return html`${svg`<svg class="context-picture" role="slider" tabindex="0" aria-label=${words.picture} aria-valuemin="0"
    aria-valuemax=${shown.pairs.length - 1} aria-valuenow=${shown.chosen}
    aria-valuetext=${words.spoken(shown.chosen, short(shown.pairs[shown.chosen].slower))}
    width=${width} height=${height} viewBox="0 0 ${width} ${height}" @keydown=${press} @pointerdown=${point} @pointermove=${point}>
    ${drawing(shown, state.contextRule.value, width, words)}
  </svg>`}`;
}

const guess = answerRow(...drawnRules);

/** A question: which method was measured worst? */
function asked(words: Text, { measured: { at, stretch } }: Model): Question {
  return {
    prompt: words.prompt(stretch),
    answers: drawnRules.map((rule) => [rule, words.names[rule]]),
    right: drawnRules.reduce((worst, rule) => (at[rule] > at[worst] ? rule : worst)),
    why: words.why(drawnRules.map((rule) => `${words.names[rule]} ${fixed(at[rule], 1)}`).join(text.value.comma)),
  };
}

export const panel = figure({
  uses: [...Object.values(state), selection.headPair, guess],
  texts: { en, zh },
  model,
  draw(words, shown, { width }) {
    const { slower, rotations } = shown.pairs[shown.chosen];
    return html`${question(guess, asked(words, shown))}
      <div class="controls">
        ${choices(state.contextRule, words.rule, words.names)}
        ${rowSlider(state.contextFactor, words.factor, { scale: "log", span: [1, 32] })}
      </div>
      ${picture(words, shown, width)}
      <p class="equation">
        ${words.pairOf(shown.chosen)} ω / ω′ = <output data-slower>${shortened(slower)}</output>${text.value.comma}${words.rotations} <output data-rotations>${shortened(rotations)}</output>
      </p>
      ${moreSettings(
        [state.contextTrained, state.contextBase, state.contextPairs],
        html`${rowSlider(selection.headPair, words.pair, { id: "context-pair", last: shown.pairs.length - 1 })}
          ${rowSlider(state.contextTrained, words.trained, { scale: "log" })}
          ${rowSlider(state.contextBase, words.base, { scale: "log", span: [100, 1e7] })}
          ${rowSlider(state.contextPairs, words.pairs)}`,
      )}`;
  },
  *rows({ pairs }) {
    yield ["pair", "omega before", "omega after", "slower", "rotations in training length"];
    for (const [index, pair] of pairs.entries()) yield [index, pair.before, pair.after, pair.slower, pair.rotations];
  },
  drawing: ".context-picture",
  asks: (words, pe) => asked(words, model(pe)),
  code: coded(computationOf),
  describe: (words, shown) => words.describe({ rule: words.names[state.contextRule.value], ...facts(shown) }),
});
