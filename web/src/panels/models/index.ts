import { html, svg } from "lit-html";
import { choices } from "../../controls";
import { fullFigure } from "../../core/figure";
import { plain, significant } from "../../core/format";
import { scale } from "../../draw/axes";
import { scrollTable } from "../../draw/table";
import { models, type Published } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;

/** Bytes of a token in bfloat16. */
const room = (numbers: number) => `${significant((2 * numbers) / 1024, 3)} KiB`;

const line = 24;
const left = { year: 0, name: 44, bar: 188 };

/** Bars show these: the number of a model, if it has one, the range of the scale, and how the number is written. */
const context = {
  of: ({ context: positions }: Published) => positions,
  range: { low: 256, high: 262144 },
  written: plain,
};
const shown = {
  year: context,
  context,
  base: {
    of: ({ bases }: Published) => (bases.length > 0 ? Math.max(...bases) : undefined),
    range: { low: 1000, high: 2e6 },
    written: plain,
  },
  cache: { of: ({ cache }: Published) => cache, range: { low: 8000, high: 4e6 }, written: room },
};

/** A bar for each model: the number by which the models are sorted, or their context, on a logarithmic scale. */
function chart(words: Text, all: readonly Published[], width: number) {
  const height = all.length * line + 28;
  const { of, range, written } = shown[state.modelsBy.value];
  const along = scale({ name: "", ...range, log: true }, left.bar, width - 72);
  const axis = words.axes[state.modelsBy.value];
  return svg`<svg class="models-chart" role="img" aria-label=${axis} width=${width} height=${height} viewBox="0 0 ${width} ${height}">
    <text class="axis-name" x="0" y="12">${axis}</text>
    ${all.map((model, at) => {
      const { name, year, encoding } = model;
      const amount = of(model);
      const end = amount === undefined ? left.bar : along(amount);
      return svg`<g class=${encoding} transform="translate(0 ${20 + at * line})">
        <text x=${left.year} y="13">${year}</text>
        <text x=${left.name} y="13" class="model">${name}</text>
        <rect x=${left.bar} y="3" width=${end - left.bar} height="13" />
        <text x=${end + 5} y="13">${amount === undefined ? words.encodings[encoding] : written(amount)}</text>
      </g>`;
    })}
  </svg>`;
}

const row = (words: Text, { name, year, encoding, bases, rules, context: positions, cache }: Published) =>
  html`<tr data-model=${name}>
    <td>${year}</td>
    <th scope="row" lang="en">${name}</th>
    <td data-encoding=${encoding}>${words.encodings[encoding]}</td>
    <td>${bases.map(plain).join(" / ") || "–"}</td>
    <td>${rules.join(" / ") || "–"}</td>
    <td>${positions === undefined ? words.notNamed : plain(positions)}</td>
    <td>${cache === undefined ? "–" : room(cache)}</td>
  </tr>`;

export const panel = fullFigure({
  uses: Object.values(state),
  texts: { en, zh },
  model: models,
  draw: (words, all, { width }) => html`<div class="controls">${choices(state.modelsBy, words.by, words.orders)}</div>
    ${chart(words, all, Math.min(760, width))}
    ${scrollTable(
      words.table,
      Object.values(words.columns),
      all.map((one) => row(words, one)),
      "models",
    )}`,
  rows: (all) => [
    ["year", "model", "encoding", "base", "rule", "context", "numbers cached per token"],
    ...all.map(({ year, name, encoding, bases, rules, context: positions, cache }) => [
      year,
      name,
      encoding,
      bases.join(" / "),
      rules.join(" / "),
      positions ?? "",
      cache ?? "",
    ]),
  ],
  drawing: ".models-chart",
  describe(words, all) {
    const [longest] = [...all].sort((a, b) => (b.context ?? 0) - (a.context ?? 0));
    const rotary = all.filter(({ encoding }) => encoding === "rotary").length;
    return words.describe(all.length, rotary, longest.name, plain(longest.context ?? 0));
  },
});
