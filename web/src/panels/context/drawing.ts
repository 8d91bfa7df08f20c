import { svg, type TemplateResult } from "lit-html";
import { fixed, significant } from "../../core/format";
import { scale } from "../../draw/axes";
import { drawnRules, type Model, type Rule } from "./model";
import type { en } from "./text.en";

const top = 42;
const bottom = 300;
const barHeight = 24;
const left = 40;

/** The height of the whole drawing: the chart, and a bar for each method below it. */
export const height = bottom + 66 + drawnRules.length * barHeight;

/** Where along its line a method has its name: lines lie apart there. */
const nameAt: Readonly<Record<(typeof drawnRules)[number], number>> = {
  default: 0.62,
  linear: 0.22,
  ntk: 0.45,
  yarn: 0.7,
};

/** The pair under a pointer. */
export const pairAt = (x: number, width: number, count: number): number =>
  Math.max(0, Math.min(count - 1, Math.round(((x - left) / (width - left - 12)) * (count - 1))));

/** How many times slower each pair becomes, with the pairs that this harms; and what the lab measured of the same methods. */
export function drawing(shown: Model, rule: Rule, width: number, words: typeof en): TemplateResult {
  const { pairs, factor, borders, slower, chosen, measured } = shown;
  const last = pairs.length - 1;
  const right = width - 12;
  const x = scale({ name: "", low: 0, high: last }, left, right);
  const y = scale({ name: "", low: 1, high: Math.max(2, factor), log: true }, bottom, top + 16);
  const path = (values: readonly number[]) =>
    values.map((value, pair) => `${x(pair).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const steps = Array.from({ length: Math.floor(Math.log2(Math.max(2, factor))) + 1 }, (_, step) => 2 ** step);
  const zone = (from: number, to: number) =>
    svg`<rect class="zone" fill="var(--line)" opacity="0.55" x=${x(Math.max(0, from - 0.5))} y=${top}
      width=${Math.max(0, x(Math.min(last, to - 0.5)) - x(Math.max(0, from - 0.5)))} height=${bottom - top + 8} />`;
  const kind = (each: Rule) => (each === rule ? "chosen-name" : "");
  const most = Math.max(...Object.values(measured.at));
  const [from, along] = [left + 34, right - left - 84];
  const barTop = bottom + 64;
  return svg`
    ${zone(0, borders[0])} ${zone(borders[1], pairs.length)}
    <g class="axis">
      <text x="0" y="14" class="axis-name">${words.slower}</text>
      <text x=${left} y=${top - 8} class="axis-name">${words.fast}</text>
      <text x=${right} y=${top - 8} text-anchor="end" class="axis-name">${words.slow}</text>
      ${steps.map((step) => svg`<line class="grid" x1=${left} x2=${right} y1=${y(step)} y2=${y(step)} /><text x=${left - 6} y=${y(step)} text-anchor="end" dominant-baseline="central">${step}×</text>`)}
      <text x=${left} y=${bottom + 24} class="axis-name">${words.first}</text>
      <text x=${right} y=${bottom + 24} text-anchor="end" class="axis-name">${words.last}</text>
    </g>
    ${drawnRules.map((each) => {
      const at = Math.round(nameAt[each] * last);
      return svg`<g class="method"><polyline points=${path(slower[each])} />
        <text class=${kind(each)} x=${x(at)} y=${y(slower[each][at]) - (each === rule ? 14 : 8)}
          text-anchor="middle">${words.names[each]}</text></g>`;
    })}
    ${pairs.map(
      ({ slower: value, isSqueezed, isNew }, pair) => svg`<circle class=${isSqueezed || isNew ? "harmed" : "kept"}
      fill=${isSqueezed || isNew ? "var(--warm)" : "var(--accent)"} cx=${x(pair)} cy=${y(value)} r=${pair === chosen ? 6 : 4} />`,
    )}
    <text x="0" y=${barTop - 12} class="measured">${words.measured(measured.longest, measured.stretch)}</text>
    ${drawnRules.map((each, row) => {
      const middle = barTop + (row + 0.5) * barHeight;
      const wide = (measured.at[each] / most) * along;
      return svg`<g class="bar" data-measured=${each}>
        <text class=${kind(each)} x="0" y=${middle} dominant-baseline="central">${words.names[each]}</text>
        <rect x=${from} y=${middle - 8} width=${wide} height="16"
          fill=${each === rule ? "var(--accent)" : "var(--edge)"} />
        <text class=${kind(each)} x=${from + wide + 6} y=${middle}
          dominant-baseline="central">${fixed(measured.at[each], 1)}</text>
      </g>`;
    })}
    <line stroke="var(--ink)" stroke-width="2" x1=${from + (measured.within / most) * along}
      x2=${from + (measured.within / most) * along} y1=${barTop - 4} y2=${barTop + drawnRules.length * barHeight} />
    <title>${words.within(significant(measured.within, 2))}</title>`;
}
