// Biases of relative positions in plain JavaScript. What depends on the distance alone is made once for each distance,
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

/** Dual Chunk Attention's distances and regions, [n, n], and the positions of its three regions. */
export function dualChunk({ distances, region, queryPositions, keyPositions }, n, chunkSize, localSize) {
  const c = chunkSize - localSize;
  for (let i = 0; i < n; ++i) {
    queryPositions[i] = i % c;
    queryPositions[n + i] = Math.min((i % c) + c, chunkSize);
    queryPositions[2 * n + i] = Math.min(2 * c - 1, chunkSize);
    for (let r = 0; r < 3; ++r) keyPositions[r * n + i] = i % c;
  }
  for (let i = 0, at = 0; i < n; ++i) {
    const chunk = Math.floor(i / c);
    for (let j = 0; j < n; ++j, ++at) {
      const r = Math.min(chunk - Math.floor(j / c), 2);
      region[at] = j > i ? -1 : r;
      distances[at] = j > i ? i - j : queryPositions[r * n + i] - keyPositions[r * n + j];
    }
  }
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

/** CoPE: gates of the keys up to the query are counted from the query back; the bias is read between two positions. */
export function cope({ query, logits, embedding }, { bias, counts }, { heads, n, dim, positions }) {
  const terms = new Float64Array(positions);
  for (let at = 0; at < heads * n; ++at) {
    const i = at % n;
    for (let p = 0, e = 0; p < positions; ++p) {
      let sum = 0;
      for (let d = 0, q = at * dim; d < dim; ++d, ++q, ++e) sum += query[q] * embedding[e];
      terms[p] = sum;
    }
    const row = at * n;
    let count = 0;
    for (let k = n - 1; k >= 0; --k) {
      if (k <= i) count += 1 / (1 + Math.exp(-logits[row + k]));
      const place = Math.min(count, positions - 1);
      counts[row + k] = place;
      if (k > i) {
        bias[row + k] = Number.NEGATIVE_INFINITY;
        continue;
      }
      const below = Math.floor(place);
      const part = place - below;
      bias[row + k] = part === 0 ? terms[below] : (1 - part) * terms[below] + part * terms[below + 1];
    }
  }
}

/** Swin's row of the table for each pair of a window's cells. */
export function swinIndex(out, height, width) {
  const across = 2 * width - 1;
  for (let y = 0, at = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      for (let v = 0; v < height; ++v) {
        for (let u = 0; u < width; ++u, ++at) out[at] = (y - v + height - 1) * across + x - u + width - 1;
      }
    }
  }
}

/** The same of a table's values, [rows, heads], without the index. */
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

const logSpaced = (offset, extent) => {
  const scaled = (8 * offset) / (extent - 1);
  return (Math.sign(scaled) * Math.log2(Math.abs(scaled) + 1)) / 3;
};

/** y and x of every offset of two cells, log-spaced: `each(row, y, x)`. */
function offsets(height, width, each) {
  const columns = Float64Array.from({ length: 2 * width - 1 }, (_, i) => logSpaced(i - width + 1, width));
  for (let v = 1 - height, row = 0; v < height; ++v) {
    const y = logSpaced(v, height);
    for (let u = 0; u < columns.length; ++u, ++row) each(row, y, columns[u]);
  }
}

export function swinLogCoordinates(out, height, width) {
  offsets(height, width, (row, y, x) => {
    out[2 * row] = y;
    out[2 * row + 1] = x;
  });
}

export function swinLogCpb(arrays, out, { height, width, hidden, heads }) {
  const { activate, output } = perceptron(arrays, hidden, 2);
  const input = [0, 0];
  offsets(height, width, (row, y, x) => {
    input[0] = y;
    input[1] = x;
    activate(input);
    for (let head = 0; head < heads; ++head) out[row * heads + head] = 16 / (1 + Math.exp(-output(head)));
  });
}

/** Ids [n, n] of key - query by a rule. */
export function idsOf(out, n, idOf) {
  const compact = Int32Array.from({ length: 2 * n - 1 }, (_, i) => idOf(i - n + 1));
  expandBias(out, compact, 1, n, n);
}

/** [n, n, dim]: every pair's row is one of the distances'. */
export function relativeSinusoidal(out, n, dim) {
  const pairs = dim / 2;
  const rows = new Float32Array((2 * n - 1) * dim);
  for (let row = 0, at = 0; row < 2 * n - 1; ++row) {
    for (let i = 0; i < pairs; ++i, at += 2) {
      const angle = (row - n + 1) * 10000 ** (-i / pairs);
      rows[at] = Math.sin(angle);
      rows[at + 1] = Math.cos(angle);
    }
  }
  for (let query = 0; query < n; ++query) {
    out.set(rows.subarray((n - 1 - query) * dim, (2 * n - 1 - query) * dim), query * n * dim);
  }
}

/** Transformer-XL's shift of x [queries, width]: a zero before each row, read again in rows of the same width. */
export function relativeShift(x, out, queries, width) {
  for (let at = 0; at < queries * width; ++at) {
    const padded = at + queries;
    const column = padded % (width + 1);
    out[at] = column === 0 ? 0 : x[Math.floor(padded / (width + 1)) * width + column - 1];
  }
}
