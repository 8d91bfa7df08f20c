import { svg, type TemplateResult } from "lit-html";
import { significant } from "../core/format";
import { page } from "../core/page-state";
import { palette } from "./colour";

/** Width of the bar with the gap before it and its numbers, in CSS pixels. */
export const colourBarRoom = 62;

const barWidth = 10;
const steps = 16;

/**
 * The legend of a drawing's colours, from `most` down to -`most`: to the right of `right`, from `top` on, about as high
 * as `room`. `id` is the drawing's.
 */
export function colourBar(id: string, most: number, right: number, top: number, room: number): TemplateResult {
  const colours = palette(page.palette.value).css;
  const height = Math.max(60, Math.min(160, room));
  const x = right + 12;
  return svg`<g class="axis">
    <defs><linearGradient id="${id}-colours" x1="0" x2="0" y1="0" y2="1">
      ${Array.from({ length: steps + 1 }, (_, at) => svg`<stop offset=${at / steps} stop-color=${colours[255 - Math.min(255, at * steps)]} />`)}
    </linearGradient></defs>
    <rect x=${x} y=${top} width=${barWidth} height=${height} fill="url(#${id}-colours)" />
    ${[most, 0, -most].map(
      (value, step) => svg`<text x=${x + barWidth + 4} y=${top + 5 + (step * (height - 10)) / 2}
        dominant-baseline="central">${significant(value, 3)}</text>`,
    )}
  </g>`;
}
