/**
 * Diverging colours for values in -1 … 1, eleven stops: PuOr of ColorBrewer, by Cynthia A. Brewer, The Pennsylvania State
 * University. Minus is warm.
 */
const stops = "7f3b08 b35806 e08214 fdb863 fee0b6 f7f7f7 d8daeb b2abd2 8073ac 542788 2d004b"
  .split(" ")
  .map((hex) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)));

/** Entry of a value in -1 … 1. Entries 0 … 127 are negative, 128 … 255 are not: no rounding changes the sign shown. */
export function entry(value: number): number {
  return Math.min(255, Math.max(0, Math.floor(128 + value * 128)));
}

const colours = Array.from({ length: 256 }, (_, index) => {
  const place = ((index + 0.5) / 256) * 10;
  const low = Math.min(Math.floor(place), 9);
  return [0, 1, 2].map((c) => Math.round(stops[low][c] + (place - low) * (stops[low + 1][c] - stops[low][c])));
});

/** The 256 colours as one little-endian RGBA word each (for ImageData), and as #rrggbb. */
export const packed = Uint32Array.from(
  colours,
  ([red, green, blue]) => (255 << 24) | (blue << 16) | (green << 8) | red,
);
export const css = colours.map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`);

/** Black or white, whichever is easier to read on this colour of a palette. */
export function inkOn(packed: number): string {
  const linear = [packed & 255, (packed >> 8) & 255, (packed >> 16) & 255].map((part) => {
    const c = part / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return luminance > 0.179 ? "#000" : "#fff";
}
