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

const colours = { q: "var(--query)", k: "var(--key)" };

/** The tips of arrows: a triangle for queries, a circle for keys. `name` makes their ids unique on the page. */
export function arrowTips(name: string): TemplateResult {
  return svg`${(["after", "before"] as const).map(
    (when) => svg`<marker id="${name}-q-${when}" viewBox="0 0 10 10" refX="9.5" refY="5" markerWidth="10"
        markerHeight="10" markerUnits="userSpaceOnUse" orient="auto"><path fill=${colours.q}
          d="M0 .5 10 5 0 9.5z" /></marker>
      <marker id="${name}-k-${when}" viewBox="0 0 12 12" refX="10.5" refY="6" markerWidth="12"
        markerHeight="12" markerUnits="userSpaceOnUse" orient="auto"><circle cx="6" cy="6" r="4.2" fill="var(--raised)"
        stroke=${colours.k} stroke-width="1.8" /></marker>`,
  )}`;
}

/** The middle of a label, and how wide it is. */
export type Label = readonly [x: number, y: number, wide: number];

/** Degrees by which a label may leave the direction of its arrow, so as not to lie on another. */
const turns = [0, 30, -30, 60, -60];

const areApart = ([x, y, wide]: Label, [otherX, otherY, otherWide]: Label) =>
  Math.abs(x - otherX) > (wide + otherWide) / 2 + 6 || Math.abs(y - otherY) > 15;

/**
 * An arrow from the origin to (x, y) in pixels, with its name beyond the tip, where none of the labels that are `taken`
 * is; a word goes on outwards, as far as a plane of `half` pixels each way is free.
 */
export function arrow(
  tips: string,
  name: string,
  [x, y]: readonly [number, number],
  kind: "q" | "k",
  rotated: boolean,
  beside?: { readonly word: string; readonly half: number; readonly taken: Label[] },
): TemplateResult {
  const outward = rotated ? 19 : 13;
  const when = rotated ? "after" : "before";
  const wide = 8.5 * name.length + (beside?.word ? widthOf(` ${beside.word}`, 7) : 0);
  const space = beside ? beside.half - wide / 2 - 4 : Number.POSITIVE_INFINITY;
  const labels = turns.map((turn): Label => {
    const angle = Math.atan2(y, x) + (turn * Math.PI) / 180;
    const middle = x + Math.cos(angle) * (outward + (beside?.word ? (wide - 20) / 2 : 0));
    return [Math.max(-space, Math.min(space, middle)), y + Math.sin(angle) * outward, wide];
  });
  const label = labels.find((each) => beside?.taken.every((other) => areApart(each, other))) ?? labels[0];
  beside?.taken.push(label);
  return svg`<g class="arrow ${kind} ${when}" data-arrow=${name}>
    <line x1="0" y1="0" x2=${x} y2=${y} stroke=${colours[kind]} stroke-width=${rotated ? 2 : 1.4}
      stroke-dasharray=${rotated ? "none" : "5 4"} marker-end="url(#${tips}-${kind}-${when})" />
    <text x=${label[0]} y=${label[1]}
      text-anchor="middle" dominant-baseline="central">${name}${
        beside?.word ? svg`<tspan class="arrow-word"> ${beside.word}</tspan>` : nothing
      }</text>
  </g>`;
}
