// Rotations as an implementation might write them, right and wrong, in double; positions are small, so that Math's sines
// of the angles are right to the last bits.

/** Values of which no two are alike, from -1 to 1, the same each time. */
export function values(size, seed = 1) {
  let state = seed;
  return Float32Array.from({ length: size }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 23 - 1;
  });
}

/** Frequencies of pairs, by the formula of the paper; `exponent` says another. */
export const frequencies = ({ dim, base = 10000, exponent = (i) => (2 * i) / dim }) =>
  Array.from({ length: dim / 2 }, (_, i) => base ** -exponent(i));

/** The two dimensions of a pair. */
const dimsOf = { half: (i, dim) => [i, i + dim / 2], interleaved: (i) => [2 * i, 2 * i + 1] };

/** Rotates x [tokens, heads, dim] of float32; the options are what an implementation may do. */
export function rotated(x, positions, { heads = 1, head = undefined, ...plan }) {
  const { dim, layout = "half", writes = layout, sign = 1, offset = 0, factor = 1, first = 0 } = plan;
  const width = head ?? dim;
  const all = frequencies(plan);
  const out = Float32Array.from(x);
  for (const [token, position] of positions.entries()) {
    for (let h = 0; h < heads; ++h) {
      const at = (token * heads + h) * width + first;
      for (const [i, frequency] of all.entries()) {
        const angle = sign * (position + offset) * frequency;
        const [cos, sin] = [Math.cos(angle) * factor, Math.sin(angle) * factor];
        const [a, b] = dimsOf[layout](i, dim).map((dimension) => x[at + dimension]);
        const [toA, toB] = dimsOf[writes](i, dim);
        out[at + toA] = a * cos - b * sin;
        out[at + toB] = a * sin + b * cos;
      }
    }
  }
  return out;
}

/** Both, as `diagnose` takes them. */
export function sampled(positions, plan, { heads = 2, seed = 7 } = {}) {
  const width = plan.head ?? plan.dim;
  const shape = [positions.length, heads, width];
  const before = values(positions.length * heads * width, seed);
  const after = rotated(before, positions, { heads, ...plan });
  return { before: { data: before, shape }, after: { data: after, shape }, positions };
}

/** The bits of a bfloat16, rounded to nearest, ties to even. */
export function bfloat16(numbers) {
  const bits = new Uint32Array(Float32Array.from(numbers).buffer);
  return Uint16Array.from(bits, (bit) => (bit + 0x7fff + ((bit >>> 16) & 1)) >>> 16);
}
