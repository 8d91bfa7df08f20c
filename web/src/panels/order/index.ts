import { batch } from "@preact/signals-core";
import { html, render, type TemplateResult } from "lit-html";
import type { PosencFull } from "posenc/full";
import { slider, textBox } from "../../controls";
import { exactly, fixed, significant } from "../../core/format";
import { reader, selection } from "../../core/page-state";
import type { Context, FullPanelModule, Panel } from "../../core/panel";
import { matrixPlot } from "../../draw/matrix";
import { standalone } from "../../draw/standalone";
import { chips, shuffle } from "./chips";
import { dim, encodings, type Model, model } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

const texts = { en, zh };
type Text = typeof en;

const examples = [
  ["The cat sat on the mat.", "On mat the sat cat the."],
  ["我爱你", "你爱我"],
] as const;

function set(text: string, other: string): void {
  batch(() => {
    reader.sentence.value = text;
    state.orderOther.value = other;
  });
}

function choose(row: number, column: number): void {
  state.orderEncoding.value = row;
  selection.position.value = column;
}

/** The chosen encoding and word, held inside what there is. */
function chosen({ words }: Model) {
  return { row: state.orderEncoding.value, column: Math.min(selection.position.value, words.length - 1) };
}

/** The chosen change: its name, the formula with its numbers, and the result. */
function reading(words: Text, shown: Model) {
  const { row, column } = chosen(shown);
  const { before, after, lane, most } = shown.changes[row][column];
  const name = `${words.encodings[encodings[row]]}, ${shown.words[column]}, ${words.lane} ${lane}`;
  const formula = `|y − y′| = |${fixed(before[lane], 6)} − ${fixed(after[lane], 6)}|`;
  return { name, formula, value: significant(most, 6) };
}

function sentence(words: Text, shown: Model): string {
  const { name, formula, value } = reading(words, shown);
  return `${name}: ${formula} = ${value}`;
}

function controls(words: Text): TemplateResult {
  return html`<div class="controls">
    <div class="choice-row">
      ${examples.map(
        ([
          text,
          other,
        ]) => html`<button type="button" class="again" data-example=${text} @click=${() => set(text, other)}>
          ${text} / ${other}
        </button>`,
      )}
    </div>
    ${textBox(reader.sentence, words.text)}
  </div>`;
}

function readout(words: Text, shown: Model): TemplateResult {
  const { row, column } = chosen(shown);
  const { name, formula, value } = reading(words, shown);
  return html`<div class="readout">
    <p class="equation">${name}: ${formula} = <output data-change>${value}</output></p>
    ${slider({
      id: "order-encoding",
      label: words.encoding,
      value: row,
      limits: state.orderEncoding.limits,
      set: (next) => {
        state.orderEncoding.value = next;
      },
    })}
    ${slider({
      id: "order-word",
      label: words.word,
      value: column,
      limits: { ...selection.position.limits, max: shown.words.length - 1 },
      set: (next) => {
        selection.position.value = next;
      },
    })}
  </div>`;
}

function picture(words: Text, shown: Model, width: number): TemplateResult {
  return matrixPlot({
    id: "order-matrix",
    label: words.matrix,
    rows: encodings.length,
    columns: shown.words.length,
    value: (row, column) => shown.changes[row][column].most,
    most: Math.max(1e-3, ...shown.changes.flat().map(({ most }) => most)),
    rowName: (row) => words.encodings[encodings[row]],
    columnName: (column) => shown.words[column],
    chosen: chosen(shown),
    choose,
    spoken: sentence(words, shown),
    print: (value) => (value < 5e-4 ? significant(value, 1) : fixed(value, 3)),
    width,
    largest: 72,
  });
}

function mount(element: HTMLElement, context: Context<PosencFull>): Panel {
  const { pe } = context;
  return {
    update() {
      const words = texts[context.language()];
      const shown = model(pe);
      render(
        html`${controls(words)}
          ${
            shown.words.length === 0
              ? html`<p class="note">${words.empty}</p>`
              : html`<div class="chip-row">
                    ${chips(shown.reordered, words)}
                    <button type="button" class="again" data-tool="shuffle" @click=${shuffle}>${words.shuffle}</button>
                  </div>
                  <h3>${words.title}</h3>
                  ${picture(words, shown, Math.min(context.width(), 900))} ${readout(words, shown)}`
          }`,
        element,
      );
    },
    rows() {
      const { words, places, changes } = model(pe);
      const lanes = Array.from({ length: dim }, (_, lane) => lane);
      const names = (mark: string) => lanes.map((lane) => `y${mark}[${lane}]`);
      return [
        ["encoding", "word", "place", "place′", "largest |y − y′|", ...names(""), ...names("′")],
        ...changes.flatMap((line, row) =>
          line.map(({ before, after, most }, at) => [
            encodings[row],
            words[at],
            at,
            places[at],
            exactly(most),
            ...before.map(exactly),
            ...after.map(exactly),
          ]),
        ),
      ];
    },
    svg() {
      const drawing = element.querySelector<SVGSVGElement>("#order-matrix");
      return drawing ? standalone(drawing) : "";
    },
    describe() {
      const words = texts[context.language()];
      const shown = model(pe);
      if (shown.words.length === 0) return words.empty;
      const most = shown.changes.map((line) => Math.max(...line.map((change) => change.most)));
      return words.describe(
        shown.words.join(" "),
        shown.reordered.join(" "),
        significant(most[0], 3),
        significant(Math.min(...most.slice(1)), 3),
      );
    },
    destroy() {
      render(html``, element);
    },
  };
}

export const panel: FullPanelModule = {
  library: "full",
  uses: [reader.sentence, state.orderOther, state.orderEncoding, selection.position],
  texts,
  mount,
};
