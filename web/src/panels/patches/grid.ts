import { svg, type TemplateResult } from "lit-html";
import { colourBar, colourBarWidth } from "../../draw/colour-bar";
import { mark } from "../../draw/mark";
import { outlines, scene } from "../../draw/scene";
import { diverging } from "../../draw/shades";
import type { Similarity } from "./model";

const margin = { left: 30, top: 24, right: colourBarWidth, bottom: 2 };

/**
 * A cell for each patch of the image, coloured by its similarity; a frame around the chosen one, a dashed one around the one pointed
 * at.
 */
export function grid(
  shown: Similarity,
  available: number,
  colour: (value: number) => string,
  act: { over(y: number, x: number): void; choose(y: number, x: number): void },
): TemplateResult {
  const { height, width, scores, chosen, over } = shown;
  const side = Math.floor(Math.min(40, (available - margin.left - margin.right) / width));
  const [whole, tall] = [
    margin.left + margin.right + side * width,
    margin.top + margin.bottom + Math.max(60, side * height),
  ];
  const each = Math.max(1, Math.ceil(24 / side));

  const at = (event: PointerEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const place = (offset: number, size: number, count: number) =>
      Math.max(0, Math.min(count - 1, Math.floor((offset / size) * count)));
    return [
      place(event.clientY - box.top, box.height, height),
      place(event.clientX - box.left, box.width, width),
    ] as const;
  };
  const frame = ([y, x]: readonly [number, number], inner: number, dashes?: string) => {
    const within = side - 2 * inner;
    return mark(margin.left + x * side + inner, margin.top + y * side + inner, within, within, dashes);
  };

  // The image shows through its patches, its outlines lie above.
  return svg`<svg class="patch-grid" aria-hidden="true" width=${whole} height=${tall} viewBox="0 0 ${whole} ${tall}">
    <g class="axis">
      ${Array.from({ length: width }, (_, x) => (x % each === 0 ? svg`<text x=${margin.left + (x + 0.5) * side} y="15" text-anchor="middle">${x}</text>` : ""))}
      ${Array.from({ length: height }, (_, y) => (y % each === 0 ? svg`<text x=${margin.left - 8} y=${margin.top + (y + 0.5) * side} text-anchor="end" dominant-baseline="central">${y}</text>` : ""))}
    </g>
    ${scene(margin.left, margin.top, side * width, side * height)}
    <g fill-opacity="0.75" stroke="#fff" stroke-opacity="0.5" stroke-width="0.5"
      @pointermove=${(event: PointerEvent) => act.over(...at(event))}
      @pointerdown=${(event: PointerEvent) => {
        act.over(...at(event));
        act.choose(...at(event));
      }}>
      ${Array.from(scores, (value, cell) => {
        const [y, x] = [Math.floor(cell / width), cell % width];
        return svg`<rect class="patch" x=${margin.left + x * side} y=${margin.top + y * side} width=${side} height=${side} fill=${colour(value)} />`;
      })}
    </g>
    ${outlines(margin.left, margin.top, side * width, side * height)}
    ${colourBar("patches", diverging(1), margin.left + side * width, margin.top, side * height)}
    <g class="mark">${frame(chosen, 1)}</g>
    <g class="mark" data-screen-only>${frame(over, 3, "4 3")}</g>
  </svg>`;
}
