import { nothing, svg, type TemplateResult } from "lit-html";
import { labelOf, shortened } from "../../core/words";
import { widthOf } from "../../draw/text";

/** The height of the words above the picture, in CSS pixels. */
export const wordsHeight = 36;

/**
 * The reader's words above the columns of their positions. Where columns are narrower than words these are spread out, each
 * with a line to its column; words that do not fit are left out.
 */
export function columnWords(
  count: number,
  place: { readonly top: number; readonly right: number; x(index: number): number },
  chosen: number,
): TemplateResult {
  const { top, right, x } = place;
  const drawn: TemplateResult[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < count; index++) {
    const word = labelOf(index);
    if (word === undefined) break;
    const text = shortened(word, 10);
    const half = widthOf(text) / 2;
    const middle = Math.max(x(index), free + half);
    if (middle + half > right) break;
    free = middle + half + 8;
    drawn.push(svg`<g class=${index === chosen ? "column-word chosen" : "column-word"} data-word=${index}>
      <path d="M${x(index)} ${top - 1}v-3L${middle} ${top - 16}" />
      <text x=${middle} y=${top - 21} text-anchor="middle">${text}</text>
    </g>`);
  }
  return drawn.length > 0 ? svg`${drawn}` : svg`${nothing}`;
}
