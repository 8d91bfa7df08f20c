// Rotations in plain JavaScript, in place, by cosines and sines that are ready.

/**
 * Rotation of dimensions i and i + dim / 2, `seq` tokens; the cosines and sines of the first one are row `first` of cos and
 * sin [rows, dim / 2].
 */
export function rotateHalf(x, cos, sin, first, seq, heads, dim) {
  const pairs = dim / 2;
  for (let token = 0, head = 0; token < seq; ++token) {
    const row = (first + token) * pairs;
    for (let h = 0; h < heads; ++h, head += dim) {
      for (let i = 0; i < pairs; ++i) {
        const a = x[head + i];
        const b = x[head + pairs + i];
        const c = cos[row + i];
        const s = sin[row + i];
        x[head + i] = a * c - b * s;
        x[head + pairs + i] = a * s + b * c;
      }
    }
  }
}

/** Rotates dimensions 2i and 2i + 1 likewise. */
export function rotateInterleaved(x, cos, sin, first, seq, heads, dim) {
  const pairs = dim / 2;
  for (let token = 0, at = 0; token < seq; ++token) {
    const row = (first + token) * pairs;
    for (let h = 0; h < heads; ++h) {
      for (let i = 0; i < pairs; ++i, at += 2) {
        const a = x[at];
        const b = x[at + 1];
        const c = cos[row + i];
        const s = sin[row + i];
        x[at] = a * c - b * s;
        x[at + 1] = a * s + b * c;
      }
    }
  }
}

/** Dimensions 2i and 2i + 1 are read, i and i + dim / 2 written. */
export function rotateDeinterleaved(x, cos, sin, seq, heads, dim) {
  const pairs = dim / 2;
  const head = new Float32Array(dim);
  for (let token = 0, at = 0; token < seq; ++token) {
    const row = token * pairs;
    for (let h = 0; h < heads; ++h, at += dim) {
      for (let i = 0; i < pairs; ++i) {
        const a = x[at + 2 * i];
        const b = x[at + 2 * i + 1];
        head[i] = a * cos[row + i] - b * sin[row + i];
        head[i + pairs] = a * sin[row + i] + b * cos[row + i];
      }
      x.set(head, at);
    }
  }
}

/** Cosines and sines [rows, pairs] of an angle for each row and pair, times a scale. */
export function tablesOf(rows, pairs, angleOf, scaleOf = () => 1) {
  const [cos, sin] = [new Float32Array(rows * pairs), new Float32Array(rows * pairs)];
  for (let row = 0, at = 0; row < rows; ++row) {
    for (let i = 0; i < pairs; ++i, ++at) {
      const angle = angleOf(row, i);
      const scale = scaleOf(row, i);
      cos[at] = scale * Math.cos(angle);
      sin[at] = scale * Math.sin(angle);
    }
  }
  return { cos, sin };
}

/** Cosines and sines of positions 0, 1, …: [rows, dim / 2]. */
export const angleTables = (rows, dim, base = 10000) => {
  const frequency = Float64Array.from({ length: dim / 2 }, (_, i) => base ** ((-2 * i) / dim));
  return tablesOf(rows, dim / 2, (row, i) => row * frequency[i]);
};

/** From pairs of neighbours to halves, in each head. */
export function halvesFromNeighbours(x, out, dim) {
  const pairs = dim / 2;
  for (let from = 0; from < x.length; from += dim) {
    for (let i = 0; i < pairs; ++i) {
      out[from + i] = x[from + 2 * i];
      out[from + i + pairs] = x[from + 2 * i + 1];
    }
  }
}
