/**
 * Diverging colours for values in -1 … 1, eleven stops each: PuOr and RdBu of ColorBrewer, by Cynthia A. Brewer,
 * The Pennsylvania State University. Minus is warm, plus is cool, in both.
 */
const stops = {
  PuOr: "7f3b08 b35806 e08214 fdb863 fee0b6 f7f7f7 d8daeb b2abd2 8073ac 542788 2d004b",
  RdBu: "67001f b2182b d6604d f4a582 fddbc7 f7f7f7 d1e5f0 92c5de 4393c3 2166ac 053061",
} as const;

export type PaletteName = keyof typeof stops;

/** 256 colours: `packed` as one little-endian RGBA word each (for ImageData), `css` as #rrggbb. */
export interface Palette {
  readonly packed: Uint32Array;
  readonly css: readonly string[];
}

/** Entry of a value in -1 … 1. Entries 0 … 127 are negative, 128 … 255 are not: no rounding changes the sign shown. */
export function entry(value: number): number {
  return Math.min(255, Math.max(0, Math.floor(128 + value * 128)));
}

function build(name: PaletteName): Palette {
  const colours = stops[name]
    .split(" ")
    .map((hex) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)));
  const packed = new Uint32Array(256);
  const css: string[] = [];
  for (let index = 0; index < 256; index++) {
    const place = ((index + 0.5) / 256) * 10;
    const low = Math.min(Math.floor(place), 9);
    const [red, green, blue] = [0, 1, 2].map((c) =>
      Math.round(colours[low][c] + (place - low) * (colours[low + 1][c] - colours[low][c])),
    );
    packed[index] = (255 << 24) | (blue << 16) | (green << 8) | red;
    css.push(`#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`);
  }
  return { packed, css };
}

const built = new Map<PaletteName, Palette>();

export function palette(name: PaletteName): Palette {
  const known = built.get(name) ?? build(name);
  built.set(name, known);
  return known;
}

/** Black or white, whichever is easier to read on this colour of a palette. */
export function inkOn(packed: number): string {
  const linear = [packed & 255, (packed >> 8) & 255, (packed >> 16) & 255].map((part) => {
    const c = part / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return luminance > 0.179 ? "#000" : "#fff";
}
