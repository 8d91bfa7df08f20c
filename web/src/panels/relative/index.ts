import { html, nothing, type TemplateResult } from "lit-html";
import { coded } from "../../code/figure";
import { choices, moreSettings, question, rowSlider } from "../../controls";
import { fullFigure } from "../../core/figure";
import { matrixLines, plain, significant } from "../../core/format";
import { text } from "../../core/i18n";
import { reader, selection } from "../../core/page-state";
import { within } from "../../draw/cursor";
import { curvePlot } from "../../draw/curve";
import { matrixPlot } from "../../draw/matrix";
import { short, shortened } from "../../draw/rounded";
import { kinds, shadesFor } from "../../draw/shades";
import { alike, guess } from "./alike";
import { computationOf } from "./computation";
import { formula } from "./formula";
import { type Model, model } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";

type Text = typeof en;

const signed = (offset: number) => (offset > 0 ? `+${offset}` : plain(offset));

function choose(query: number, key: number, isMasked: boolean): void {
  selection.position.value = within(query, state.relativeSize.value);
  selection.otherPosition.value = within(key, isMasked ? selection.position.value + 1 : state.relativeSize.value);
}

/** The folded settings of the chosen method, if it has any. */
function settings(words: Text): TemplateResult | typeof nothing {
  const keys = choices(state.relativeKeys, words.keys, words.directions);
  switch (state.relativeMethod.value) {
    case "offset":
      return nothing;
    case "t5":
      return moreSettings(
        [state.t5Buckets, state.t5MaxDistance, state.relativeKeys],
        html`${rowSlider(state.t5Buckets, words.buckets, { step: 2 })} ${rowSlider(state.t5MaxDistance, words.maxDistance)} ${keys}`,
      );
    case "alibi":
      return moreSettings(
        [state.relativeHeads, state.relativeHead, state.relativeKeys],
        html`${rowSlider(state.relativeHeads, words.heads)}
          ${rowSlider(state.relativeHead, words.head, { last: state.relativeHeads.value - 1 })} ${keys}`,
      );
  }
}

const sentence = (shown: Model) =>
  `i = ${shown.query}${text.value.comma}j = ${shown.key}${text.value.colon}${formula(shown)} = ${short(shown.value)}`;

/** Describes the colours of the matrix: names of buckets, amounts of one sign, or of two. */
function colours(words: Text, { method, compact }: Model): string {
  if (method === "t5") return words.colours.buckets;
  return Array.from(compact).some((value) => value > 0) ? words.colours.signed : words.colours.amounts;
}

function picture(words: Text, shown: Model, width: number): TemplateResult {
  const { size, values, query, key, offset, whole, isMasked } = shown;
  return matrixPlot({
    id: "relative-matrix",
    label: words.matrix,
    size,
    value: (row, column) => (isMasked && column > row ? Number.NaN : values[row * size + column]),
    shades: shown.method === "t5" ? kinds(values) : shadesFor(shown.compact),
    rowAxis: words.queryAxis,
    columnAxis: words.keyAxis,
    chosen: { row: query, column: key },
    choose: (row, column) => choose(row, column, isMasked),
    spoken: sentence(shown),
    print: (value) => (whole ? plain(value) : significant(value, 2)),
    marked: (row, column) => column - row === offset,
    width,
    largest: 44,
  });
}

function curve(words: Text, shown: Model, width: number): TemplateResult {
  const { size, compact, query, offset, isMasked } = shown;
  const xs = Array.from(compact, (_, at) => at - size + 1).filter((each) => !isMasked || each <= 0);
  const [low, high] = [Math.min(0, ...compact), Math.max(0, ...compact)];
  const margin = 0.06 * (high - low || 1);
  return curvePlot({
    id: "relative-curve",
    label: words.curve,
    x: {
      name: words.offsetAxis,
      low: xs[0] === 0 ? -1 : xs[0],
      high: isMasked ? 0 : Math.max(1, size - 1),
      whole: true,
    },
    y: { name: words.valueAxis[shown.method], low: low - margin, high: high + margin },
    xs,
    curves: [{ name: words.methods[shown.method], values: compact.subarray(0, xs.length) }],
    steps: shown.method === "t5",
    chosen: offset + size - 1,
    // The query stays if it can; otherwise the nearest cell of the diagonal is chosen.
    choose: (at) => {
      const next = at - size + 1;
      const from = Math.max(-next, 0, Math.min(size - 1, size - 1 - next, query));
      choose(from, from + next, isMasked);
    },
    spoken: sentence(shown),
    dots: true,
    width,
    height: 240,
  });
}

export const panel = fullFigure({
  uses: [...Object.values(state), reader.sentence, selection.position, selection.otherPosition, guess],
  texts: { en, zh },
  model,
  draw(words, shown, { pe, width: available }) {
    // Widths are rounded: two halves must fit beside each other.
    const width = available > 640 ? Math.floor((available - 33) / 2) : available;
    return html`${question(guess, alike(words, pe))}
      <div class="controls">
        ${choices(state.relativeMethod, words.method, words.methods)} ${rowSlider(state.relativeSize, words.size)}
      </div>
      <div class="planes">
        <div class="plane-box">${picture(words, shown, width)}</div>
        <div class="plane-box">${curve(words, shown, width)}</div>
      </div>
      <p class="equation">${formula(shown)} = <output data-value="value">${shortened(shown.value)}</output></p>
      ${settings(words)}`;
  },
  rows: ({ size, values, method }) => matrixLines(`${method}: i \\ j`, values, size),
  drawing: ".plane-box svg",
  asks: alike,
  code: coded(computationOf),
  describe: (words, shown) =>
    words.describe({
      method: words.methods[shown.method],
      pairs: shown.isMasked ? (shown.size * (shown.size + 1)) / 2 : shown.size ** 2,
      values: shown.isMasked ? shown.size : 2 * shown.size - 1,
      offset: signed(shown.offset),
      colours: colours(words, shown),
    }),
});
