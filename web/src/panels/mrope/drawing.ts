import { nothing, svg, type TemplateResult } from "lit-html";
import { ticks } from "../../core/format";
import { shortened } from "../../core/words";
import { mark } from "../../draw/mark";
import { scene } from "../../draw/scene";
import { widthOf } from "../../draw/text";
import type { Sequence } from "./model";

/** Lengths in CSS pixels. */
const left = 58;
const right = 8;
const picture = 104;
const rowHigh = 62;
const rowGap = 16;
const bottom = 40;
/** Columns are at least this wide, and scroll; a word that is wider than its column is written upright. */
const narrowest = 14;
/** The colours of the steps of each axis. */
const colours = ["var(--query)", "var(--key)", "var(--ink)"];

/** The actions of a press. */
export interface Choose {
  /** A word of the text, counted without the image. */
  word(at: number): void;
  /** A token of the image. */
  image(at: number): void;
}

/**
 * A column for each token: above it its word, or the image that is cut into tokens; below, one under another, the three
 * positions as steps of one scale.
 */
export function drawing(
  shown: Sequence,
  available: number,
  words: { readonly label: string; readonly axes: readonly string[]; readonly token: string },
  choose: Choose,
): TemplateResult {
  const { tokens, before, image, chosenWord, chosenInImage, next } = shown;
  const [down, across] = image;
  const inImage = down * across;
  const side = Math.max(narrowest, (available - left - right) / tokens.length);
  const names = tokens.map(({ word, at }) =>
    word === undefined ? (at === undefined ? "" : "·") : shortened(word, 10),
  );
  const longest = Math.max(0, ...names.map((name) => widthOf(name)));
  const upright = longest + 6 > side;
  const wordsHigh = (upright ? longest : 16) + 10;
  const width = left + right + side * tokens.length;
  const top = picture + 14 + wordsHigh;
  const rowTop = (axis: number) => top + axis * (rowHigh + rowGap);
  const end = rowTop(2) + rowHigh;
  const x = (token: number) => left + token * side;
  const y = (axis: number, id: number) => rowTop(axis) + rowHigh - (id / Math.max(1, next - 1)) * rowHigh;

  // The picture over the columns of its tokens, as wide as they are if it fits.
  const [pictureHigh, pictureWide] = [picture, Math.min(side * inImage, (picture * across) / down)];
  const pictureLeft = x(before) + (side * inImage - pictureWide) / 2;
  const cell = [pictureWide / across, pictureHigh / down] as const;
  const cells = Array.from({ length: inImage }, (_, at) => ({
    at,
    x: pictureLeft + (at % across) * cell[0],
    y: 2 + Math.floor(at / across) * cell[1],
  }));
  const chosenCell = cells[chosenInImage - before];

  const point = (event: PointerEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const token = Math.floor(((event.clientX - box.left) / box.width) * tokens.length);
    const { at } = tokens[Math.max(0, Math.min(tokens.length - 1, token))];
    if (at === undefined) choose.image(token - before);
    else choose.word(at);
  };
  const column = (token: number | undefined) =>
    token === undefined
      ? nothing
      : svg`<rect data-token=${token} x=${x(token)} y=${top - wordsHigh} width=${side}
        height=${end - top + wordsHigh} fill="none"
          stroke="var(--accent)" stroke-width="1.5" pointer-events="none" />`;
  const step = (axis: 0 | 1 | 2) =>
    tokens
      .map(
        ({ ids }, token) => `${token === 0 ? "M" : "V"}${token === 0 ? `${x(0)} ` : ""}${y(axis, ids[axis])}h${side}`,
      )
      .join("");

  return svg`<svg class="mrope-drawing" role="img" aria-label=${words.label} width=${width} height=${end + bottom}
      viewBox="0 0 ${width} ${end + bottom}">
    <rect x=${x(before)} y=${top - wordsHigh} width=${side * inImage} height=${end - top + wordsHigh}
      fill="var(--accent-wash)"
      stroke="var(--edge)" stroke-dasharray="3 3" />
    ${column(chosenWord)} ${column(chosenInImage)}
    <path fill="none" stroke="var(--edge)" stroke-dasharray="3 3"
      d="M${pictureLeft} ${2 + pictureHigh}L${x(before)} ${top - wordsHigh}M${pictureLeft + pictureWide} ${2 + pictureHigh}L${x(before + inImage)} ${top - wordsHigh}" />
    ${scene(pictureLeft, 2, pictureWide, pictureHigh)}
    ${cells.map(
      ({ at, x, y }) => svg`<rect class="image-token" data-cell=${at} x=${x} y=${y} width=${cell[0]} height=${cell[1]}
        fill="transparent" stroke="#fff" stroke-width="1.5" cursor="pointer" @pointerdown=${() => choose.image(at)} />`,
    )}
    <g class="mark" data-screen-only>${mark(chosenCell.x + 1, chosenCell.y + 1, cell[0] - 2, cell[1] - 2)}</g>
    <g class="axis">
      ${names.map((name, token) => {
        if (name === "") return nothing;
        const middle = x(token + 0.5);
        const kind = token === chosenWord ? "token-word chosen-name" : "token-word";
        return upright
          ? svg`<text class=${kind} data-word=${token} transform="translate(${middle} ${top - 6}) rotate(-90)" dominant-baseline="central">${name}</text>`
          : svg`<text class=${kind} data-word=${token} x=${middle} y=${top - 8} text-anchor="middle">${name}</text>`;
      })}
      ${([0, 1, 2] as const).map(
        (
          axis,
        ) => svg`<text class="axis-name" x="2" y=${rowTop(axis) + rowHigh / 2} dominant-baseline="central">${words.axes[axis]}</text>
          ${[0, next - 1].map(
            (id) => svg`<line class="grid" x1=${left} x2=${width - right} y1=${y(axis, id)} y2=${y(axis, id)} />
              <text x=${left - 6} y=${y(axis, id)} text-anchor="end" dominant-baseline="central">${id}</text>`,
          )}`,
      )}
      ${ticks(0, tokens.length - 1, (side * tokens.length) / 44).map(
        (token) => svg`<text x=${x(token + 0.5)} y=${end + 18} text-anchor="middle">${token}</text>`,
      )}
      <text class="axis-name" x=${left + (side * tokens.length) / 2} y=${end + 35} text-anchor="middle">${words.token}</text>
    </g>
    ${([0, 1, 2] as const).map(
      (axis) => svg`<path class="steps" d=${step(axis)} fill="none" stroke=${colours[axis]}
      stroke-width="2.5" />`,
    )}
    ${[chosenWord, chosenInImage].map((token) =>
      token === undefined
        ? nothing
        : ([0, 1, 2] as const).map(
            (axis) =>
              svg`<circle cx=${x(token + 0.5)} cy=${y(axis, tokens[token].ids[axis])} r="4" fill="var(--paper)"
                stroke="var(--ink)" stroke-width="2" />`,
          ),
    )}
    <rect class="token-field" data-screen-only x=${left} y=${top - wordsHigh} width=${side * tokens.length}
      height=${end - top + wordsHigh} fill="transparent" cursor="crosshair" @pointerdown=${point} />
  </svg>`;
}
