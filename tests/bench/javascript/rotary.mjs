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

/** The same of dimensions 2i and 2i + 1. */
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

/** Dimensions i and i + dim / 2 of x [heads, dim, seq], by tables [dim / 2, seq]. */
export function rotateColumns(x, cos, sin, seq, heads, dim) {
  const half = (dim / 2) * seq;
  for (let head = 0; head < heads; ++head) {
    for (let i = 0, at = head * dim * seq; i < half; ++i, ++at) {
      const a = x[at];
      const b = x[at + half];
      x[at] = a * cos[i] - b * sin[i];
      x[at + half] = a * sin[i] + b * cos[i];
    }
  }
}

/** rows [rows, columns] as columns. */
export function transposed(rows, columns) {
  const height = rows.length / columns;
  return rows.map((_, i) => rows[(i % height) * columns + Math.floor(i / height)]);
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

/** Those of positions 0, 1, …: [rows, dim / 2]. */
export const angleTables = (rows, dim, base = 10000) => {
  const frequency = Float64Array.from({ length: dim / 2 }, (_, i) => base ** ((-2 * i) / dim));
  return tablesOf(rows, dim / 2, (row, i) => row * frequency[i]);
};

/**
 * The same of a grid [height, width] whose heads have frequencies of their own, those of x and y [heads, dim / 2], in a
 * call that makes the cosines and sines: of the axes first, then of each cell's sum.
 */
export function rotateMixed(x, [byX, byY], [height, width], heads, dim) {
  const columns = tablesOf(width, byX.length, (i, at) => i * byX[at]);
  const pairs = dim / 2;
  const size = heads * pairs;
  for (let row = 0, from = 0; row < height; ++row) {
    const ofRow = tablesOf(1, size, (_, at) => row * byY[at]);
    for (let column = 0, c = 0; column < width; ++column) {
      for (let head = 0, r = 0; head < heads; ++head, from += dim) {
        for (let i = from; i < from + pairs; ++i, ++c, ++r) {
          const cos = columns.cos[c] * ofRow.cos[r] - columns.sin[c] * ofRow.sin[r];
          const sin = columns.sin[c] * ofRow.cos[r] + columns.cos[c] * ofRow.sin[r];
          const a = x[i];
          const b = x[i + pairs];
          x[i] = a * cos - b * sin;
          x[i + pairs] = a * sin + b * cos;
        }
      }
    }
  }
}

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

/** [dim, dim], by which a head of halves is multiplied. */
export function rotaryMatrix(out, dim, position) {
  const pairs = dim / 2;
  out.fill(0);
  for (let i = 0; i < pairs; ++i) {
    const angle = position * 10000 ** (-i / pairs);
    const other = i + pairs;
    out[i * dim + i] = Math.cos(angle);
    out[other * dim + other] = Math.cos(angle);
    out[i * dim + other] = -Math.sin(angle);
    out[other * dim + i] = Math.sin(angle);
  }
}

/**
 * Cosines and sines of positions 0, 1, … at `frequency`, `copies` of each row of them one after another: by addition of
 * angles, started again every 64 rows.
 */
export function cacheByAddition(cosines, sines, rows, frequency, copies = 1) {
  const pairs = frequency.length;
  const [stepCos, stepSin] = [frequency.map(Math.cos), frequency.map(Math.sin)];
  const [cos, sin] = [new Float64Array(pairs), new Float64Array(pairs)];
  for (let row = 0, at = 0; row < rows; ++row) {
    for (let i = 0; i < pairs && row % 64 === 0; ++i) {
      cos[i] = Math.cos(row * frequency[i]);
      sin[i] = Math.sin(row * frequency[i]);
    }
    for (let copy = 0; copy < copies; ++copy) {
      for (let i = 0; i < pairs; ++i, ++at) {
        cosines[at] = cos[i];
        sines[at] = sin[i];
      }
    }
    for (let i = 0; i < pairs; ++i) {
      const c = cos[i];
      cos[i] = c * stepCos[i] - sin[i] * stepSin[i];
      sin[i] = sin[i] * stepCos[i] + c * stepSin[i];
    }
  }
}

/** xPos: powers of each pair's ζ, [positions, dim / 2]. */
export function xposScales(out, positions, dim, centre, base = 512) {
  const pairs = dim / 2;
  const logs = Float64Array.from({ length: pairs }, (_, i) => Math.log((2 * i + 0.4 * dim) / (1.4 * dim)) / base);
  for (let position = 0, at = 0; position < positions; ++position) {
    for (let i = 0; i < pairs; ++i, ++at) out[at] = Math.exp((position - centre) * logs[i]);
  }
}

/** FoPE's cosines or sines, [heads, positions, pairs]: those of the frequencies that are kept, times a matrix a head. */
export function fope(out, matrices, of, heads, positions, kept, frequencies) {
  const pairs = frequencies.length;
  const basis = new Float64Array(kept);
  for (let p = 0; p < positions; ++p) {
    for (let n = 0; n < kept; ++n) basis[n] = of(p * frequencies[n]);
    for (let h = 0; h < heads; ++h) {
      const at = (h * positions + p) * pairs;
      for (let m = 0; m < pairs; ++m) out[at + m] = of(0);
      for (let m = 0; m < kept; ++m) {
        let sum = 0;
        for (let n = 0; n < kept; ++n) sum += basis[n] * matrices[(h * kept + n) * kept + m];
        out[at + m] = sum;
      }
    }
  }
}

/** The temperature of Llama 4's queries, with a period of 64, of `seq` tokens of so many values. */
export function temperature(x, seq, values) {
  for (let token = 0, i = 0; token < seq; ++token) {
    const factor = Math.fround(1 + 0.1 * Math.log1p(Math.floor((token + 1) / 64)));
    for (const end = i + values; i < end; ++i) x[i] *= factor;
  }
}
