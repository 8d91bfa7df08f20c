import { svg, type TemplateResult } from "lit-html";
import type { Sequence, Token } from "./model";

/** In CSS pixels. */
const high = 28;
const gap = 8;
const letter = 7.2;

const cell = (x: number, y: number, wide: number, text: string, kind: Token["kind"]) =>
  svg`<rect class=${kind} x=${x} y=${y} width=${wide} height=${high} />
    <text x=${x + wide / 2} y=${y + high / 2} text-anchor="middle" dominant-baseline="central">${text}</text>`;

/**
 * Text, image and text again from left to right: each token with its positions, one where all three are equal. Cells are
 * narrower where there is less room.
 */
export function strip({ tokens }: Sequence, columns: number, label: string, room: number): TemplateResult {
  const first = tokens.findIndex(({ kind }) => kind === "image");
  const image = tokens.filter(({ kind }) => kind === "image");
  const before = tokens.slice(0, first);
  const after = tokens.slice(first + image.length);
  const lines = Math.ceil(image.length / columns);
  const widest = (all: readonly string[]) => letter * Math.max(0, ...all.map(({ length }) => length));
  const [ofText, ofImage] = [
    widest([...before, ...after].map(({ ids }) => String(ids[0]))),
    widest(image.map(({ ids }) => ids.join(" "))),
  ];
  const taken = (before.length + after.length) * ofText + columns * ofImage + 2 * gap + 2;
  const padding = Math.max(4, Math.min(18, Math.floor((room - taken) / (before.length + after.length + columns))));
  const [textWidth, imageWidth] = [ofText + padding, ofImage + padding];
  const left = before.length * textWidth + (before.length > 0 ? gap : 0);
  const right = left + columns * imageWidth + gap;
  const [width, height] = [right + after.length * textWidth + 2, lines * high + 2];
  const middle = ((lines - 1) * high) / 2;
  const text = (all: readonly Token[], from: number) =>
    all.map(({ ids }, at) => cell(from + at * textWidth, middle, textWidth, String(ids[0]), "text"));
  return svg`<svg class="mrope-strip" role="img" aria-label=${label} width=${width} height=${height}
      viewBox="-1 -1 ${width} ${height}">
    ${text(before, 0)}
    <g class="image-ids">
      ${image.map(({ ids }, at) =>
        cell(left + (at % columns) * imageWidth, Math.floor(at / columns) * high, imageWidth, ids.join(" "), "image"),
      )}
    </g>
    ${text(after, right)}
  </svg>`;
}
