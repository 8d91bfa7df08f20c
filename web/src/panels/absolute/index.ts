import { html, nothing, type TemplateResult } from "lit-html";
import { coded } from "../../code/figure";
import { rowSlider, textBox } from "../../controls";
import { figure } from "../../core/figure";
import { exactly } from "../../core/format";
import { text } from "../../core/i18n";
import { reader, selection } from "../../core/page-state";
import { shortened as shortWord } from "../../core/words";
import { short, shortened } from "../../draw/rounded";
import { computationOf } from "./computation";
import { base, dim, type Model, model, mostTokens, offset, type Step, secondSentence } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import { signed, tiesPlot } from "./ties";
import "./style.css";

type Text = typeof en;

const chosenStep = ({ steps }: Model) => Math.min(selection.position.value, Math.max(0, steps.length - 1));

function choose(step: number): void {
  selection.position.value = step;
}

const subtraction = (to: number, from: number) => `${to} − ${from} = ${signed(to - from)}`;

/** A line about the chosen pair of neighbours in one sentence: their offset, and the dot product of their codes. */
interface Line {
  readonly start: string;
  readonly distance: number;
  readonly product: number;
}

/** The lines about the chosen pair; only one where the second sentence does not have it. */
function lines({ from, to, products }: Step): Line[] {
  const name = `${shortWord(from.word, 24)} → ${shortWord(to.word, 24)}`;
  const line = (p: number, q: number, product: number): Line => ({
    start: `${name}${text.value.colon}${subtraction(q, p)}${text.value.semicolon}PE(${p}) · PE(${q}) = Σ cos(`,
    distance: Math.abs(q - p),
    product,
  });
  const one = line(from.first, to.first, products[0]);
  if (from.second === undefined || to.second === undefined || products[1] === undefined) return [one];
  return [one, line(from.second, to.second, products[1])];
}

const spoken = ({ start, distance, product }: Line) => `${start}${distance} / ${base}^(2i/${dim})) = ${short(product)}`;

const written = ({ start, distance, product }: Line) =>
  html`${start}${distance} / ${base}<sup>2i/${dim}</sup>) = ${shortened(product)}`;

/** The row of the second sentence's box; it has a sentence made of the first until the reader writes another. */
const secondRow = {
  name: state.absoluteSecond.name,
  longest: state.absoluteSecond.longest,
  parse: state.absoluteSecond.parse,
  get value() {
    return secondSentence();
  },
  set value(next) {
    state.absoluteSecond.value = next;
  },
};

function controls(words: Text, { all: [first, second] }: Model): TemplateResult {
  const leftOut = (all: number) => (all > mostTokens ? words.leftOut(mostTokens, all) : undefined);
  return html`<div class="controls">
    ${textBox(reader.sentence, words.first, { id: "absolute-sentence", note: leftOut(first) })}
    ${textBox(secondRow, words.second, { note: leftOut(second) })}
  </div>`;
}

export const panel = figure({
  uses: [reader.sentence, state.absoluteSecond, selection.position],
  texts: { en, zh },
  model,
  draw(words, shown, { width }) {
    const chosen = chosenStep(shown);
    const step = shown.steps[chosen];
    const shownLines = step ? lines(step) : [];
    const note = step ? (shownLines.length < 2 ? [words.missing] : []) : [words.empty];
    return html`${tiesPlot(shown, chosen, choose, Math.min(width, 760), { label: words.ties, spoken: [...shownLines.map(spoken), ...note].join("; ") })}
      ${step ? html`<p class="note">${words.legend}</p>` : nothing}
      <div class="readout">
        ${[...shownLines.map(written), ...note].map((line) => html`<p class="equation" data-line>${line}</p>`)}
        ${
          step
            ? html`<div class="controls">
                ${rowSlider(selection.position, words.which, { id: "absolute-pair", last: shown.steps.length - 1 })}
              </div>`
            : nothing
        }
      </div>
      ${controls(words, shown)}`;
  },
  rows: ({ ties, steps }) => [
    ["word", "position 1", "position 2", "next word", "offset 1", "offset 2", "PE·PE 1", "PE·PE 2"],
    ...ties.map((tie, at) => {
      const step = steps[at];
      const own = [tie.word, tie.first, tie.second ?? ""];
      if (!step) return [...own, "", "", "", "", ""];
      const [one, other] = step.products;
      return [
        ...own,
        step.to.word,
        offset(step),
        step.second ?? "",
        exactly(one),
        other === undefined ? "" : exactly(other),
      ];
    }),
  ],
  drawing: ".ties",
  code: coded(computationOf),
  describe: (words, { ties, steps }) =>
    words.describe(
      ties.filter((tie) => tie.first === tie.second).length,
      ties.length,
      steps.filter((step) => offset(step) === step.second).length,
      steps.length,
    ),
});
