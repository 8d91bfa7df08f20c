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
