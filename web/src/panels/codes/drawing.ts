import { svg, type TemplateResult } from "lit-html";
import { fixed } from "../../core/format";
import { text } from "../../core/i18n";
import { diverging } from "../../draw/shades";
import { type CodeName, codeNames, dim, type Model, otherLength } from "./model";
import type { en } from "./text.en";

const high = 84;
const named = 22;
const band = (isWide: boolean) => high + (isWide ? 36 : named + 44);

/** Bars from a line up, as high as their values. */
const bars = (
  values: readonly number[],
  most: number,
  wide: number,
  classOf: (value: number, at: number) => string,
) => {
  const each = wide / values.length;
  return values.map((value, at) => {
    const tall = Math.max(1, (value / most) * (high - 12));
    return svg`<rect class=${classOf(value, at)} x=${at * each + 1} y=${high - tall} width=${Math.max(1, each - 2)} height=${tall} />`;
  });
};

/** The values of a table as cells, a column for each position. */
function cells(
  table: ArrayLike<number>,
  count: number,
  wide: number,
  colour: (value: number) => string,
): TemplateResult {
  const [across, down] = [wide / (table.length / count), high / count];
  return svg`${Array.from(
    table,
    (
      value,
      at,
    ) => svg`<rect x=${Math.floor(at / count) * across} y=${(at % count) * down} width=${across - 1} height=${down - 1}
      fill=${colour(value)} stroke="var(--edge)" stroke-width="0.5" />`,
  )}`;
}

/** The codes themselves. */
function code(name: CodeName, shown: Model, wide: number, words: typeof en): TemplateResult {
  const { codes, length, word, otherStep } = shown;
  const { table, lengths } = codes[name];
  switch (name) {
    case "count":
      return svg`<rect x="0" y=${high - (word / (length - 1)) * (high - 12)} width=${wide}
        height=${(word / (length - 1)) * (high - 12)}
          fill="var(--line)" stroke="var(--edge)" />
        ${bars(lengths, length - 1, wide, (value) => (value > word ? "bad" : "good"))}
        <text x="4" y="12" class="axis-name">${words.grey}</text>`;
    case "share": {
      const line = (count: number, y: number, step: number) => svg`
        <line stroke="var(--edge)" x1="4" x2=${wide - 4} y1=${y} y2=${y} />
        <line stroke="var(--warm)" stroke-width="4" x1="4" x2=${4 + step * (wide - 8)} y1=${y} y2=${y} />
        ${Array.from({ length: count }, (_, at) => svg`<circle class="good" cx=${4 + (at / (count - 1)) * (wide - 8)} cy=${y} r="3.5" />`)}
        <text x=${wide - 4} y=${y - 9} text-anchor="end" class="axis-name">${words.text(count)}</text>`;
      return svg`${line(length, 26, codes.share.steps[0])} ${line(otherLength, 68, otherStep)}`;
    }
    case "bits":
      return cells(table.data, table.shape[1], wide, (value) => (value > 0 ? "var(--key)" : "var(--raised)"));
    case "waves":
      return cells(table.data, dim, wide, diverging(1).colour);
  }
}

/** The steps from each position to the next. */
function steps(name: CodeName, { codes, otherStep }: Model, wide: number): TemplateResult {
  const { steps: all } = codes[name];
  if (name === "share") return svg`${bars([all[0], otherStep], Math.max(all[0], otherStep), wide * 0.6, () => "bad")}`;
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const isEven = most - least < 1e-3;
  return svg`${bars(all, isEven ? 1.4 * most : most, wide, (value) => (isEven || value <= least * 1.01 ? "good" : "bad"))}`;
}

/** Four ways to write a position, in rows: the codes, and how far each is from the next. */
export function drawing(shown: Model, width: number, words: typeof en): TemplateResult {
  const isWide = width > 560;
  const left = isWide ? 150 : 0;
  const wide = (width - left - 24) * 0.6;
  const other = (width - left - 24) * 0.4;
  const tall = band(isWide);
  const height = 22 + codeNames.length * tall;
  const notes = words.notes(shown);
  return svg`<svg class="codes-picture" role="img" aria-label=${words.picture} width=${width} height=${height} viewBox="0 0 ${width} ${height}">
    <g class="axis"><text x=${left} y="14" class="axis-name">${words.code}</text>
      <text x=${left + wide + 24} y="14" class="axis-name">${words.step}</text></g>
    ${codeNames.map((name, row) => {
      const top = 22 + row * tall;
      const y = top + (isWide ? 14 : named + 26);
      return svg`<g data-code=${name}>
        <text class="name" x="0" y=${top + 22}>${words.names[name]}</text>
        ${isWide ? notes[name].split("\n").map((line, at) => svg`<text class=${name === "waves" ? "note-good" : "note-bad"} x="0" y=${top + 44 + 18 * at}>${line}</text>`) : svg`<text class=${name === "waves" ? "note-good" : "note-bad"} x="0" y=${top + 40}>${notes[name].replaceAll("\n", text.value.gap)}</text>`}
        <g transform="translate(${left} ${y})">${code(name, shown, wide, words)}</g>
        <g transform="translate(${left + wide + 24} ${y})">${steps(name, shown, other)}</g>
      </g>`;
    })}
  </svg>`;
}

/** The numbers that notes give. */
export const two = (value: number) => fixed(value, 2);
