// Encodings of grids in plain JavaScript: what an axis has is made once for each of its coordinates.

/** Sine and cosine of an axis's coordinates, [extent, dimensions], sines first. */
function axisTable(extent, dims) {
  const pairs = dims / 2;
  const table = new Float32Array(extent * dims);
  for (let i = 0, at = 0; i < extent; ++i, at += dims) {
    for (let k = 0; k < pairs; ++k) {
      const angle = i * 10000 ** (-k / pairs);
      table[at + k] = Math.sin(angle);
      table[at + pairs + k] = Math.cos(angle);
    }
  }
  return table;
}

/** MAE's: the column's dimensions, then the row's. */
export function sinusoidalGrid(out, [height, width], dim) {
  const dims = dim / 2;
  const [rows, columns] = [axisTable(height, dims), axisTable(width, dims)];
  for (let y = 0, at = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x, at += dim) {
      out.set(columns.subarray(x * dims, (x + 1) * dims), at);
      out.set(rows.subarray(y * dims, (y + 1) * dims), at + dims);
    }
  }
}

/** Cosines and sines of a grid's cells, the row's pairs, then the column's: [cells, pairs]. */
export function gridCache({ cos, sin }, [height, width], pairs) {
  const half = pairs / 2;
  const tables = [height, width].map((extent) => {
    const [c, s] = [new Float32Array(extent * half), new Float32Array(extent * half)];
    for (let i = 0, at = 0; i < extent; ++i) {
      for (let k = 0; k < half; ++k, ++at) {
        const angle = i * 10000 ** (-k / half);
        c[at] = Math.cos(angle);
        s[at] = Math.sin(angle);
      }
    }
    return [c, s];
  });
  for (let y = 0, at = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x, at += pairs) {
      for (const [of, out] of [cos, sin].entries()) {
        out.set(tables[0][of].subarray(y * half, (y + 1) * half), at);
        out.set(tables[1][of].subarray(x * half, (x + 1) * half), at + half);
      }
    }
  }
}

/** The same where every pair turns with both coordinates, at `frequencies` [2, pairs], x's first. */
export function mixedCache({ cos, sin }, [height, width], frequencies) {
  const pairs = frequencies.length / 2;
  for (let y = 0, at = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      for (let i = 0; i < pairs; ++i, ++at) {
        const angle = x * frequencies[i] + y * frequencies[pairs + i];
        cos[at] = Math.cos(angle);
        sin[at] = Math.sin(angle);
      }
    }
  }
}

/** Of three positions a token, [3, seq]: pair i turns with the one that its section names. */
export function mropeCache({ cos, sin }, positions, seq, sections, frequency) {
  const axis = sections.flatMap((count, which) => new Array(count).fill(which * seq));
  for (let token = 0, at = 0; token < seq; ++token) {
    for (let i = 0; i < axis.length; ++i, ++at) {
      const angle = positions[axis[i] + token] * frequency[i];
      cos[at] = Math.cos(angle);
      sin[at] = Math.sin(angle);
    }
  }
}

export function gridPoints(out, [height, width]) {
  for (let y = 0, at = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x, at += 2) {
      out[at] = y;
      out[at + 1] = x;
    }
  }
}

/** Random directions of heads [2, heads, pairs], two for each frequency, at right angles. */
export function mixedFrequencies(out, heads, pairs, base = 10) {
  const half = pairs / 2;
  const size = heads * pairs;
  for (let head = 0; head < heads; ++head) {
    const angle = 2 * Math.PI * Math.random();
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    for (let i = 0, at = head * pairs; i < half; ++i, ++at) {
      const frequency = base ** (-i / half);
      out[at] = frequency * c;
      out[at + half] = -frequency * s;
      out[size + at] = frequency * s;
      out[size + at + half] = frequency * c;
    }
  }
}

/** Qwen2-VL's positions [3, seq] of text and then an image of `side` by `side` merged patches. */
export function mropePositions(out, text, side) {
  const seq = text + side * side;
  for (let i = 0; i < text; ++i) out[i] = out[seq + i] = out[2 * seq + i] = i;
  for (let y = 0, at = text; y < side; ++y) {
    for (let x = 0; x < side; ++x, ++at) {
      out[at] = text;
      out[seq + at] = text + y;
      out[2 * seq + at] = text + x;
    }
  }
}
