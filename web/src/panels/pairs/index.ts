import { html, type TemplateResult } from "lit-html";
import { coded } from "../../code/figure";
import { choices, moreSettings, numberMatrix, rowSlider } from "../../controls";
import { fullFigure } from "../../core/figure";
import { exactly, plain } from "../../core/format";
import { selection } from "../../core/page-state";
import { put } from "../../core/state";
import { moved } from "../../draw/cursor";
import { short, shortened } from "../../draw/rounded";
import { computationOf } from "./computation";
import { arrow, drawing } from "./drawing";
import { type Model, model } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;
const uses = [...Object.values(state), selection.pair];

/** The positions with the look of their arrows: one is chosen. */
function chips(words: Text, { positions, chosen }: Model): TemplateResult {
  return html`<fieldset class="choices position-chips">
    <legend>${words.which}</legend>
    <div class="segments">
      ${positions.map(
        (position, at) => html`<label>
          <input
            type="radio"
            name="row-pairAt"
            value=${at}
            .checked=${chosen.at === at}
            @change=${() => put(state.pairAt, at)}
          /><span>
            <svg width="30" height="12" viewBox="0 0 30 12" aria-hidden="true">${arrow(at, [
              [1, 6],
              [28, 6],
            ])}</svg>
            ${plain(position)}</span
          >
        </label>`,
      )}
    </div>
  </fieldset>`;
}

function choose(pair: number, at: number): void {
  selection.pair.value = pair;
  state.pairAt.value = at;
}

function press(event: KeyboardEvent): void {
  const from = { row: state.pairAt.value, column: Math.min(selection.pair.value, state.pairCount.value - 1) };
  const next = moved(event, from, state.pairPositions.value.length, state.pairCount.value);
  if (next) choose(next.column, next.row);
}

/** Shows the formula of the chosen pair at the chosen position with its numbers. */
function readout(shown: Model): TemplateResult {
  const { pair: index, at } = shown.chosen;
  const { omega, degrees } = shown.pairs[index];
  const position = shown.positions[at];
  return html`<div class="readout" aria-live="polite">
    <p class="equation">
      θ = ${plain(position)} / ${plain(state.pairBase.value)}<sup>${2 * index}/${shown.dim}</sup> =
      ${plain(position)} × ${shortened(omega)} = <output data-degrees>${shortened(position * degrees)}°</output>
    </p>
  </div>`;
}

const settings = (words: Text) =>
  moreSettings(
    [state.pairCount, state.pairPositions, state.pairValue, state.pairBase, state.pairLayout],
    html`${rowSlider(state.pairCount, words.count)}
      ${rowSlider(state.pairValue, words.value, { span: [-10, 10], step: 0.5 })}
      ${rowSlider(state.pairBase, words.base, { scale: "log", span: [1, 1e6] })}
      ${choices(state.pairLayout, words.layout, words.layouts)}
      <div class="matrices">${numberMatrix(state.pairPositions, words.positions, 5, words.position)}</div>`,
  );

export const panel = fullFigure({
  uses,
  texts: { en, zh },
  model,
  draw: (words, shown, { width }) => html`<div class="pick" tabindex="0" role="application"
      aria-roledescription=${words.roledescription} aria-label=${words.planes} @keydown=${press}>
      ${drawing(shown, width, (pair) => words.title(pair.dims), choose)}
    </div>
    <div class="controls">
      ${chips(words, shown)}
      ${rowSlider(selection.pair, words.pair, { id: "pairs-pair", last: shown.pairs.length - 1 })}
    </div>
    ${readout(shown)} ${settings(words)}`,
  *rows({ pairs, positions }) {
    yield ["pair", "dimension a", "dimension b", "radians a position", "position", "degrees", "a", "b"];
    for (const [index, pair] of pairs.entries())
      for (const [at, position] of positions.entries())
        yield [index, ...pair.dims, pair.omega, position, position * pair.degrees, ...pair.values[at].map(exactly)];
  },
  drawing: ".pair-planes",
  code: coded(computationOf),
  describe: (words, { dim, positions, pairs }) =>
    words.describe(
      dim,
      positions.map(plain),
      plain(state.pairValue.value),
      short(pairs[0].degrees),
      short(pairs[pairs.length - 1].degrees),
    ),
});
