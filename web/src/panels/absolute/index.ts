import { html, render, type TemplateResult } from "lit-html";
import { slider, textBox } from "../../controls";
import { exactly, significant } from "../../core/format";
import { selection } from "../../core/page-state";
import type { Context, Panel, PanelModule } from "../../core/panel";
import { standalone } from "../../draw/standalone";
import { base, dim, type Model, model, offset, type Step } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import { signed, tiesPlot } from "./ties";
import "./style.css";

const texts = { en, zh };
type Text = typeof en;

const chosenStep = ({ steps }: Model) => Math.min(selection.position.value, Math.max(0, steps.length - 1));
const digits = (value: number) => significant(value, 6);

function choose(step: number): void {
  selection.position.value = step;
}

const subtraction = (to: number, from: number) => `${to} − ${from} = ${signed(to - from)}`;
const product = (p: number, q: number, value: number) =>
  `PE(${p}) · PE(${q}) = Σ cos(${Math.abs(q - p)} / ${base}^(2i/${dim})) = ${digits(value)}`;

/** The chosen pair of neighbours in words: offsets, and products of their codes. */
function lines(words: Text, step: Step): string[] {
  const { from, to, products } = step;
  const name = `${from.word} → ${to.word}`;
  const one = `${name}: ${subtraction(to.first, from.first)}; ${product(from.first, to.first, products[0])}`;
  if (from.second === undefined || to.second === undefined || products[1] === undefined) return [one, words.missing];
  return [one, `${name}: ${subtraction(to.second, from.second)}; ${product(from.second, to.second, products[1])}`];
}

/** A row of a table: a word or pair, and its number in each sentence. */
type Comparison = readonly [name: string, first: number, second: number | undefined];

function comparison(
  words: Text,
  kind: "absolute" | "relative",
  lines: Comparison[],
  format: (value: number) => string,
) {
  const seen = (value: number | undefined) => (value === undefined ? "–" : format(value));
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${words[kind]}>
    <table class=${kind}>
      <caption>${words[kind]}</caption>
      <thead>
        <tr>
          <th scope="col">${kind === "absolute" ? words.word : words.pair}</th>
          <th scope="col">1</th>
          <th scope="col">2</th>
          <th scope="col"><span class="visually-hidden">${words.verdict}</span></th>
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ([name, first, second]) => html`<tr>
            <th scope="row">${name}</th>
            <td>${seen(first)}</td>
            <td>${seen(second)}</td>
            <td class=${first === second ? "" : "marked"}>${first === second ? words.same : words.other}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function tables(words: Text, { ties, steps }: Model): TemplateResult {
  const positions = ties.map(({ word, first, second }): Comparison => [word, first, second]);
  const offsets = steps.map((step): Comparison => [`${step.from.word} → ${step.to.word}`, offset(step), step.second]);
  return html`<div class="tables">
    ${comparison(words, "absolute", positions, String)} ${comparison(words, "relative", offsets, signed)}
  </div>`;
}

function mount(element: HTMLElement, context: Context): Panel {
  const { pe } = context;
  return {
    update() {
      const words = texts[context.language()];
      const shown = model(pe);
      const chosen = chosenStep(shown);
      const step = shown.steps[chosen];
      const said = step ? lines(words, step) : [words.empty];
      render(
        html`<div class="controls">
            ${textBox(state.absoluteFirst, words.first)} ${textBox(state.absoluteSecond, words.second)}
          </div>
          ${tiesPlot(shown, chosen, choose, Math.min(context.width(), 760), { label: words.ties, spoken: said.join("; ") })}
          <div class="readout">
            ${said.map((line) => html`<p class="equation" data-line>${line}</p>`)}
            ${
              step
                ? slider({
                    id: "absolute-pair",
                    label: words.which,
                    value: chosen,
                    limits: { ...selection.position.limits, max: shown.steps.length - 1 },
                    set: choose,
                  })
                : ""
            }
          </div>
          ${step ? tables(words, shown) : ""}`,
        element,
      );
    },
    rows() {
      const { ties, steps } = model(pe);
      return [
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
      ];
    },
    svg() {
      const drawing = element.querySelector<SVGSVGElement>(".ties");
      return drawing ? standalone(drawing) : "";
    },
    describe() {
      const { ties, steps } = model(pe);
      return texts[context.language()].describe(
        ties.filter((tie) => tie.first === tie.second).length,
        ties.length,
        steps.filter((step) => offset(step) === step.second).length,
        steps.length,
      );
    },
    destroy() {
      render(html``, element);
    },
  };
}

export const panel: PanelModule = {
  uses: [state.absoluteFirst, state.absoluteSecond, selection.position],
  texts,
  mount,
};
