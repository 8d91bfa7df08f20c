// Biases by relative position in plain JavaScript. A value that depends on the distance alone is made once a distance,
// [heads, queries + keys - 1], and its rows are windows of that.

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

/** A bias [heads, n, n] of `biasAt(head, key - query)`. */
export function biasOf(out, heads, n, biasAt) {
  const compact = new Float32Array(heads * (2 * n - 1));
  for (let head = 0, at = 0; head < heads; ++head) {
    for (let distance = 1 - n; distance < n; ++distance, ++at) compact[at] = biasAt(head, distance);
  }
  expandBias(out, compact, heads, n, n);
}

/** T5's bucket of key - query, from both sides. */
export function t5Bucket(distance, buckets = 32, maxDistance = 128) {
  const half = buckets / 2;
  const exact = half / 2;
  const far = Math.abs(distance);
  const scaled = exact + Math.floor((Math.log(far / exact) / Math.log(maxDistance / exact)) * (half - exact));
  return (distance > 0 ? half : 0) + (far < exact ? far : Math.min(scaled, half - 1));
}

/** weight2 · relu(weight1 · input + bias1), for one output a head, of inputs that `read` puts into `x`. */
export function perceptron({ weight1, bias1, weight2 }, hidden, inputs) {
  const active = new Float64Array(hidden);
  return {
    activate(x) {
      for (let h = 0; h < hidden; ++h) {
        let sum = bias1[h];
        for (let i = 0; i < inputs; ++i) sum += weight1[h * inputs + i] * x[i];
        active[h] = Math.max(sum, 0);
      }
    },
    output(head) {
      let sum = 0;
      for (let h = 0, w = head * hidden; h < hidden; ++h, ++w) sum += weight2[w] * active[h];
      return sum;
    },
  };
}

/** FIRE, in which every pair has a value of its own; up to the threshold the distance alone counts. */
export function fire(arrays, out, { heads, n, hidden, c = 0.1, threshold = 512, epsilon = 1e-6 }) {
  const { activate, output } = perceptron(arrays, hidden, 1);
  const input = [0];
  const logs = Float64Array.from({ length: n }, (_, i) => Math.log(c * i + 1));
  const scales = Float64Array.from({ length: n }, (_, i) => 1 / (Math.log(c * Math.max(i, threshold) + 1) + epsilon));
  const isCompact = threshold >= n - 1;
  const width = isCompact ? 2 * n - 1 : n;
  const rows = isCompact ? 1 : n;
  const made = isCompact ? new Float32Array(heads * width) : out;
  for (let query = 0; query < rows; ++query) {
    for (let key = 0; key < width; ++key) {
      const distance = isCompact ? Math.abs(key - n + 1) : Math.abs(key - query);
      input[0] = logs[distance] * scales[query];
      activate(input);
      for (let head = 0; head < heads; ++head) made[(head * rows + query) * width + key] = output(head);
    }
  }
  if (isCompact) expandBias(out, made, heads, n, n);
}

/** Reads a bias [heads, queries, keys] from a table [rows, heads], without an array of indices. */
export function swinBias(table, out, height, width, heads) {
  const across = 2 * width - 1;
  for (let head = 0, at = 0; head < heads; ++head) {
    for (let y = 0; y < height; ++y) {
      for (let x = 0; x < width; ++x) {
        for (let v = 0; v < height; ++v) {
          let row = ((y - v + height - 1) * across + x + width - 1) * heads + head;
          for (let u = 0; u < width; ++u, ++at, row -= heads) out[at] = table[row];
        }
      }
    }
  }
}
