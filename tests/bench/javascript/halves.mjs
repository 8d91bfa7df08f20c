// Conversions of 16-bit values in plain JavaScript: from float16 by a table of all values, to both by the bits of a
// float32, to the nearest, ties to even.

function float16Value(half) {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const wide = Float32Array.from({ length: 65536 }, (_, half) => float16Value(half));

/** The bits of the nearest float16, of the magnitude of a float32 by its bits: too small or too large for a normal one. */
function outsideNormal(magnitude) {
  if (magnitude > 0x7f800000) return 0x7e00;
  if (magnitude >= 0x47800000) return 0x7c00;
  const shift = 126 - (magnitude >>> 23);
  if (shift > 24) return 0;
  const significant = (magnitude & 0x7fffff) | 0x800000;
  return (significant + (1 << (shift - 1)) - 1 + ((significant >>> shift) & 1)) >>> shift;
}

/** Conversions of whole arrays: `out` has float32, the bits of float16, of bfloat16. */
export function fromFloat16(x, out) {
  for (let i = 0; i < x.length; ++i) out[i] = wide[x[i]];
}

export function toFloat16(x, out) {
  const words = new Int32Array(x.buffer);
  for (let i = 0; i < out.length; ++i) {
    const word = words[i];
    const magnitude = word & 0x7fffffff;
    const isNormal = magnitude >= 0x38800000 && magnitude < 0x47800000;
    const half = isNormal
      ? (magnitude - 0x38000000 + 0xfff + ((magnitude >>> 13) & 1)) >>> 13
      : outsideNormal(magnitude);
    out[i] = ((word >>> 16) & 0x8000) | half;
  }
}
