import { css, entry } from "./colour";

/** The colours of a drawing's values, and the legend that explains them. */
export interface Shades {
  colour(value: number): string;
  readonly legend: Scale | Steps;
}

/** Colours from the top of a bar to its end, and the values written beside it at equal distances. */
export interface Scale {
  readonly colours: readonly string[];
  readonly values: readonly number[];
}

/** A colour for each of a few values that are names, not amounts. */
export interface Steps {
  readonly steps: readonly (readonly [value: number, colour: string])[];
}

/** YlGnBu and Paired of ColorBrewer, by Cynthia A. Brewer, The Pennsylvania State University. */
const sequence = "ffffd9 edf8b1 c7e9b4 7fcdbb 41b6c4 1d91c0 225ea8 253494 081d58".split(" ");
const categories = "a6cee3 1f78b4 b2df8a 33a02c fb9a99 e31a1c fdbf6f ff7f00 cab2d6 6a3d9a ffff99 b15928"
  .split(" ")
  .map((hex) => `#${hex}`);

const parts = (hex: string) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** The colour at a share of the way from the first to the last of the sequence. */
function along(share: number): string {
  const place = Math.max(0, Math.min(1, share)) * (sequence.length - 1);
  const low = Math.min(Math.floor(place), sequence.length - 2);
  const [from, to] = [parts(sequence[low]), parts(sequence[low + 1])];
  const mixed = from.map((part, at) => Math.round(part + (place - low) * (to[at] - part)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

const evenly = (colour: (share: number) => string) => Array.from({ length: 17 }, (_, at) => colour(at / 16));

/** Signed values: two colours, paler towards 0, up to ±`most`. */
export function diverging(most: number): Shades {
  const colour = (value: number) => css[entry(most > 0 ? value / most : 0)];
  return { colour, legend: { colours: evenly((share) => colour(most * (1 - 2 * share))), values: [most, 0, -most] } };
}

/** Amounts of one sign, darker the farther they are from 0; `most` may be negative. */
export function amounts(most: number): Shades {
  const colour = (value: number) => along(most === 0 ? 0 : value / most);
  // The larger value is at the top, as in any scale.
  const [top, end] = [Math.max(0, most), Math.min(0, most)];
  const at = (share: number) => top + share * (end - top);
  return { colour, legend: { colours: evenly((share) => colour(at(share))), values: [0, 0.5, 1].map(at) } };
}

/** Names that happen to be whole numbers from 0 on: neighbours differ clearly, none is more than another. */
export function kinds(values: Iterable<number>): Shades {
  const colour = (value: number) => categories[value % categories.length];
  const steps = [...new Set(values)].sort((a, b) => a - b).map((value) => [value, colour(value)] as const);
  return { colour, legend: { steps } };
}

/** Two colours where there are both signs, one where there is only one. */
export function shadesFor(values: Iterable<number>): Shades {
  let [low, high] = [0, 0];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low < 0 && high > 0) return diverging(Math.max(-low, high));
  return amounts(low < 0 ? low : high);
}
