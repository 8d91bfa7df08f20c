import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const maps = [
  { type: "self-extend", window: 4, group: 2 },
  { type: "rerope", window: 4 },
  { type: "leaky-rerope", window: 4, factor: 8 },
  { type: "dual-chunk", chunkSize: 7, localSize: 2 },
];
const n = 18;

test("regions: scores of queries and keys that are rotated there are scores at the distances", () => {
  const [query, key] = [tensor([n, 8], 1), tensor([n, 8], 2)];
  const rope = pe.rotary({ dim: 8, layout: "half" });
  const rotated = ({ data }, positions) => rope.apply(data.slice(), { shape: [n, 8], positions });
  /** As many copies as there are regions, each with its own positions. */
  const everywhere = ({ data }, positions) => {
    const copies = Float32Array.from({ length: positions.shape[0] * data.length }, (_, i) => data[i % data.length]);
    return rope.apply(copies, { shape: [...positions.shape, 8], seqAxis: 1, batchAxis: 0, positions });
  };
  const dot = (a, i, b, j) =>
    a.slice(8 * i, 8 * i + 8).reduce((sum, x, dimension) => sum + x * b[8 * j + dimension], 0);
  for (const map of maps) {
    const { distances, region, ...made } = pe.positionMap({ ...map, queries: n, keys: n });
    assert.deepEqual(distances.shape, [n, n]);
    assert.deepEqual(region.shape, [n, n]);
    const [q, k] = [everywhere(query, made.queryPositions), everywhere(key, made.keyPositions)];
    for (let i = 0; i < n; ++i) {
      for (let j = 0; j < n; ++j) {
        const at = i * n + j;
        const r = region.data[at];
        assert.equal(r === -1, j > i);
        if (j > i) continue;
        const wanted = dot(rotated(query, Array(n).fill(distances.data[at])), i, key.data, j);
        assertClose([dot(q, r * n + i, k, r * n + j)], [wanted], 2e-6);
      }
    }
  }
});

test("one query while decoding is the last row of all; regions are named, from near to far", () => {
  const names = [
    ["window", "group"],
    ["window", "beyond"],
    ["window", "leaky"],
    ["intra", "succ", "inter"],
  ];
  for (const [i, map] of maps.entries()) {
    const all = pe.positionMap({ ...map, queries: n, keys: n });
    const last = pe.positionMap({ ...map, queries: 1, keys: n, queryOffset: n - 1 });
    assert.deepEqual(last.distances.data, all.distances.data.slice(-n));
    assert.deepEqual(last.region.data, all.region.data.slice(-n));
    assert.deepEqual(last.regions, names[i]);
    assert.deepEqual(last.keyPositions, all.keyPositions);
    assert.deepEqual(last.queryPositions.shape, [names[i].length, 1]);
  }
});

const shape = { queries: 2, keys: 2 };
testWrongCalls([
  [() => pe.positionMap({ ...shape, type: "rerope", window: 2, group: 3 }), RangeError, "group: 3, expected nothing"],
]);
