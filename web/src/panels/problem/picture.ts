import { svg, type TemplateResult } from "lit-html";
import { shortened } from "../../core/words";
import { css, entry } from "../../draw/colour";
import { dim, type Model } from "./model";
import type { en } from "./text.en";

const arcs = { top: 6, height: 92 };
const side = Math.sqrt(dim);
const largestCell = 16;

/** Draws arcs of the chosen word's attention, and below each word its output as squares. */
export function picture(shown: Model, chosen: number, width: number, words: typeof en): TemplateResult {
  const { places, isReordered } = shown;
  const step = width / places.length;
  const middle = (place: number) => (place + 0.5) * step;
  const cell = Math.min(largestCell, (step - 8) / side);
  const under = arcs.top + arcs.height;
  const bottom = under + side * cell;
  const widest = Math.min(18, step / 3);
  // Values of positions are as large as those of words.
  const most = shown.hasPositions ? 2 : 1;
  const arc = (to: number) => {
    const [from, end] = [middle(chosen), middle(to)];
    if (to === chosen) return `M${from - 9} ${arcs.top}C${from - 16} 40 ${from + 16} 40 ${from + 9} ${arcs.top}`;
    const depth =
      arcs.top + (arcs.height - 14) * Math.min(1, 0.45 + (0.55 * Math.abs(to - chosen)) / places.length) * 1.3;
    return `M${from} ${arcs.top}C${from} ${depth} ${end} ${depth} ${end} ${arcs.top}`;
  };
  const { word, weights } = places[chosen];
  const list = places.map((each, place) => `${each.word} ${Math.round(100 * weights[place])}%`);
  return svg`<svg class="problem-picture" role="img" aria-label=${words.picture(word, list)}
      width=${width} height=${bottom + 40} viewBox="0 0 ${width} ${bottom + 40}">
    <g fill="none" stroke="var(--accent)" stroke-linecap="round">
      ${places.map((_, to) => svg`<path d=${arc(to)} stroke-width=${1 + weights[to] * widest} opacity=${0.6 + 0.4 * weights[to]} />`)}
    </g>
    ${places.map(({ word, output, isChanged }, place) => {
      const left = middle(place) - (side * cell) / 2;
      const isChosen = place === chosen;
      return svg`<g class="output">
        ${output.map(
          (value, dimension) =>
            svg`<rect x=${left + (dimension % side) * cell} y=${under + Math.floor(dimension / side) * cell}
              width=${cell} height=${cell} fill=${css[entry(value / most)]} />`,
        )}
        <rect class="frame" x=${left} y=${under} width=${side * cell} height=${side * cell} fill="none"
          stroke=${isChosen ? "var(--accent)" : "var(--edge)"} stroke-width=${isChosen ? 2.5 : 1} />
        <text x=${middle(place)} y=${bottom + 16} text-anchor="middle">${shortened(word, Math.max(3, Math.floor(step / 8)))}</text>
        <text class=${isChanged ? "changed" : "same"} x=${middle(place)} y=${bottom + 33} text-anchor="middle">${
          isReordered ? `${isChanged ? "≠" : "="}${step < 72 ? "" : ` ${isChanged ? words.changed : words.same}`}` : ""
        }</text>
      </g>`;
    })}
  </svg>`;
}
