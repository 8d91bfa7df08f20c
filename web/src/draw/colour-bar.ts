import { nothing, svg, type TemplateResult } from "lit-html";
import { plain, significant } from "../core/format";
import type { Shades } from "./shades";

/** Width of the bar with the gap before it and its numbers, in CSS pixels. */
export const colourBarWidth = 62;

const barWidth = 10;
const stepHeight = 16;

/** The height of the legend beside a drawing of height `space`. */
export function colourBarHeight({ legend }: Shades, space: number): number {
  return "steps" in legend
    ? Math.min(legend.steps.length * stepHeight, Math.max(60, space))
    : Math.max(60, Math.min(160, space));
}

/**
 * The legend of a drawing's colours, to the right of `right`, from `top` on, of about the height `space`. `id` is the
 * drawing's.
 */
export function colourBar(id: string, shades: Shades, right: number, top: number, space: number): TemplateResult {
  const { legend } = shades;
  const height = colourBarHeight(shades, space);
  const x = right + 12;
  if ("steps" in legend) {
    const each = height / legend.steps.length;
    // Where steps are too thin for their numbers, every other one is named, or fewer.
    const every = Math.ceil(11 / each);
    return svg`<g class="axis" data-steps=${legend.steps.length}>
      ${legend.steps.map(
        (
          [value, colour],
          at,
        ) => svg`<rect x=${x} y=${top + at * each} width=${barWidth} height=${each} fill=${colour} />
          ${
            at % every === 0
              ? svg`<text x=${x + barWidth + 4} y=${top + (at + 0.5) * each} dominant-baseline="central">${plain(value)}</text>`
              : nothing
          }`,
      )}
    </g>`;
  }
  const { colours, values } = legend;
  return svg`<g class="axis">
    <defs><linearGradient id="${id}-colours" x1="0" x2="0" y1="0" y2="1">
      ${colours.map((colour, at) => svg`<stop offset=${at / (colours.length - 1)} stop-color=${colour} />`)}
    </linearGradient></defs>
    <rect x=${x} y=${top} width=${barWidth} height=${height} fill="url(#${id}-colours)" />
    ${values.map(
      (value, step) => svg`<text x=${x + barWidth + 4} y=${top + 5 + (step * (height - 10)) / (values.length - 1)}
        dominant-baseline="central">${significant(value, 3)}</text>`,
    )}
  </g>`;
}
