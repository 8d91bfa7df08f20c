import { svg, type TemplateResult } from "lit-html";
import type { Sequence, Token } from "./model";

/** Cells of the strip, in CSS pixels: a token of text has one number, one of the image three. */
const textCell = { width: 30, height: 28 };
const imageCell = { width: 58, height: 28 };
const gap = 8;

const cell = (x: number, y: number, size: typeof textCell, text: string, kind: Token["kind"]) =>
  svg`<rect class=${kind} x=${x} y=${y} width=${size.width} height=${size.height} />
    <text x=${x + size.width / 2} y=${y + size.height / 2} text-anchor="middle" dominant-baseline="central">${text}</text>`;

/** Text, image and text again from left to right: each token with its positions, one where all three are equal. */
export function strip({ tokens }: Sequence, columns: number, label: string): TemplateResult {
  const first = tokens.findIndex(({ kind }) => kind === "image");
  const image = tokens.filter(({ kind }) => kind === "image");
  const before = tokens.slice(0, first);
  const after = tokens.slice(first + image.length);
  const lines = Math.ceil(image.length / columns);
  const left = before.length * textCell.width + (before.length > 0 ? gap : 0);
  const right = left + columns * imageCell.width + gap;
  const [width, height] = [right + after.length * textCell.width + 2, lines * imageCell.height + 2];
  const middle = ((lines - 1) * imageCell.height) / 2;
  const text = (all: readonly Token[], from: number) =>
    all.map(({ ids }, at) => cell(from + at * textCell.width, middle, textCell, String(ids[0]), "text"));
  return svg`<svg class="mrope-strip" role="img" aria-label=${label} width=${width} height=${height}
      viewBox="-1 -1 ${width} ${height}">
    ${text(before, 0)}
    <g class="image-ids">
      ${image.map(({ ids }, at) =>
        cell(
          left + (at % columns) * imageCell.width,
          Math.floor(at / columns) * imageCell.height,
          imageCell,
          ids.join(" "),
          "image",
        ),
      )}
    </g>
    ${text(after, right)}
  </svg>`;
}
