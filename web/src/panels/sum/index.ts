import { batch } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { coded } from "../../code/figure";
import { choices, rowSlider, sentenceBox } from "../../controls";
import { figure } from "../../core/figure";
import { exactly, plain, significant } from "../../core/format";
import { text } from "../../core/i18n";
import { reader, selection } from "../../core/page-state";
import { titles } from "../../core/printed";
import { shortened } from "../../core/words";
import { roundedVector } from "../../draw/rounded";
import { computationOf } from "./computation";
import { type Model, model, type Sum, source } from "./model";
import { plot } from "./plot";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;

const vector = (dims: readonly string[], cut: boolean) =>
  html`<span class="vector">[${dims.join(", ")}${cut ? ", …" : nothing}]</span>`;

const named = (shown: Model, words: readonly number[]) =>
  words.map((at) => `${shortened(shown.words[at])} (${at})`).join(", ");

function resultCell(words: Text, shown: Model, sum: Sum, word: number): TemplateResult {
  const twins = sum.twins[word];
  const print = sum.asPrinted[word];
  return html`<td class=${twins.length > 0 ? "result marked" : "result"} data-sum=${sum.kind}>
    ${vector(sum.resultShown[word], shown.cut && sum.kind === "printed")}
    ${twins.length > 0 ? html`<span class="badge">= ${named(shown, twins)}</span>` : nothing}
    ${print === undefined ? nothing : html`<span class="check">${print ? words.asPrinted : words.notAsPrinted}</span>`}
  </td>`;
}

function grid(words: Text, shown: Model): TemplateResult {
  const both = shown.sums.length > 1;
  const times = shown.scale === 1 ? "" : `${plain(shown.scale)} `;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.table}>
    <table class="sums">
      <thead>
        <tr>
          <th scope="col" rowspan="2">${words.position}</th>
          <th scope="col" rowspan="2">${words.word}</th>
          <th scope="col" rowspan="2">${words.embedding[shown.source]}</th>
          ${both ? html`<th scope="colgroup" colspan="2" class="first">${words.printed(shown.source)}</th>` : nothing}
          <th scope="colgroup" colspan="2" class="first">${words.formula(shown.dim)}</th>
        </tr>
        <tr>
          ${shown.sums.map(() => html`<th scope="col" class="first">P</th><th scope="col">${`X = ${times}W + P`}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${shown.words.map(
          (word, index) => html`<tr>
            <td>${index}</td>
            <th scope="row" title=${word}>${word}</th>
            <td data-embedding>
              ${vector(shown.embeddingShown[index], shown.cut)}
              ${
                shown.embeddingTwins[index].length > 0
                  ? html`<span class="badge quiet">= ${named(shown, shown.embeddingTwins[index])}</span>`
                  : nothing
              }
            </td>
            ${shown.sums.map(
              (sum) => html`<td class="first" data-position=${sum.kind}>
                  ${vector(sum.positionShown[index], shown.cut && sum.kind === "printed")}
                </td>
                ${resultCell(words, shown, sum, index)}`,
            )}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const chosenRow = (data: Float32Array, { dim, chosen }: Model) => data.slice(chosen * dim, (chosen + 1) * dim);
const written = (data: Float32Array) => `[${[...data].map((value) => significant(value, 3)).join(", ")}]`;

/** Returns the chosen word's sum: name, formula with its numbers, and result. */
function formulaOf(words: Text, shown: Model, sum: Sum) {
  const name = `${shortened(shown.words[shown.chosen], 24)} (${shown.chosen})${text.value.comma}${words.kinds[sum.kind]}`;
  const formula = `X = ${plain(shown.scale)} × ${written(chosenRow(shown.embedding.data, shown))} + ${written(chosenRow(sum.position.data, shown))}`;
  return { name, formula, value: chosenRow(sum.result.data, shown) };
}

function spoken(words: Text, shown: Model, sum: Sum): string {
  const { name, formula, value } = formulaOf(words, shown, sum);
  return `${name}${text.value.colon}${formula} = ${written(value)}`;
}

/** Shows the chosen word's sums. */
function readout(words: Text, shown: Model): TemplateResult {
  return html`<div class="readout">
    ${shown.sums.map((sum) => {
      const { name, formula, value } = formulaOf(words, shown, sum);
      return html`<p class="equation">${name}${text.value.colon}${formula} = <output data-sum-of=${sum.kind}>${roundedVector(value)}</output></p>`;
    })}
    <div class="controls">
      ${rowSlider(selection.position, words.chosen, { id: "sum-word", last: shown.words.length - 1 })}
    </div>
  </div>`;
}

/** The row of whose numbers are shown; choosing a post takes its sentence, too. */
const sourceRow = {
  name: state.source.name,
  get value() {
    return source();
  },
  set value(next) {
    batch(() => {
      state.source.value = next;
      if (source() !== next) reader.sentence.value = reader.sentence.initial;
    });
  },
};

function controls(words: Text): TemplateResult {
  return html`<div class="controls">
    ${choices(sourceRow, words.source, words.sources)}
    ${
      source() === "own"
        ? html`${sentenceBox("sum-sentence", words.sentence)}
            ${rowSlider(state.sentenceDim, words.dim)}`
        : nothing
    }
    ${rowSlider(state.sumScale, words.scale, { step: 0.1 })}
  </div>`;
}

export const panel = figure({
  uses: [...Object.values(state), reader.sentence, selection.position],
  texts: { en, zh },
  model,
  draw(words, shown, { width: available }) {
    const two = shown.sums.length > 1 && available > 640;
    const width = Math.min(480, two ? (available - 32) / 2 : available);
    return html`${
      shown.dim > 1 && shown.words.length > 0
        ? html`<div class="planes">
              ${shown.sums.map((sum) => {
                const title = sum.kind === "printed" ? words.plotPrinted(shown.source) : words.plotFormula;
                return html`<div class="plane-box">
                  <h3>${title}</h3>
                  ${plot(shown, sum, width, words.plotLabel(title), spoken(words, shown, sum))}
                </div>`;
              })}
            </div>`
        : nothing
    }
      ${shown.words.length > 0 ? readout(words, shown) : html`<p class="note">${words.empty}</p>`} ${controls(words)}
      <p class="note">${words.note(shown.source, titles)}</p>
      ${shown.words.length > 0 ? grid(words, shown) : nothing}`;
  },
  rows(shown) {
    const dims = Array.from({ length: shown.dim }, (_, dimension) => dimension);
    const header = ["index", "word", ...dims.map((dimension) => `W${dimension}`)];
    for (const { kind } of shown.sums)
      header.push(...["P", "X"].flatMap((name) => dims.map((dimension) => `${kind} ${name}${dimension}`)));
    header.push("scale of W");
    const cells = (data: Float32Array, word: number) =>
      dims.map((dimension) => exactly(data[word * shown.dim + dimension]));
    const lines = shown.words.map((word, index) => [
      index,
      word,
      ...cells(shown.embedding.data, index),
      ...shown.sums.flatMap((sum) => [...cells(sum.position.data, index), ...cells(sum.result.data, index)]),
      shown.scale,
    ]);
    return [header, ...lines];
  },
  drawing: ".plane",
  code: coded(computationOf),
  describe(words, shown) {
    const equal = shown.sums.map((sum) => {
      const first = sum.twins.flatMap((twins, word) => (twins.length > 0 && twins[0] > word ? [[word, ...twins]] : []));
      return { kind: sum.kind, groups: first.map((group) => named(shown, group)) };
    });
    return words.describe(shown.words.length, equal);
  },
});
