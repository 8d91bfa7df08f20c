import { nothing, svg, type TemplateResult } from "lit-html";
import { plain, significant } from "../../core/format";
import type { Model, Pair } from "./model";

/** The least width of a plane, on phones and elsewhere. */
const [narrow, wide] = [116, 200];
const margin = 78;

/** The colour and dash of each position's arrow: not by colour alone. */
const looks = [
  ["light-dark(#440154, #d9c2e6)", "none"],
  ["light-dark(#3b528b, #9db4ea)", "9 3"],
  ["light-dark(#1f7a78, #57c7c4)", "4 3"],
  ["light-dark(#2f7d32, #7ed957)", "8 2 2 2"],
  ["light-dark(#9a6a00, #fde725)", "2 2"],
] as const;

/** The arrow of a position, from one point to the other. */
export const arrow = (at: number, [[x1, y1], [x2, y2]]: readonly (readonly [number, number])[], kind = "", name = "") =>
  svg`<line class="pair-arrow ${kind}" data-arrow=${name || nothing} x1=${x1} y1=${y1} x2=${x2} y2=${y2}
    stroke=${looks[at][0]}
    stroke-dasharray=${looks[at][1]} marker-end="url(#pairs-tip-${at})" />`;

/** Arrows closer than this share one label: their names would overlap. */
const together = (text: string) => ((17 + 1.7 * text.length) * Math.PI) / 180;
const between = (a: number, b: number) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));

/** Positions in the order given, grouped where their arrows (nearly) coincide. */
function labels({ values }: Pair, positions: readonly number[]): { angle: number; text: string }[] {
  const found: { angle: number; text: string }[] = [];
  values.forEach(([a, b], at) => {
    const angle = Math.atan2(b, a);
    const near = found.find((label) => between(angle, label.angle) < together(label.text));
    if (near) near.text += `, ${plain(positions[at])}`;
    else found.push({ angle, text: plain(positions[at]) });
  });
  return found;
}

/** The label beyond the tips of its arrows, within the plane's frame. */
function labelText({ angle, text }: { angle: number; text: string }, width: number, radius: number): TemplateResult {
  const half = 3.9 * text.length;
  const available = width / 2 - 8 - half;
  const x = Math.cos(angle) * (radius + 4 + half);
  // A long one goes above or below the circle, clear of the tips.
  const y = text.length > 4 ? -Math.sign(Math.sin(angle) || 1) * (radius + 9) : -Math.sin(angle) * (radius + 13);
  return svg`<text class="pair-label" x=${Math.max(-available, Math.min(available, x))} y=${y}
    text-anchor="middle" dominant-baseline="central">${text}</text>`;
}

/** Returns how many planes are beside each other in a drawing of this width, and how large they are. */
function layoutOf(count: number, available: number) {
  const least = available < 3 * wide ? narrow : wide;
  const columns = Math.max(1, Math.min(count, 6, Math.floor(available / least)));
  const width = Math.min(240, available / columns);
  const radius = Math.max(40, Math.min(64, width / 3.5));
  const height = 2 * radius + margin;
  return { columns, width, radius, height, whole: Math.ceil(count / columns) * height };
}

/** A plane for each pair, an arrow in it for each position; `choose` is called with the arrow that is pointed at. */
export function drawing(
  shown: Model,
  available: number,
  title: (pair: Pair, index: number) => string,
  choose: (pair: number, at: number) => void,
): TemplateResult {
  const { columns, width, radius, height, whole } = layoutOf(shown.pairs.length, available);
  const longest = Math.max(...shown.pairs[0].values.map(([a, b]) => Math.hypot(a, b))) || 1;
  const unit = radius / longest;

  const plane = (pair: Pair, index: number) => {
    const chosen = shown.chosen.pair === index;
    const left = (index % columns) * width;
    const top = Math.floor(index / columns) * height;
    const ends = pair.values.map(([a, b]) => [a * unit, -b * unit] as const);
    const hit = ([x, y]: readonly [number, number], at: number) =>
      svg`<line class="hit" data-screen-only x1=${x / 3} y1=${y / 3} x2=${x * 1.2} y2=${y * 1.2}
        stroke="transparent" stroke-width="24" cursor="pointer" @pointerenter=${() => choose(index, at)} @pointerdown=${() => choose(index, at)} />`;
    return svg`<g class="pair-plane" transform="translate(${left} ${top})" data-pair=${index}>
      <rect class="frame" x="3" y="3" width=${width - 6} height=${height - 6} rx="6" fill="var(--raised)"
        stroke=${chosen ? "var(--accent)" : "var(--line)"} stroke-width=${chosen ? 2 : 1} />
      <text x=${width / 2} y="19" text-anchor="middle" class="pair-title">${title(pair, index)}</text>
      <text x=${width / 2} y="34" text-anchor="middle" class="pair-angle">${significant(pair.degrees, 3)}°</text>
      <g transform="translate(${width / 2} ${(height + 34) / 2})">
        <g class="axis">
          <line class="zero" x1=${-radius - 6} x2=${radius + 6} y1="0" y2="0" />
          <line class="zero" y1=${-radius - 6} y2=${radius + 6} x1="0" x2="0" />
          <circle fill="none" stroke="var(--edge)" r=${radius} />
        </g>
        ${ends.map((end, at) => arrow(at, [[0, 0], end], chosen && shown.chosen.at === at ? "chosen" : "", `${index}-${at}`))}
        ${labels(pair, shown.positions).map((label) => labelText(label, width, radius))}
        ${ends.map(hit)}
      </g>
    </g>`;
  };

  return svg`<svg class="pair-planes" aria-hidden="true" width=${columns * width} height=${whole} viewBox="0 0 ${columns * width} ${whole}">
    <defs>
      ${shown.positions.map(
        (_, at) => svg`<marker id="pairs-tip-${at}" viewBox="0 0 10 10" refX="9.5" refY="5"
          markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path fill=${looks[at][0]}
            d="M0 .5 10 5 0 9.5z" /></marker>`,
      )}
    </defs>
    ${shown.pairs.map(plane)}
  </svg>`;
}
