import { html, render, svg } from "lit-html";
import type { PosencFull } from "posenc/full";
import { choices } from "../../controls";
import { plain, significant } from "../../core/format";
import type { Context, FullPanelModule, Panel } from "../../core/panel";
import { axes, scale } from "../../draw/axes";
import { fileOf } from "../../draw/files";
import { scrollTable } from "../../draw/table";
import { models, type Published } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

const texts = { en, zh };
type Text = typeof en;

/** Bytes of a token in bfloat16. */
const room = (numbers: number) => `${significant((2 * numbers) / 1024, 3)} KiB`;

/** A dot for each model with a limit; models of one year stand beside one another. */
function chart(words: Text, all: readonly Published[], width: number) {
  const limited = all.filter(({ context }) => context !== undefined);
  const years = limited.map(({ year }) => year);
  const area = { left: 64, top: 30, across: width - 150, down: 230 };
  const height = area.top + area.down + 40;
  const x = { name: words.yearAxis, low: Math.min(...years), high: Math.max(...years) + 1, whole: true };
  const y = {
    name: words.contextAxis,
    low: 256,
    high: 262144,
    log: true,
  };
  const across = scale(x, area.left, area.left + area.across);
  const up = scale(y, area.top + area.down, area.top);
  const dot = ({ name, year, context, encoding }: Published, at: number) => {
    const before = limited.slice(0, at).filter((other) => other.year === year).length;
    const same = limited.filter((other) => other.year === year).length;
    const left = across(year + (before + 0.5) / same);
    return svg`<g class=${encoding} transform="translate(${left} ${up(context as number)})">
      <circle r="5" /><text x="9" dominant-baseline="central" class="halo">${name}</text>
    </g>`;
  };
  return svg`<svg class="models-chart" role="img" aria-label=${words.chart} width=${width} height=${height} viewBox="0 0 ${width} ${height}">
    ${axes(area, x, y)}${limited.map(dot)}
  </svg>`;
}

function mount(element: HTMLElement, context: Context<PosencFull>): Panel {
  const { pe } = context;
  const line = (words: Text, { name, year, encoding, bases, rules, context: positions, cache }: Published) =>
    html`<tr data-model=${name}>
      <td>${year}</td>
      <th scope="row" lang="en">${name}</th>
      <td data-encoding=${encoding}>${words.encodings[encoding]}</td>
      <td>${bases.map(plain).join(" / ") || "–"}</td>
      <td>${rules.join(" / ") || "–"}</td>
      <td>${positions === undefined ? words.noLimit : plain(positions)}</td>
      <td>${cache === undefined ? "–" : room(cache)}</td>
    </tr>`;
  return {
    update() {
      const words = texts[context.language()];
      const all = models(pe);
      const byYear = [...all].sort((a, b) => a.year - b.year);
      render(
        html`${chart(words, byYear, context.width())} ${choices(state.modelsBy, words.by, words.orders)}
          ${scrollTable(
            words.table,
            Object.values(words.columns),
            all.map((one) => line(words, one)),
            "models",
          )}`,
        element,
      );
    },
    rows() {
      return [
        ["year", "model", "encoding", "base", "rule", "context", "numbers cached per token"],
        ...models(pe).map(({ year, name, encoding, bases, rules, context: positions, cache }) => [
          year,
          name,
          encoding,
          bases.join(" / "),
          rules.join(" / "),
          positions ?? "",
          cache ?? "",
        ]),
      ];
    },
    svg: fileOf(element, ".models-chart"),
    describe() {
      const all = models(pe);
      const [longest] = [...all].sort((a, b) => (b.context ?? 0) - (a.context ?? 0));
      const rotary = all.filter(({ encoding }) => encoding === "rotary").length;
      return texts[context.language()].describe(all.length, rotary, longest.name, plain(longest.context ?? 0));
    },
  };
}

export const panel: FullPanelModule = { library: "full", uses: Object.values(state), texts, mount };
