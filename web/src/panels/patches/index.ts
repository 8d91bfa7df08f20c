import { html, type TemplateResult } from "lit-html";
import { coded } from "../../code/figure";
import { moreSettings, rowSlider } from "../../controls";
import { fullFigure } from "../../core/figure";
import { exactly, fixed, plain } from "../../core/format";
import { text } from "../../core/i18n";
import { moved } from "../../draw/cursor";
import { rounded } from "../../draw/rounded";
import { diverging } from "../../draw/shades";
import { computationOf } from "./computation";
import { grid } from "./grid";
import { type Similarity, similarity } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;
const three = (value: number) => fixed(value, 3);

function over(y: number, x: number): void {
  state.overY.value = y;
  state.overX.value = x;
}

function choose(y: number, x: number): void {
  state.patchY.value = y;
  state.patchX.value = x;
}

function press(event: KeyboardEvent, [row, column]: readonly [number, number]): void {
  const next = moved(event, { row, column }, state.patchRows.value, state.patchColumns.value);
  if (next) over(next.row, next.column);
  else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose(row, column);
  }
}

/** Shows the mean of cosines with its numbers: the first two and the last. */
function formula({ angles, scores, width, over: [y, x] }: Similarity): TemplateResult {
  const terms = angles.map((angle) => `cos ${angle < 0 ? `(${three(angle)})` : three(angle)}`);
  const shown = terms.length <= 4 ? terms : [...terms.slice(0, 2), "…", terms[terms.length - 1]];
  return html`(${shown.join(" + ")}) / ${terms.length} = <output data-similarity>${rounded(scores[y * width + x])}</output>`;
}

/** Shows how similarity falls: one column away, and at the farthest corner. */
function fallOff(words: Text, { scores, chosen: [y, x], height, width }: Similarity): TemplateResult {
  const near = scores[y * width + (x + 1 < width ? x + 1 : x - 1)];
  const far = scores[(2 * y < height ? height - 1 : 0) * width + (2 * x < width ? width - 1 : 0)];
  return words.fallOff(
    html`<output data-fall-off="near">${rounded(near)}</output>`,
    html`<output data-fall-off="far">${rounded(far)}</output>`,
  );
}

function readout(words: Text, shown: Similarity): TemplateResult {
  const { chosen, over: other } = shown;
  const { comma, colon } = text.value;
  return html`<div class="readout">
    <p class="equation" aria-live="polite">
      (${chosen.join(", ")}) · (${other.join(", ")})${comma}Δy = ${plain(other[0] - chosen[0])}${comma}Δx = ${plain(other[1] - chosen[1])}${colon}${formula(shown)}
    </p>
    <p class="note">${fallOff(words, shown)}</p>
  </div>`;
}

/** The two patches by number, and what is rotated. */
function settings(words: Text, { height, width }: Similarity): TemplateResult {
  return moreSettings(
    [state.patchRows, state.patchColumns, state.patchPairs, state.patchBase],
    html`${rowSlider(state.patchY, words.chosenRow, { last: height - 1 })}
      ${rowSlider(state.patchX, words.chosenColumn, { last: width - 1 })}
      ${rowSlider(state.overY, words.overRow, { last: height - 1 })}
      ${rowSlider(state.overX, words.overColumn, { last: width - 1 })}
      ${rowSlider(state.patchRows, words.rows)} ${rowSlider(state.patchColumns, words.columns)}
      ${rowSlider(state.patchPairs, words.pairs)}
      ${rowSlider(state.patchBase, words.base, { scale: "log", span: [2, 10000] })}`,
  );
}

export const panel = fullFigure({
  uses: Object.values(state),
  texts: { en, zh },
  model: similarity,
  draw(words, shown, { width }) {
    return html`<div class="patches">
        <div class="pick" tabindex="0" role="application" aria-roledescription=${words.roledescription}
          aria-label=${words.label} @keydown=${(event: KeyboardEvent) => press(event, shown.over)}>
          ${grid(shown, Math.min(540, width), diverging(1).colour, { over, choose })}
        </div>
        <div class="patch-side">${readout(words, shown)}</div>
      </div>
      ${settings(words, shown)}`;
  },
  *rows({ height, width, scores, chosen }) {
    yield ["row", "column", "chosen row", "chosen column", "similarity"];
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) yield [y, x, ...chosen, exactly(scores[y * width + x])];
  },
  drawing: ".patch-grid",
  code: coded(computationOf),
  describe(words, { height, width, chosen, scores }) {
    const own = chosen[0] * width + chosen[1];
    const others = [...scores].filter((_, cell) => cell !== own);
    return words.describe(height, width, chosen.join(", "), three(Math.min(...others)), three(Math.max(...others)));
  },
});
