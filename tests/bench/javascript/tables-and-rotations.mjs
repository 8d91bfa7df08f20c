// The best plain JavaScript we know for the same work, and the usual one.

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

/**
 * Rotation of lanes i and i + dim / 2, `seq` tokens; the cosines and sines of the first one are row `first` of cos and
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

/** The same of lanes 2i and 2i + 1. */
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

/** Cosines and sines [rows, dim / 2]. */
export function angleTables(rows, dim) {
  const pairs = dim / 2;
  const [cos, sin] = [new Float32Array(rows * pairs), new Float32Array(rows * pairs)];
  for (let row = 0, at = 0; row < rows; ++row) {
    for (let i = 0; i < pairs; ++i, ++at) {
      const angle = row * 10000 ** (-i / pairs);
      cos[at] = Math.cos(angle);
      sin[at] = Math.sin(angle);
    }
  }
  return { cos, sin };
}

/** A bias [heads, queries, keys] whose rows are windows of one row a head, [heads, queries + keys - 1]. */
export function expandBias(out, compact, heads, queries, keys) {
  const width = queries + keys - 1;
  for (let head = 0, at = 0; head < heads; ++head) {
    for (let query = 0; query < queries; ++query, at += keys) {
      const start = head * width + queries - 1 - query;
      out.set(compact.subarray(start, start + keys), at);
    }
  }
}

/** ALiBi by the formula: the slope of each head times minus the distance. */
export function alibiByFormula(out, heads, queries, keys) {
  for (let head = 0, at = 0; head < heads; ++head) {
    const slope = 2 ** ((-8 * (head + 1)) / heads);
    for (let query = 0; query < queries; ++query) {
      for (let key = 0; key < keys; ++key, ++at) out[at] = -slope * Math.abs(key - query);
    }
  }
}
