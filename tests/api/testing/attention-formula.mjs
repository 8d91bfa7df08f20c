// Attention by its formula, in double, one element at a time: tensors are nested arrays [batch][heads][rows][columns].

export const nest = (data, [extent, ...rest], at = { next: 0 }) =>
  Array.from({ length: extent }, () => (rest.length ? nest(data, rest, at) : data[at.next++]));

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** added(b, h, i, j): the score's bias, -Infinity where the pair is masked. factor(b, h, i, j): what dropout does. */
export function attend(q, k, v, { scale, scaled = false, added = () => 0, factor = () => 1 }) {
  const weights = q.map((heads, b) =>
    heads.map((rows, h) =>
      rows.map((query, i) => {
        const keys = k[b][Math.floor((h * k[b].length) / heads.length)];
        const scores = keys.map((key, j) =>
          scaled ? scale * (dot(query, key) + added(b, h, i, j)) : scale * dot(query, key) + added(b, h, i, j),
        );
        const powers = scores.map((score) => Math.exp(score));
        const total = powers.reduce((a, c) => a + c, 0);
        return powers.map((power) => (total === 0 ? 0 : power / total));
      }),
    ),
  );
  const output = weights.map((heads, b) =>
    heads.map((rows, h) =>
      rows.map((row, i) => {
        const values = v[b][Math.floor((h * v[b].length) / heads.length)];
        return (values[0] ?? []).map((_, d) =>
          row.reduce((sum, w, j) => sum + w * factor(b, h, i, j) * values[j][d], 0),
        );
      }),
    ),
  );
  return { weights, output };
}

/** x [rows][in] by W [out][in] and b [out]. */
const linear = (x, weight, bias) => x.map((row) => weight.map((column, o) => dot(row, column) + (bias ? bias[o] : 0)));

/** Multi-head self-attention of x [n][width]: the layers' weights and biases are nested arrays. */
export function multiHead(x, layers, heads, options = {}) {
  const split = (rows) => {
    const dim = rows[0].length / heads;
    return Array.from({ length: heads }, (_, h) => rows.map((row) => row.slice(h * dim, (h + 1) * dim)));
  };
  const project = (name) => split(linear(x, layers[name].weight, layers[name].bias));
  const [q, k, v] = ["query", "key", "value"].map(project);
  const scale = options.scale ?? 1 / Math.sqrt(q[0][0].length);
  const { weights, output } = attend([q], [k], [v], { ...options, scale });
  const context = x.map((_, i) => output[0].flatMap((head) => head[i]));
  return { output: linear(context, layers.out.weight, layers.out.bias), weights: weights[0] };
}

/** d loss / d data[i] by central differences: good to 1e-8. `loss` reads `data`, which is left as it was. */
export function differences(data, loss) {
  return Array.from(data, (middle, i) => {
    const step = 1e-5;
    data[i] = middle + step;
    const above = loss();
    data[i] = middle - step;
    const below = loss();
    data[i] = middle;
    return (above - below) / (2 * step);
  });
}
