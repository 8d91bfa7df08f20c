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

/** x [batch, n · dim] + table [n · dim] */
export function add(x, table, out) {
  const size = table.length;
  for (let from = 0; from < x.length; from += size) {
    for (let i = 0; i < size; ++i) out[from + i] = x[from + i] + table[i];
  }
}
