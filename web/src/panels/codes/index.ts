import { html } from "lit-html";
import { choices, rowSlider } from "../../controls";
import { figure } from "../../core/figure";
import { exactly, rows, significant } from "../../core/format";
import { text } from "../../core/i18n";
import { reader, selection } from "../../core/page-state";
import { curvePlot } from "../../draw/curve";
import { type Codes, type Model, model } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";

type Text = typeof en;
const three = (value: number) => significant(value, 3);

function choose(position: number): void {
  selection.position.value = Math.max(0, Math.min(state.codesLength.value - 2, position));
}

/** The values of both texts over the positions of the longer one. */
function plot(words: Text, shown: Model, of: "steps" | "lengths", width: number) {
  const all = shown.long[of];
  const short = all.map((_, position) => shown.short[of][position] ?? Number.NaN);
  const isSize = of === "lengths";
  const most = Math.max(...all, ...shown.short[of], isSize ? shown.word : 0);
  const name = isSize ? words.size : words.step;
  return curvePlot({
    id: `codes-${of}`,
    label: name,
    x: { name: words.axis, low: 0, high: all.length - 1, whole: true },
    y: { name, low: 0, high: 1.1 * most },
    xs: all.map((_, position) => position),
    curves: [
      { name: words.text(2 * shown.length), values: all },
      { name: words.text(shown.length), values: short },
      ...(isSize ? [{ name: words.word, values: all.map(() => shown.word) }] : []),
    ],
    chosen: shown.position,
    choose,
    spoken: `p = ${shown.position}: ${three(shown.short[of][shown.position])}`,
    dots: shown.length <= 16,
    width,
    height: 240,
  });
}

const codeOf = ({ table }: Codes, position: number) =>
  rows(table.data, table.shape[1])
    [position].map((value) => three(value))
    .join(", ");

function caption({ describe: words }: Text, { short, long, length, word }: Model): string {
  const last = 2 * length - 1;
  const [least, most] = [Math.min(...long.steps), Math.max(...long.steps)];
  switch (state.codesRule.value) {
    case "count":
      return words.count(last, three(long.lengths[last] / word));
    case "share":
      return words.share(three(short.steps[0]), three(long.steps[0]));
    case "bits":
      return words.bits(three(least), three(most), long.steps.indexOf(most));
    case "waves":
      return words.waves(three(most), three(long.lengths[0]));
  }
}

export const panel = figure({
  uses: [...Object.values(state), selection.position, reader.sentence],
  texts: { en, zh },
  model,
  draw(words, shown, { width: available }) {
    const width = available > 700 ? (available - 32) / 2 : available;
    return html`<div class="controls">${choices(state.codesRule, words.rule, words.rules)}</div>
      <div class="plots">
        <div class="plot">${plot(words, shown, "steps", width)}</div>
        <div class="plot">${plot(words, shown, "lengths", width)}</div>
      </div>
      <div class="controls">
        ${rowSlider(state.codesLength, words.length)}
        ${rowSlider(selection.position, words.position, { id: "codes-position", last: shown.length - 2 })}
      </div>
      <p class="equation">
        ${words.ofPosition(shown.position)}${text.value.gap}[<output data-code>${codeOf(shown.short, shown.position)}</output>]
      </p>`;
  },
  *rows({ long, short }) {
    const width = long.table.shape[1];
    yield ["position", "step", "step in the short text", "size", ...Array.from({ length: width }, (_, at) => at)];
    for (const [position, code] of rows(long.table.data, width).entries())
      yield [
        position,
        ...[long.steps[position], short.steps[position], long.lengths[position]].map((value) => value ?? ""),
        ...code.map(exactly),
      ];
  },
  drawing: ".plots svg",
  describe: caption,
});
