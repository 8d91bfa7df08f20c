import { nothing, svg, type TemplateResult } from "lit-html";
import { plain, significant } from "../../core/format";
import { type Layer, type Published, sharesOf } from "./model";
import type { en } from "./text.en";

const rowHeight = 25;
const top = 28;
/** The side of a mark, and from one to the next. */
const side = 12;
/** Layers of a model that are drawn; a pattern of today's models repeats within as many. */
export const most = 12;

/** 128K and 10M: a power of two has thousands of 1024, as configs are written. */
export function amount(value: number): string {
  const thousand = value % 1024 === 0 ? 1024 : 1000;
  if (value < 1000) return plain(value);
  if (value < thousand ** 2) return `${significant(value / thousand, 3)}K`;
  return `${significant(value / thousand ** 2, 3)}M`;
}

/** A mark for what a layer does about positions: small where it sees a window alone. */
export function mark({ does, share, isNarrow }: Layer, x: number, y: number): TemplateResult | typeof nothing {
  const size = isNarrow ? 7 : side;
  const [left, up] = [x + (side - size) / 2, y - size / 2];
  switch (does) {
    case "rotates":
      return svg`<g class="rotates" fill="var(--accent)">
        <rect x=${left + 0.5} y=${up + 0.5} width=${size - 1} height=${size - 1} rx="2" fill="var(--accent-wash)"
          stroke="var(--accent)" />
        <rect x=${left} y=${up + size * (1 - share)} width=${size} height=${size * share} rx="1.5" /></g>`;
    case "none":
      return svg`<rect class="none" x=${left + 1} y=${up + 1} width=${size - 2} height=${size - 2} rx="2" fill="none"
        stroke="var(--ink)" stroke-width="2" />`;
    case "recurrent":
      return svg`<circle fill="var(--quiet)" cx=${x + side / 2} cy=${y} r="2.5" />`;
    case "bias":
      return svg`<path fill="var(--warm)" d="M${x} ${y + 6.5}h${side}v-${side}Z" />`;
    case "unread":
      return nothing;
    case "added":
      return svg`<rect fill="var(--edge)" x=${left} y=${up} width=${size} height=${size} rx="2" />`;
  }
}

/** What is written behind a model's layers, where there is space. */
const noteOf = (one: Published, words: typeof en): string => {
  const { encoding, windows, rules } = one;
  const part = sharesOf(one).find((share) => share < 1);
  return [
    ...(encoding === "alibi" ? ["ALiBi"] : encoding === "t5" ? ["T5"] : []),
    ...(part === undefined ? [] : [`${significant(100 * part, 2)} %`]),
    ...windows.map((size) => words.window(amount(size))),
    ...rules.filter((rule) => rule !== "proportional").map((rule) => words.rules[rule] ?? rule),
  ].join(", ");
};

/** A row for each model: its year, name, first layers, base and context. Rows that are not chosen are faint. */
export function chart(
  all: readonly Published[],
  chosen: readonly Published[],
  width: number,
  words: typeof en,
): TemplateResult {
  const isWide = width > 600;
  const height = top + all.length * rowHeight + 4;
  const [strip, pitch, right] = [isWide ? 180 : 160, isWide ? 15 : 13, width - 2];
  const base = isWide ? right - 72 : 0;
  return svg`<svg class="choose-chart" role="img" aria-label=${words.chart} width=${width} height=${height} viewBox="0 0 ${width} ${height}">
    <g class="axis">
      <text x=${strip} y="14" class="axis-name">${words.layers}</text>
      ${isWide ? svg`<text x=${base} y="14" class="axis-name" text-anchor="end">${words.base}</text>` : nothing}
      <text x=${right} y="14" class="axis-name" text-anchor="end">${words.context}</text>
    </g>
    ${all.map((one, at) => {
      const y = top + (at + 0.5) * rowHeight;
      const isNew = one.year !== all[at - 1]?.year;
      return svg`<g class=${chosen.includes(one) ? "row" : "row faint"} data-model=${one.name}>
        ${
          isNew
            ? svg`<line class="grid" stroke="var(--line)" x1="0" x2=${width} y1=${y - rowHeight / 2}
          y2=${y - rowHeight / 2} /><text x="0" y=${y} class="year" dominant-baseline="central">${one.year}</text>`
            : nothing
        }
        <text x=${isWide ? 48 : 40} y=${y} class="model" dominant-baseline="central">${one.name}</text>
        ${one.layers.slice(0, most).map((layer, place) => mark(layer, strip + place * pitch, y))}
        ${one.encoding === "none" ? svg`<text x=${strip + 8} y=${y} dominant-baseline="central">${words.marks.none}</text>` : nothing}
        ${
          isWide
            ? svg`<text x=${strip + most * pitch + 10} y=${y} dominant-baseline="central">${noteOf(one, words)}</text>
          <text x=${base} y=${y} text-anchor="end" dominant-baseline="central">${one.bases.length > 0 ? amount(one.bases[0]) : ""}</text>`
            : nothing
        }
        <text x=${right} y=${y} text-anchor="end" dominant-baseline="central">${one.context === undefined ? words.any : amount(one.context)}</text>
      </g>`;
    })}
  </svg>`;
}
