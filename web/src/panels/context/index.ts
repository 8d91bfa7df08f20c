import { html, type TemplateResult } from "lit-html";
import { coded } from "../../code/figure";
import { choices, moreSettings, rowSlider } from "../../controls";
import { figure } from "../../core/figure";
import { plain, significant } from "../../core/format";
import { selection } from "../../core/page-state";
import { shortened } from "../../draw/rounded";
import { waveChart } from "../../draw/wave-chart";
import { computationOf } from "./computation";
import { type Model, model } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";

type Text = typeof en;
const six = (value: number) => significant(value, 6);

function choose(pair: number): void {
  selection.headPair.value = pair;
}

/** Shows the formulas of the chosen pair with their numbers. */
function readout(words: Text, shown: Model): TemplateResult {
  const { before, after, waveBefore, waveAfter, rotations, stretch } = shown.pairs[shown.chosen];
  return html`<div class="readout" aria-live="polite">
    <p class="equation">
      λ = 2π / ω = 2π × ${plain(state.contextBase.value)}<sup>${2 * shown.chosen}/${shown.dim}</sup> =
      <output data-wave="before">${shortened(waveBefore)}</output>
    </p>
    <p class="equation">λ′ = 2π / ω′ = 2π / ${shortened(after)} = <output data-wave="after">${shortened(waveAfter)}</output></p>
    <dl>
      <div><dt>ω → ω′</dt><dd>${shortened(before)} → <span data-omega-after>${shortened(after)}</span></dd></div>
      <div><dt>${words.stretch}</dt><dd data-stretch>${shortened(before)} / ${shortened(after)} = ${shortened(stretch)}</dd></div>
      <div><dt>${words.rotations}</dt><dd data-rotations>${plain(shown.trained)} / ${shortened(waveBefore)} = ${shortened(rotations)}</dd></div>
      <div><dt>${words.surprised(six(shown.reach))}</dt><dd data-surprised>${shown.surprised}</dd></div>
      <div><dt>${words.attentionFactor}</dt><dd data-attention-factor>${shortened(shown.attentionFactor)}</dd></div>
    </dl>
    <p class="note">${words.rules[state.contextRule.value]}</p>
  </div>`;
}

export const panel = figure({
  uses: [...Object.values(state), selection.headPair],
  texts: { en, zh },
  model,
  draw: (words, shown, { width: available }) => html`<div class="controls">
      <div class="choice-row">${choices(state.contextRule, words.rule, words.names)}</div>
    </div>
    <div class="beside">
      <div>${waveChart(
        {
          before: shown.pairs.map(({ waveBefore }) => waveBefore),
          after: shown.pairs.map(({ waveAfter }) => waveAfter),
          lengths: [
            { name: words.trainedLine(plain(shown.trained)), value: shown.trained },
            ...(state.contextFactor.value > 1.5
              ? [{ name: words.reachLine(six(shown.reach)), value: shown.reach }]
              : []),
          ],
          others: shown.others.map(({ rule, waves }) => ({ name: words.names[rule], values: waves })),
          shaded: { name: words.unseen(six(shown.reach)), ...shown.unseen },
          chosen: shown.chosen,
          words: { ...words.chart, after: words.afterRule(words.names[state.contextRule.value]) },
          choose,
        },
        available > 860 ? Math.round(0.56 * available) : available,
      )}</div>
      <div>
        <div class="controls">
          ${rowSlider(state.contextFactor, words.factor, { scale: "log" })}
          ${rowSlider(selection.headPair, words.chart.pair, { id: "context-pair", last: shown.pairs.length - 1 })}
        </div>
        ${readout(words, shown)}
      </div>
    </div>
    ${moreSettings(
      [state.contextTrained, state.contextBase, state.contextPairs],
      html`${rowSlider(state.contextTrained, words.trained, { scale: "log" })}
        ${rowSlider(state.contextBase, words.base, { scale: "log", span: [100, 1e7] })}
        ${rowSlider(state.contextPairs, words.pairs)}`,
    )}`,
  *rows({ pairs }) {
    yield [
      "pair",
      "omega before",
      "omega after",
      "wavelength before",
      "wavelength after",
      "rotations in training length",
    ];
    for (const [index, pair] of pairs.entries())
      yield [index, pair.before, pair.after, pair.waveBefore, pair.waveAfter, pair.rotations];
  },
  drawing: ".wave-chart",
  code: coded(computationOf),
  describe: (words, shown) =>
    words.describe(
      words.names[state.contextRule.value],
      shown.pairs.length,
      shown.unfinished,
      plain(shown.trained),
      shown.surprised,
      six(shown.reach),
    ),
});
