// Attention and the layers around it, in plain JavaScript: sums in double, as all numbers are there, rows of
// weights as long as a row of keys.

/** y [rows, outs] = x [rows, ins] weightᵀ */
export function linear({ x, weight }, y, rows, ins, outs) {
  for (let r = 0, at = 0; r < rows; ++r) {
    const from = r * ins;
    for (let o = 0, w = 0; o < outs; ++o, ++at) {
      let sum = 0;
      for (let i = 0; i < ins; ++i, ++w) sum += x[from + i] * weight[w];
      y[at] = sum;
    }
  }
}

export function linearBackward({ x, weight, gradient }, out, rows, ins, outs) {
  const { x: dx, weight: dw, bias } = out;
  dx.fill(0);
  dw.fill(0);
  bias.fill(0);
  for (let r = 0, at = 0; r < rows; ++r) {
    const from = r * ins;
    for (let o = 0, w = 0; o < outs; ++o, ++at) {
      const g = gradient[at];
      bias[o] += g;
      for (let i = 0; i < ins; ++i, ++w) {
        dx[from + i] += g * weight[w];
        dw[w] += g * x[from + i];
      }
    }
  }
}

/** Scores at `from` … `from` + `size` - 1 become weights; gives their sum before. */
function normalise(row, from, size, to, at) {
  let largest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < size; ++k) if (row[from + k] > largest) largest = row[from + k];
  let sum = 0;
  for (let k = 0; k < size; ++k) sum += to[at + k] = Math.exp(row[from + k] - largest);
  const factor = 1 / sum;
  for (let k = 0; k < size; ++k) to[at + k] *= factor;
}

export function softmax(x, y, width) {
  for (let at = 0; at < x.length; at += width) normalise(x, at, width, y, at);
}

export function softmaxBackward({ weights, gradient }, out, width) {
  for (let at = 0; at < out.length; at += width) {
    let mean = 0;
    for (let k = 0; k < width; ++k) mean += weights[at + k] * gradient[at + k];
    for (let k = 0; k < width; ++k) out[at + k] = weights[at + k] * (gradient[at + k] - mean);
  }
}

/**
 * Query, key, value and output [heads, n, dim], keys of another length where that is given, the first ones of those that a
 * cache has memory for; causal where that is.
 */
export function attention({ query, key, value }, output, sizes) {
  const { heads, queries, keys = queries, capacity = keys, dim, causal = false } = sizes;
  const scale = 1 / Math.sqrt(dim);
  const row = new Float64Array(keys);
  const sums = new Float64Array(dim);
  for (let head = 0; head < heads; ++head) {
    for (let i = 0; i < queries; ++i) {
      const q = (head * queries + i) * dim;
      const seen = causal ? Math.min(i + 1, keys) : keys;
      scoresOf(query, q, key, head * capacity * dim, seen, dim, scale, row);
      normalise(row, 0, seen, row, 0);
      sums.fill(0);
      for (let k = 0, v = head * capacity * dim; k < seen; ++k, v += dim) {
        const weight = row[k];
        for (let d = 0; d < dim; ++d) sums[d] += weight * value[v + d];
      }
      output.set(sums, q);
    }
  }
}

function scoresOf(query, q, key, first, count, dim, scale, row) {
  for (let k = 0, at = first; k < count; ++k, at += dim) {
    let sum = 0;
    for (let d = 0; d < dim; ++d) sum += query[q + d] * key[at + d];
    row[k] = sum * scale;
  }
}

/** The weights are made again, not kept. */
export function attentionBackward({ query, key, value, gradient }, out, { heads, n, dim }) {
  const scale = 1 / Math.sqrt(dim);
  const [row, change] = [new Float64Array(n), new Float64Array(n)];
  const { query: dq, key: dk, value: dv } = out;
  for (const one of [dq, dk, dv]) one.fill(0);
  for (let head = 0; head < heads; ++head) {
    const first = head * n * dim;
    for (let i = 0, q = first; i < n; ++i, q += dim) {
      scoresOf(query, q, key, first, n, dim, scale, row);
      normalise(row, 0, n, row, 0);
      scoresOf(gradient, q, value, first, n, dim, 1, change);
      let mean = 0;
      for (let k = 0; k < n; ++k) mean += row[k] * change[k];
      for (let k = 0, at = first; k < n; ++k, at += dim) {
        const weight = row[k];
        const g = scale * weight * (change[k] - mean);
        for (let d = 0; d < dim; ++d) {
          dv[at + d] += weight * gradient[q + d];
          dk[at + d] += g * query[q + d];
          dq[q + d] += g * key[at + d];
        }
      }
    }
  }
}

/** x [batch, n · dim] + table [n · dim] */
export function add(x, table, out) {
  const size = table.length;
  for (let from = 0; from < x.length; from += size) {
    for (let i = 0; i < size; ++i) out[from + i] = x[from + i] + table[i];
  }
}

/** A generator of numbers from 0 to 2³² - 1 that takes no time: Marsaglia's xorshift. */
const xorshift = (state) => {
  let next = state ^ (state << 13);
  next ^= next >>> 17;
  return next ^ (next << 5);
};

/** x with dropout. */
export function dropout(x, out, p) {
  const limit = p * 2 ** 32;
  const factor = 1 / (1 - p);
  let state = 12345;
  for (let i = 0; i < x.length; ++i) {
    state = xorshift(state);
    out[i] = state >>> 0 < limit ? 0 : x[i] * factor;
  }
}
