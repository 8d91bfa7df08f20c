import { html } from "lit-html";
import { coded } from "../../code/figure";
import { moreSettings, player, question, rowSlider } from "../../controls";
import { figure } from "../../core/figure";
import { matrixLines, plain } from "../../core/format";
import { reader, selection } from "../../core/page-state";
import { within } from "../../draw/cursor";
import { curvePlot } from "../../draw/curve";
import { matrixPlot } from "../../draw/matrix";
import { short, shortened } from "../../draw/rounded";
import { shadesFor } from "../../draw/shades";
import { nameOf } from "../../draw/text";
import { computationOf } from "./computation";
import { type Model, model } from "./model";
import { guess, sides } from "./sides";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";

type Text = typeof en;

const dotProduct = ({ products, length }: Model, p: number, q: number) => products.data[p * length + q];

function choose(p: number, q: number): void {
  selection.position.value = within(p, state.similarLength.value);
  selection.otherPosition.value = within(q, state.similarLength.value);
}

/** Writes the chosen dot product in one line, with the formula's numbers. */
function sentence(shown: Model): string {
  const { p, q, dim, base } = shown;
  const sum = `Σ cos(${plain(q - p)} / ${plain(base)}^(2i/${dim})), i = 0 … ${dim / 2 - 1}`;
  return `PE(${p}) · PE(${q}) = ${sum} = ${short(dotProduct(shown, p, q))}`;
}

function readout(shown: Model) {
  const { p, q, dim, base } = shown;
  return html`<div class="readout">
    <p class="equation">
      PE(${p}) · PE(${q}) = Σ<sub>i=0…${dim / 2 - 1}</sub> cos(${plain(q - p)} / ${plain(base)}<sup>2i/${dim}</sup>) =
      <output data-product>${shortened(dotProduct(shown, p, q))}</output>
    </p>
  </div>`;
}

/** A position by its letter and, where it has one, its word. */
const positionName = (letter: string, position: number) => [letter, nameOf(position)].filter(Boolean).join(" · ");

/** The two positions, to be slid and played. */
function positions(words: Text, { p, q, length }: Model) {
  return html`<div class="controls">
    ${rowSlider(selection.position, positionName("p", p), { id: "similar-p", last: length - 1 })}
    ${player(selection.position, words.slideP, { span: [0, length - 1] })}
    ${rowSlider(selection.otherPosition, positionName("q", q), { id: "similar-q", last: length - 1 })}
  </div>`;
}

function picture(words: Text, shown: Model, width: number) {
  const { length, p, q } = shown;
  return matrixPlot({
    id: "similar-matrix",
    label: words.matrix,
    size: length,
    value: (row, column) => dotProduct(shown, row, column),
    shades: shadesFor(shown.products.data),
    markedRow: p,
    rowAxis: "p",
    columnAxis: "q",
    chosen: { row: p, column: q },
    choose,
    spoken: sentence(shown),
    width,
    largest: 300 / length,
  });
}

function curve(words: Text, shown: Model, width: number) {
  const { length, p, q, byDistance } = shown;
  const xs = Array.from(byDistance, (_, at) => at - length + 1);
  const seen = xs.map((distance) => {
    const other = p + distance;
    return other >= 0 && other < length ? dotProduct(shown, p, other) : Number.NaN;
  });
  const [low, high] = [Math.min(0, ...byDistance), Math.max(...byDistance)];
  return curvePlot({
    id: "similar-curve",
    label: words.curve,
    x: { name: "q − p", low: 1 - length, high: length - 1, whole: true },
    y: { name: "PE(p) · PE(q)", low: low - 0.05 * (high - low), high: high + 0.05 * (high - low) },
    xs,
    curves: [
      { name: words.from(p), values: seen },
      { name: words.all, values: byDistance },
    ],
    chosen: q - p + length - 1,
    choose: (index) => choose(p, p + xs[index]),
    spoken: sentence(shown),
    width,
    height: 240,
  });
}

export const panel = figure({
  uses: [...Object.values(state), reader.sentence, selection.position, selection.otherPosition, guess],
  texts: { en, zh },
  model,
  draw(words, shown, { pe, width }) {
    const both = width > 640;
    const half = both ? Math.floor((width - 33) / 2) : width;
    return html`${question(guess, sides(words, pe))} ${positions(words, shown)}
      <div class="planes">
        <div class="plane-box">${picture(words, shown, half)}</div>
        <div class="plane-box">${curve(words, shown, half)}</div>
      </div>
      ${readout(shown)}
      ${moreSettings(
        Object.values(state),
        html`${rowSlider(state.similarLength, words.length)}
          ${rowSlider(state.similarPairs, words.pairs, { scale: "log" })}
          ${rowSlider(state.similarBase, words.base, { scale: "log", span: [1, 1e6] })}`,
      )}`;
  },
  rows: ({ length, products, dim, base }) => matrixLines(`PE(p)·PE(q), d=${dim}, base=${base}`, products.data, length),
  drawing: ".plane-box svg",
  asks: sides,
  code: coded(computationOf),
  describe: (words, shown) => words.describe(shown.products.data.some((one) => one < 0)),
});
