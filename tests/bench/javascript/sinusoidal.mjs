// Tables of sinusoids in plain JavaScript: the best we know, and the usual one.

/** Sine and cosine of every element, as most code has it. */
export function tableBySines(out, length, dim) {
  const frequency = Float64Array.from({ length: dim / 2 }, (_, i) => 10000 ** ((-2 * i) / dim));
  for (let position = 0, at = 0; position < length; ++position) {
    for (let i = 0; i < frequency.length; ++i, at += 2) {
      const angle = position * frequency[i];
      out[at] = Math.sin(angle);
      out[at + 1] = Math.cos(angle);
    }
  }
}

/** Angle addition: one rotation a pair, started again from Math.sin every 64 rows so that errors do not grow. */
export function tableByAddition(out, length, dim) {
  const pairs = dim / 2;
  const frequency = Float64Array.from({ length: pairs }, (_, i) => 10000 ** (-i / pairs));
  const [stepSin, stepCos] = [frequency.map(Math.sin), frequency.map(Math.cos)];
  const [sines, cosines] = [new Float64Array(pairs), new Float64Array(pairs)];
  for (let position = 0, at = 0; position < length; ++position) {
    if (position % 64 === 0) {
      for (let i = 0; i < pairs; ++i) {
        sines[i] = Math.sin(position * frequency[i]);
        cosines[i] = Math.cos(position * frequency[i]);
      }
    }
    for (let i = 0; i < pairs; ++i, at += 2) {
      const s = sines[i];
      const c = cosines[i];
      out[at] = s;
      out[at + 1] = c;
      sines[i] = s * stepCos[i] + c * stepSin[i];
      cosines[i] = c * stepCos[i] - s * stepSin[i];
    }
  }
}

/** M [dim, dim] that moves interleaved rows on: M · row(p) = row(p + by). */
export function shiftMatrix(out, dim, by) {
  out.fill(0);
  for (let i = 0; i < dim; i += 2) {
    const angle = by * 10000 ** (-i / dim);
    out[i * dim + i] = out[(i + 1) * dim + i + 1] = Math.cos(angle);
    out[i * dim + i + 1] = Math.sin(angle);
    out[(i + 1) * dim + i] = -Math.sin(angle);
  }
}

/** The same map of every row. */
export function shift(table, out, dim, by) {
  const angles = Float64Array.from({ length: dim / 2 }, (_, i) => by * 10000 ** ((-2 * i) / dim));
  const [sin, cos] = [angles.map(Math.sin), angles.map(Math.cos)];
  for (let row = 0; row < table.length; row += dim) {
    for (let i = 0, at = row; i < angles.length; ++i, at += 2) {
      out[at] = table[at] * cos[i] + table[at + 1] * sin[i];
      out[at + 1] = table[at + 1] * cos[i] - table[at] * sin[i];
    }
  }
}

/** Cosines, then sines of 2π w x, for each point. */
export function fourier(points, weights, out) {
  const features = weights.length;
  for (let point = 0, at = 0; point < points.length; ++point, at += 2 * features) {
    const turn = 2 * Math.PI * points[point];
    for (let i = 0; i < features; ++i) {
      out[at + i] = Math.cos(turn * weights[i]);
      out[at + features + i] = Math.sin(turn * weights[i]);
    }
  }
}

/** sin(2^k π x), cos(2^k π x) of every coordinate. */
export function nerf(points, out, levels) {
  for (let point = 0, at = 0; point < points.length; ++point) {
    let angle = Math.PI * points[point];
    for (let level = 0; level < levels; ++level, at += 2, angle *= 2) {
      out[at] = Math.sin(angle);
      out[at + 1] = Math.cos(angle);
    }
  }
}

export function frequencies(out, dim, base = 10000) {
  const factor = (-2 * Math.log(base)) / dim;
  for (let i = 0; i < out.length; ++i) out[i] = Math.exp(i * factor);
}
