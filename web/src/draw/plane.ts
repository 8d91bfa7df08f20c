import { nothing, svg, type TemplateResult } from "lit-html";
import { fixed, ticks } from "../core/format";
import { widthOf } from "./text";
import "./plane.css";

/** Grid and numbers of a square plane with its origin in the middle, from -reach to reach both ways. */
export function planeAxes(reach: number, size: number): TemplateResult {
  const half = size / 2;
  const unit = half / reach;
  const grid = ticks(-reach, reach, size / 80, false).filter((tick) => Math.abs(tick) * unit < half - 6);
  return svg`<g class="axis">
    ${grid.map(
      (
        tick,
      ) => svg`<line class=${tick === 0 ? "zero" : "grid"} x1=${tick * unit} x2=${tick * unit} y1=${-half} y2=${half} />
        <line class=${tick === 0 ? "zero" : "grid"} y1=${-tick * unit} y2=${-tick * unit} x1=${-half} x2=${half} />
        ${
          tick === 0
            ? ""
            : svg`<text x=${tick * unit} y="14" text-anchor="middle">${fixed(tick, 1)}</text>
              <text x="-6" y=${-tick * unit} text-anchor="end" dominant-baseline="central">${fixed(tick, 1)}</text>`
        }`,
    )}
  </g>`;
}

/** The tips of arrows: a triangle for queries, a circle for keys. `name` makes their ids unique on the page. */
export function arrowTips(name: string): TemplateResult {
  return svg`${(["after", "before"] as const).map(
    (
      when,
    ) => svg`<marker id="${name}-q-${when}" class="tip q ${when}" viewBox="0 0 10 10" refX="9.5" refY="5" markerWidth="10"
        markerHeight="10" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .5 10 5 0 9.5z" /></marker>
      <marker id="${name}-k-${when}" class="tip k ${when}" viewBox="0 0 12 12" refX="10.5" refY="6" markerWidth="12"
        markerHeight="12" markerUnits="userSpaceOnUse" orient="auto"><circle cx="6" cy="6" r="4.2" /></marker>`,
  )}`;
}

/**
 * An arrow from the origin to (x, y) in pixels, with its name beyond the tip; a word goes on outwards, as far as a plane of
 * `half` pixels each way is free.
 */
export function arrow(
  tips: string,
  name: string,
  [x, y]: readonly [number, number],
  kind: "q" | "k",
  rotated: boolean,
  beside?: { readonly word: string; readonly half: number },
): TemplateResult {
  const length = Math.hypot(x, y) || 1;
  const outward = rotated ? 19 : 13;
  const when = rotated ? "after" : "before";
  let middle = x + (x / length) * outward;
  if (beside?.word) {
    const wide = 8.5 * name.length + widthOf(` ${beside.word}`, 7);
    const space = beside.half - wide / 2 - 4;
    middle = Math.max(-space, Math.min(space, middle + ((x / length) * (wide - 20)) / 2));
  }
  return svg`<g class="arrow ${kind} ${when}" data-arrow=${name}>
    <line x1="0" y1="0" x2=${x} y2=${y} marker-end="url(#${tips}-${kind}-${when})" />
    <text x=${middle} y=${y + (y / length) * outward}
      text-anchor="middle" dominant-baseline="central">${name}${
        beside?.word ? svg`<tspan class="arrow-word"> ${beside.word}</tspan>` : nothing
      }</text>
  </g>`;
}
