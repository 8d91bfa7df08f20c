// Attention with relative positions in plain JavaScript.

/** In place: scores at 0 … size - 1 become weights. */
function normalise(row, size) {
  let largest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < size; ++k) if (row[k] > largest) largest = row[k];
  let sum = 0;
  for (let k = 0; k < size; ++k) sum += row[k] = Math.exp(row[k] - largest);
  for (let k = 0; k < size; ++k) row[k] /= sum;
}

function dot(a, i, b, j, dim) {
  let sum = 0;
  for (let d = 0; d < dim; ++d) sum += a[i + d] * b[j + d];
  return sum;
}

const clipped = (distance, most) => (distance < -most ? 0 : distance > most ? 2 * most : distance + most);

/** The query's product with every row of the table is made once a query, and weights are added up by distance. */
export function shawAttention(arrays, output, { heads, n, dim, maxDistance: most }) {
  const { query, key, value, keyTable, valueTable } = arrays;
  const scale = 1 / Math.sqrt(dim);
  const rows = 2 * most + 1;
  const [row, terms, byDistance, sums] = [n, rows, rows, dim].map((size) => new Float64Array(size));
  for (let head = 0; head < heads; ++head) {
    const first = head * n * dim;
    for (let i = 0, q = first; i < n; ++i, q += dim) {
      for (let r = 0; r < rows; ++r) terms[r] = dot(query, q, keyTable, r * dim, dim);
      for (let k = 0; k < n; ++k) {
        row[k] = scale * (dot(query, q, key, first + k * dim, dim) + terms[clipped(k - i, most)]);
      }
      normalise(row, n);
      sums.fill(0);
      byDistance.fill(0);
      for (let k = 0, v = first; k < n; ++k, v += dim) {
        const weight = row[k];
        byDistance[clipped(k - i, most)] += weight;
        for (let d = 0; d < dim; ++d) sums[d] += weight * value[v + d];
      }
      for (let r = 0, v = 0; r < rows; ++r, v += dim) {
        const weight = byDistance[r];
        for (let d = 0; d < dim; ++d) sums[d] += weight * valueTable[v + d];
      }
      output.set(sums, q);
    }
  }
}

/** The gradients of all inputs, the weights made again. */
export function shawBackward(arrays, out, { heads, n, dim, maxDistance: most }) {
  const { query, key, value, keyTable, valueTable, gradient } = arrays;
  const scale = 1 / Math.sqrt(dim);
  const { query: dq, key: dk, value: dv, keyTable: dKeys, valueTable: dValues } = out;
  for (const one of Object.values(out)) one.fill(0);
  const [row, change] = [new Float64Array(n), new Float64Array(n)];
  for (let head = 0; head < heads; ++head) {
    const first = head * n * dim;
    for (let i = 0, q = first; i < n; ++i, q += dim) {
      for (let k = 0, at = first; k < n; ++k, at += dim) {
        const r = clipped(k - i, most) * dim;
        row[k] = scale * (dot(query, q, key, at, dim) + dot(query, q, keyTable, r, dim));
        change[k] = dot(gradient, q, value, at, dim) + dot(gradient, q, valueTable, r, dim);
      }
      normalise(row, n);
      let mean = 0;
      for (let k = 0; k < n; ++k) mean += row[k] * change[k];
      for (let k = 0, at = first; k < n; ++k, at += dim) {
        const r = clipped(k - i, most) * dim;
        const weight = row[k];
        const g = scale * weight * (change[k] - mean);
        for (let d = 0; d < dim; ++d) {
          const [dOut, ofQuery] = [weight * gradient[q + d], g * query[q + d]];
          dv[at + d] += dOut;
          dValues[r + d] += dOut;
          dk[at + d] += ofQuery;
          dKeys[r + d] += ofQuery;
          dq[q + d] += g * (key[at + d] + keyTable[r + d]);
        }
      }
    }
  }
}

/** `relative` [heads, 2n - 1, dim], from the farthest key before a query on: that of key k and query i is k - i + n - 1. */
export function transformerXl({ query, key, value, relative, contentBias, positionBias }, output, { heads, n, dim }) {
  const scale = 1 / Math.sqrt(dim);
  const [row, content, position, sums] = [n, dim, dim, dim].map((size) => new Float64Array(size));
  for (let head = 0; head < heads; ++head) {
    const first = head * n * dim;
    const vectors = head * (2 * n - 1) * dim;
    for (let i = 0, q = first; i < n; ++i, q += dim) {
      for (let d = 0; d < dim; ++d) {
        content[d] = query[q + d] + contentBias[head * dim + d];
        position[d] = query[q + d] + positionBias[head * dim + d];
      }
      for (let k = 0; k < n; ++k) {
        const at = vectors + (k - i + n - 1) * dim;
        row[k] = scale * (dot(content, 0, key, first + k * dim, dim) + dot(position, 0, relative, at, dim));
      }
      normalise(row, n);
      sums.fill(0);
      for (let k = 0, v = first; k < n; ++k, v += dim) {
        const weight = row[k];
        for (let d = 0; d < dim; ++d) sums[d] += weight * value[v + d];
      }
      output.set(sums, q);
    }
  }
}
