import { html, nothing, type TemplateResult } from "lit-html";
import { coded } from "../../code/figure";
import { choices, moreSettings, numberBox, rowSlider } from "../../controls";
import { fullFigure } from "../../core/figure";
import { matrixLines, plain, significant } from "../../core/format";
import { text } from "../../core/i18n";
import { page, reader, selection } from "../../core/page-state";
import { curvePlot } from "../../draw/curve";
import { matrixPlot } from "../../draw/matrix";
import { short, shortened } from "../../draw/rounded";
import { kinds, shadesFor } from "../../draw/shades";
import { alike, guess } from "./alike";
import { computationOf } from "./computation";
import { formula } from "./formula";
import { learnedReach, type Model, model } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;

const signed = (offset: number) => (offset > 0 ? `+${offset}` : plain(offset));

function choose(query: number, key: number): void {
  const within = (at: number) => Math.max(0, Math.min(state.relativeSize.value - 1, at));
  selection.position.value = within(query);
  selection.otherPosition.value = within(key);
}

/** The index of an offset's learned bias. */
const biasAt = (offset: number) => learnedReach + Math.max(-learnedReach, Math.min(learnedReach, offset));

function setBias(at: number, value: number): void {
  const { min, max } = state.learnedBiases.limits;
  const next = Math.max(min, Math.min(max, Number(value.toPrecision(6))));
  state.learnedBiases.value = state.learnedBiases.value.map((old, index) => (index === at ? next : old));
}

/** The settings of each method. */
const ownRows = {
  offset: [],
  clip: [state.relativeClip],
  t5: [state.t5Buckets, state.t5MaxDistance, state.t5Direction],
  alibi: [state.relativeHeads, state.relativeHead],
  kerple: [state.kerpleKernel, state.kerpleR1, state.kerpleR2],
  learned: [state.learnedBiases],
};

/** The controls of the chosen method. */
function ownControls(words: Text): TemplateResult {
  switch (state.relativeMethod.value) {
    case "offset":
      return html``;
    case "clip":
      return rowSlider(state.relativeClip, words.clip);
    case "t5":
      return html`${rowSlider(state.t5Buckets, words.buckets, { step: 2 })} ${rowSlider(state.t5MaxDistance, words.maxDistance)}
        ${choices(state.t5Direction, words.direction, words.directions)}
        <p class="hint">${words.t5Hint}</p>`;
    case "alibi":
      return html`${rowSlider(state.relativeHeads, words.heads)}
        ${rowSlider(state.relativeHead, words.head, { span: [1, state.relativeHeads.value] })}`;
    case "kerple":
      return html`${choices(state.kerpleKernel, words.kernel, words.kernels)}
        ${rowSlider(state.kerpleR1, words.r1, { step: 0.01 })} ${rowSlider(state.kerpleR2, words.r2, { step: 0.01 })}`;
    case "learned":
      return html`<fieldset class="biases">
          <legend>${words.biases}</legend>
          ${state.learnedBiases.value.map((value, at) => {
            const offset = signed(at - learnedReach);
            return html`<label><span>${offset}</span>${numberBox({
              label: words.biasOf(offset),
              value,
              limits: state.learnedBiases.limits,
              step: 0.1,
              set: (next) => setBias(at, next),
            })}</label>`;
          })}
        </fieldset>
        <p class="hint">${words.learnedHint}</p>`;
  }
}

/** The folded settings of the chosen method, if it has any. */
function settings(words: Text): TemplateResult | typeof nothing {
  const rows = ownRows[state.relativeMethod.value];
  return rows.length === 0 ? nothing : moreSettings(rows, ownControls(words));
}

function readout(words: Text, shown: Model): TemplateResult {
  const { size, onDiagonal, equal, unequal, method } = shown;
  const line = (name: string, key: string, value: unknown) =>
    html`<div><dt>${name}</dt><dd data-value=${key}>${value}</dd></div>`;
  return html`<div class="readout">
    <p class="equation">${formula(shown)} = <output data-value="value">${shortened(shown.value)}</output></p>
    <dl>
      ${method === "alibi" ? line(words.slope, "slope", shortened(shown.slope)) : nothing}
      ${line(words.diagonal, "diagonal", words.equal(equal, onDiagonal))}
      ${line(words.constant, "unequal", String(unequal))}
      ${line(words.pairs, "pairs", words.counted(size * size, 2 * size - 1))}
    </dl>
  </div>`;
}

const sentence = (shown: Model) =>
  `i = ${shown.query}${text.value.comma}j = ${shown.key}${text.value.colon}${formula(shown)} = ${short(shown.value)}`;

/** Describes the colours of the matrix: names of buckets, amounts of one sign, or of two. */
function colours(words: Text, { method, compact }: Model): string {
  if (method === "t5") return words.colours.buckets(new Set(compact).size);
  return Array.from(compact).some((value) => value > 0) ? words.colours.signed : words.colours.amounts;
}

function picture(words: Text, shown: Model, width: number): TemplateResult {
  const { size, values, query, key, offset, whole } = shown;
  return matrixPlot({
    id: "relative-matrix",
    label: words.matrix,
    size,
    value: (row, column) => values[row * size + column],
    shades: shown.method === "t5" ? kinds(values) : shadesFor(shown.compact),
    rowAxis: words.queryAxis,
    columnAxis: words.keyAxis,
    chosen: { row: query, column: key },
    choose,
    spoken: sentence(shown),
    print: (value) => (whole ? plain(value) : significant(value, 2)),
    marked: (row, column) => column - row === offset,
    width,
    largest: 44,
  });
}

function curve(words: Text, shown: Model, width: number): TemplateResult {
  const { size, compact, query, offset } = shown;
  const xs = Array.from(compact, (_, at) => at - size + 1);
  const [low, high] = [Math.min(0, ...compact), Math.max(0, ...compact)];
  const margin = 0.06 * (high - low || 1);
  return curvePlot({
    id: "relative-curve",
    label: words.curve,
    x: { name: words.offsetAxis, low: 1 - size, high: Math.max(1, size - 1), whole: true },
    y: { name: words.valueAxis, low: low - margin, high: high + margin },
    xs,
    curves: [{ name: words.methods[shown.method], values: compact }],
    steps: shown.method === "t5",
    chosen: offset + size - 1,
    // The query stays if it can; otherwise the nearest cell of the diagonal is chosen.
    choose: (at) => {
      const next = at - size + 1;
      const from = Math.max(-next, 0, Math.min(size - 1, size - 1 - next, query));
      choose(from, from + next);
    },
    spoken: sentence(shown),
    dots: true,
    width,
    height: 260,
  });
}

/** With the matrix in focus, + and - change the bias of its diagonal. */
function edit(event: KeyboardEvent, offset: number): void {
  const by = { "+": 0.1, "=": 0.1, "-": -0.1 }[event.key];
  if (by === undefined || state.relativeMethod.value !== "learned" || event.ctrlKey || event.metaKey) return;
  if ((event.target as Element).id !== "relative-matrix") return;
  event.preventDefault();
  const at = biasAt(offset);
  setBias(at, state.learnedBiases.value[at] + by);
}

export const panel = fullFigure({
  uses: [...Object.values(state), reader.sentence, selection.position, selection.otherPosition, page.palette, guess],
  texts: { en, zh },
  model,
  draw(words, shown, { pe, width: available }) {
    const width = available > 860 ? (available - 32) / 2 : available;
    return html`<div class="controls">
        ${choices(state.relativeMethod, words.method, words.methods)} ${rowSlider(state.relativeSize, words.size)}
      </div>
      <div class="planes" @keydown=${(event: KeyboardEvent) => edit(event, model(pe).offset)}>
        <div class="plane-box">${picture(words, shown, width)}</div>
        <div class="plane-box">
          <h3>${words.curve}</h3>
          ${curve(words, shown, width)} ${readout(words, shown)}
        </div>
      </div>
      ${alike(pe, words)} ${settings(words)}`;
  },
  rows: ({ size, values, method }) => matrixLines(`${method}: i \\ j`, values, size),
  drawing: ".plane-box svg",
  code: coded(computationOf),
  describe: (words, shown) =>
    words.describe({
      method: words.methods[shown.method],
      size: shown.size,
      equal: shown.equal,
      offset: signed(shown.offset),
      sentence: sentence(shown),
      colours: colours(words, shown),
    }),
});
