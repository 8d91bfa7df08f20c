import { svg, type TemplateResult } from "lit-html";

/** Shapes behind those that matter, as a path and its colour, or the colour and width of its line. */
type Shape = readonly [path: string, colour: string, line?: number];

const behind: readonly Shape[] = [
  ["M0 0H120V120H0z", "#f3ead6"],
  ["M0 82H120V120H0z", "#d6b393"],
];

/** Lists the shapes that have outlines: window, sun, mat and cat. */
const shapes: readonly Shape[] = [
  ["M8 8H52V56H8z", "#bfe0f3"],
  ["M40 13a7 7 0 1 0 .1 0z", "#fbe27a"],
  ["M30 8V56M8 32H52", "#fff", 3],
  ["M22 102a46 12 0 1 0 92 0a46 12 0 1 0 -92 0z", "#dd9397"],
  ["M90 98C112 98 112 78 105 66L111 64C121 80 117 105 90 104z", "#77778a"],
  ["M54 104C46 84 56 66 72 66C92 66 100 88 92 104z", "#77778a"],
  ["M57 104V90M70 104V90", "#4d4d5e", 1.5],
  ["M48 54L49 29L60 39Q66 37 72 39L83 29L84 54A18 17 0 0 1 48 54z", "#77778a"],
  ["M56 53a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0zM69.2 53a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0z", "#f4f7c9"],
  ["M63.5 60h5l-2.5 3.5z", "#e58f9b"],
  ["M55 61L40 58M55 64L41 67M77 61L92 58M77 64L91 67", "#4d4d5e", 1.2],
];

type Box = readonly [left: number, top: number, width: number, height: number];

const within = ([left, top, width, height]: Box, name: string, parts: unknown) =>
  svg`<svg class=${name} x=${left} y=${top} width=${width} height=${height} viewBox="0 0 120 120"
      preserveAspectRatio="none" pointer-events="none">${parts}</svg>`;

/** The cat on its mat, before a window: the image that is cut into patches. Drawn here, as the page loads no pictures. */
export function scene(...box: Box): TemplateResult {
  const parts = [...behind, ...shapes].map(([path, colour, line]) =>
    line
      ? svg`<path d=${path} fill="none" stroke=${colour} stroke-width=${line} stroke-linecap="round" />`
      : svg`<path d=${path} fill=${colour} />`,
  );
  return within(box, "scene", parts);
}

/** Its outlines alone, dark within light, to lie over whatever colour hides the picture. */
export function outlines(...box: Box): TemplateResult {
  const all = shapes.map(([path]) => path).join("");
  const line = (colour: string, wide: number) =>
    svg`<path d=${all} fill="none" stroke=${colour} stroke-width=${wide} stroke-opacity="0.75" />`;
  return within(box, "scene-outlines", [line("#fff", 1.7), line("#111", 0.7)]);
}
