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
