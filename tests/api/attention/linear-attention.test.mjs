import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, pseudoRandom, range, rotate } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

test("linear attention, causal and not", () => {
  const [queries, keys, dim, dv, offset] = [3, 5, 6, 2, 2];
  const tensor = (rows, columns, seed) => ({ data: pseudoRandom(rows * columns, seed), shape: [rows, columns] });
  const [query, key, value] = [tensor(queries, dim, 12), tensor(keys, dim, 13), tensor(keys, dv, 14)];
  const rotary = pe.rotary({ dim, layout: "half" });
  const feature = (head) => [...head].map((dimension) => (dimension > 0 ? dimension + 1 : Math.exp(dimension)));
  const dot = (a, b) => a.reduce((sum, dimension, i) => sum + dimension * b[i], 0);
  const row = ({ data, shape }, i) => data.slice(i * shape[1], (i + 1) * shape[1]);
  for (const causal of [false, true]) {
    const wanted = range(queries).flatMap((m) => {
      const q = feature(row(query, m));
      const seen = range(keys).filter((n) => !causal || n <= m + offset);
      const k = seen.map((n) => feature(row(key, n)));
      const total = k.reduce((sum, dims) => sum + dot(q, dims), 0);
      const rotated = rotate(q, m + offset, { layout: "half" });
      const weights = k.map((dims, i) => dot(rotated, rotate(dims, seen[i], { layout: "half" })) / total);
      return range(dv).map((v) => weights.reduce((sum, w, i) => sum + w * value.data[seen[i] * dv + v], 0));
    });
    const got = pe.linearAttention({ rotary, query, key, value, causal, queryOffset: offset });
    assert.deepEqual(got.shape, [queries, dv]);
    assertClose(got.data, wanted, 1e-7);
  }
});

const matrix = { data: new Float32Array(8), shape: [2, 4] };

testWrongCalls([
  [
    () =>
      pe.linearAttention({
        rotary: pe.rotary({ dim: 6, layout: "half" }),
        query: matrix,
        key: matrix,
        value: matrix,
      }),
    RangeError,
    "dim: 4, expected that of the rotary, 6",
  ],
]);
