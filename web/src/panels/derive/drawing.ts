import { svg, type TemplateResult } from "lit-html";
import { fixed, plain, ticks } from "../../core/format";
import { scale } from "../../draw/axes";
import { arrow, arrowTips } from "../../draw/plane";
import type { Model, Ruled } from "./model";
import { count, farthest } from "./state";
import type { en } from "./text.en";

/** From this width on the arrows are beside the scores; on phones above them. */
const wide = 560;
const label = 18;

/** The parts of the drawing, in CSS pixels. */
export function layoutOf(width: number) {
  const isWide = width >= wide;
  const plane = isWide ? Math.min(270, width * 0.38) : 150;
  const height = isWide ? 400 : plane + 330;
  const area = {
    left: isWide ? plane + 76 : 40,
    right: width - 14,
    top: isWide ? 44 : plane + 44,
    bottom: height - 48,
  };
  return { isWide, plane, height, area };
}

/** The distance under a pointer. */
export const distanceAt = (width: number, x: number): number => {
  const { left, right } = layoutOf(width).area;
  return Math.max(0, Math.min(farthest, Math.round(((x - left - 14) / (right - left - 28)) * farthest)));
};

const vectorAt = ({ data }: { readonly data: ArrayLike<number> }, position: number) =>
  [data[2 * position], data[2 * position + 1]] as const;

/** The chosen query and key as arrows, with the angle between them and their lengths. */
function plane({ query, key }: Ruled, { m, n }: Model, width: number, words: typeof en): TemplateResult {
  const { isWide, plane: size, height } = layoutOf(width);
  const all = [...query.data, ...key.data].map(Math.abs);
  const reach = Math.max(2.4, 1.15 * Math.max(...all));
  const unit = size / 2 / reach;
  const pixels = ([x, y]: readonly [number, number]) => [x * unit, -y * unit] as const;
  const [q, k] = [vectorAt(query, m), vectorAt(key, n)];
  const between = (Math.atan2(k[1], k[0]) - Math.atan2(q[1], q[0])) * (180 / Math.PI);
  const apart = fixed(Math.abs(((between + 540) % 360) - 180), 0);
  const dots = (x: { readonly data: ArrayLike<number> }, colour: string) =>
    Array.from({ length: count }, (_, position) => {
      const [left, top] = pixels(vectorAt(x, position));
      return svg`<circle fill=${colour} opacity="0.75" cx=${left} cy=${top} r="2" />`;
    });
  const [x, y, anchor] = isWide ? [0, size / 2 + 24, "middle"] : [size / 2 + 14, 24 - size / 2, "start"];
  return svg`<g transform="translate(${size / 2} ${isWide ? (height - 60) / 2 : size / 2})">
    <defs>${arrowTips("derive")}</defs>
    <g class="axis"><line class="zero" x1=${-size / 2} x2=${size / 2} y1="0" y2="0" /><line class="zero" y1=${-size / 2} y2=${size / 2} x1="0" x2="0" /></g>
    ${dots(query, "var(--query)")} ${dots(key, "var(--key)")}
    ${arrow("derive", `q, ${m}`, pixels(q), "q", true)} ${arrow("derive", `k, ${n}`, pixels(k), "k", true)}
    <text x=${x} y=${y} text-anchor=${anchor} class="apart">${words.apart(apart)}</text>
    <text x=${x} y=${y + label + 2} text-anchor=${anchor} class="axis-name">${words.lengths(fixed(Math.hypot(...q), 1), fixed(Math.hypot(...k), 1))}</text>
  </g>`;
}

/** The scores of all pairs of positions in a column for each distance, and the chosen pair as arrows. */
export function drawing(shown: Model, chosen: Ruled, width: number, words: typeof en): TemplateResult {
  const { area, height } = layoutOf(width);
  const { left, right, top, bottom } = area;
  const distance = shown.m - shown.n;
  const all = Object.values(shown.rules).flatMap(({ scores }) => scores.flat());
  const [low, high] = [Math.min(0, ...all), Math.max(...all)];
  const y = scale({ name: "", low: low - 0.05 * (high - low), high: high + 0.05 * (high - low) }, bottom, top);
  const x = (at: number) => left + 14 + ((right - left - 28) * at) / farthest;
  return svg`${plane(chosen, shown, width, words)}
    <g class="axis">
      ${ticks(low, high, (bottom - top) / 56, false).map(
        (
          value,
        ) => svg`<line class=${value === 0 ? "zero" : "grid"} x1=${left} x2=${right} y1=${y(value)} y2=${y(value)} />
          <text x=${left - 6} y=${y(value)} text-anchor="end" dominant-baseline="central">${plain(value)}</text>`,
      )}
      <text class="axis-name" x=${left - 26} y=${top - 16}>${words.score}</text>
      <text class="axis-name" x=${(left + right) / 2} y=${height - 6} text-anchor="middle">${words.distance}</text>
    </g>
    <rect class="column" fill="var(--accent-wash)" x=${x(distance) - 13} y=${top - 6} width="26"
      height=${bottom - top + 12} rx="13" />
    ${chosen.scores.map(
      (scores, at) => svg`<g class=${at === distance ? "distance chosen" : "distance"} data-distance=${at}>
        ${scores.map((score) => svg`<circle cx=${x(at)} cy=${y(score).toFixed(2)} r=${at === distance ? 4.5 : 3.5} />`)}
        <text class=${at === distance ? "chosen-name" : ""} x=${x(at)} y=${bottom + 22}
          text-anchor="middle">${at}</text>
      </g>`,
    )}
    <circle fill="none" stroke="var(--ink)" stroke-width="2" cx=${x(distance)}
      cy=${y(chosen.scores[distance][shown.n])} r="8" />
    <text class="both" x=${Math.min(right - 60, Math.max(left + 50, x(distance)))} y=${top - 16} text-anchor="middle">${words.both(shown.m, shown.n)}</text>`;
}
