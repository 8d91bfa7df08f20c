import { html, nothing, svg, type TemplateResult } from "lit-html";
import { choices } from "../../controls";
import { fullFigure } from "../../core/figure";
import { chart, mark } from "./drawing";
import { type Layer, model, type Published, sharesOf } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;

/** The marks that the legend explains. */
const marks: Readonly<Record<keyof Text["marks"], Layer>> = {
  rotates: { does: "rotates", share: 1, isNarrow: false },
  part: { does: "rotates", share: 0.33, isNarrow: false },
  none: { does: "none", share: 0, isNarrow: false },
  recurrent: { does: "recurrent", share: 0, isNarrow: false },
  bias: { does: "bias", share: 0, isNarrow: false },
  added: { does: "added", share: 0, isNarrow: false },
};

const legend = (words: Text): TemplateResult => html`<ul class="legend choose-legend">
  ${(Object.keys(marks) as (keyof typeof marks)[]).map(
    (name) => html`<li>
      ${svg`<svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">${mark(marks[name], 0.5, 7)}</svg>`}${words.marks[name]}
    </li>`,
  )}
</ul>`;

/** What builders choose for a purpose, and why. */
function advice(words: Text): TemplateResult | typeof nothing {
  const purpose = state.chooseFor.value;
  if (purpose === "all") return nothing;
  const [use, why] = words.advice[purpose];
  return html`<p class="advice" role="status"><strong>${use}</strong> ${why}</p>`;
}

const count = ({ layers }: Published, what: Layer["does"]) => layers.filter(({ does }) => does === what).length;

/** The numbers of a model in the file. */
const columns: Readonly<Record<string, (one: Published) => string | number>> = {
  year: ({ year }) => year,
  model: ({ name }) => name,
  encoding: ({ encoding }) => encoding,
  layers: ({ layers }) => layers.length,
  "that rotate": (one) => count(one, "rotates"),
  "without positions": (one) => count(one, "none"),
  recurrent: (one) => count(one, "recurrent"),
  "share of a head": (one) => sharesOf(one).join(" / "),
  base: ({ bases }) => bases.join(" / "),
  rule: ({ rules }) => rules.join(" / "),
  window: ({ windows }) => windows.join(" / "),
  context: ({ context }) => context ?? "",
};

export const panel = fullFigure({
  uses: Object.values(state),
  texts: { en, zh },
  model,
  draw: (words, { all, chosen }, { width }) => html`<div class="controls">
      <div class="choice-row">${choices(state.chooseFor, words.purpose, words.purposes)}</div>
    </div>
    ${advice(words)} ${legend(words)} ${chart(all, chosen, Math.min(760, width), words)}`,
  rows: ({ all }) => [Object.keys(columns), ...all.map((one) => Object.values(columns).map((of) => of(one)))],
  drawing: ".choose-chart",
  describe: (words, { all, chosen }) =>
    words.describe(
      chosen.length,
      all.length,
      chosen.map(({ name }) => name),
    ),
});
