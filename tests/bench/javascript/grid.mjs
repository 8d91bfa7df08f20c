// Encodings of grids in plain JavaScript: an axis's values are made once for each of its coordinates.

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

export function gridPoints(out, [height, width]) {
  for (let y = 0, at = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x, at += 2) {
      out[at] = y;
      out[at + 1] = x;
    }
  }
}
