// What of relative positions is JavaScript's own: forms and their shapes, types of ids, and which results there are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { biases } from "../testing/calls/relative.mjs";
import { Inputs } from "../testing/inputs.mjs";
import { tensor } from "../testing/reference.mjs";

const pe = await load();
const shape = { queries: 3, keys: 5, queryOffset: 2 };

for (const [name, maker] of Object.entries(biases))
  test(`${name}: the compact form expands to the full one, and a masked future is -Infinity alone`, () => {
    const make = (more) => maker(pe, new Inputs())({ ...shape, ...more });
    const [full, compact, masked] = [{}, { form: "compact" }, { future: "mask" }].map(make);
    assert.deepEqual(
      [full.shape.slice(1), compact.shape],
      [
        [3, 5],
        [full.shape[0], 7],
      ],
    );
    assert.deepEqual(pe.relativeExpand(compact, { queries: 3, keys: 5 }), full);
    const isLater = (at) => (at % 5) - (Math.floor(at / 5) % 3) - 2 > 0;
    assert.deepEqual(
      masked.data,
      full.data.map((value, at) => (isLater(at) ? Number.NEGATIVE_INFINITY : value)),
    );
  });

test("offsets and Shaw's ids are Int32Arrays; compact ids expand to full ones", () => {
  const [full, compact] = [{}, { form: "compact" }].map((form) => pe.relativeOffsets({ ...shape, ...form }));
  assert.deepEqual(full.data, Int32Array.of(-2, -1, 0, 1, 2, -3, -2, -1, 0, 1, -4, -3, -2, -1, 0));
  assert.deepEqual(compact, { data: Int32Array.of(-4, -3, -2, -1, 0, 1, 2), shape: [7] });
  assert.deepEqual(pe.relativeExpandIds(compact, { queries: 3, keys: 5 }), full);
  assert.ok(pe.shawIds({ ...shape, maxDistance: 1 }).data instanceof Int32Array);
  const [code, codes] = [{}, { form: "compact" }].map((form) => pe.relativeSinusoidal({ ...shape, dim: 8, ...form }));
  assert.deepEqual(
    [code.shape, codes.shape],
    [
      [3, 5, 8],
      [7, 8],
    ],
  );
});

test("empty sequences give empty results", () => {
  assert.deepEqual(pe.alibi({ heads: 2, queries: 0, keys: 4 }).shape, [2, 0, 4]);
  assert.deepEqual(pe.relativeOffsets({ queries: 3, keys: 0, form: "compact" }).shape, [0]);
});

test("regions of a map are named, from near to far, and each has positions", () => {
  for (const [map, names] of [
    [{ type: "self-extend", window: 4, group: 2 }, ["window", "group"]],
    [{ type: "rerope", window: 4 }, ["window", "beyond"]],
    [{ type: "leaky-rerope", window: 4, factor: 8 }, ["window", "leaky"]],
    [{ type: "dual-chunk", chunkSize: 7, localSize: 2 }, ["intra", "succ", "inter"]],
  ]) {
    const [all, last] = [18, 1].map((queries) =>
      pe.positionMap({ ...map, queries, keys: 18, queryOffset: 18 - queries }),
    );
    assert.deepEqual([all.distances.shape, all.region.shape, all.regions], [[18, 18], [18, 18], names]);
    assert.deepEqual(
      [all.keyPositions.shape, last.queryPositions.shape],
      [
        [names.length, 18],
        [names.length, 1],
      ],
    );
    // One query while decoding is the last row of all.
    assert.deepEqual([...last.region.data], [...all.region.data.slice(-18)]);
  }
});

test("attention has weights where they are asked for, and gradients of the tables that were given", () => {
  const tensors = { query: tensor([3, 4], 2), key: tensor([5, 4], 3), value: tensor([5, 2], 4) };
  const vectors = { relative: tensor([7, 4]), contentBias: tensor([4]), positionBias: tensor([4]) };
  const shaw = { ...tensors, maxDistance: 2, keyTable: tensor([5, 4]) };
  for (const [weights, names] of [
    [undefined, ["output"]],
    [false, ["output"]],
    [true, ["output", "weights"]],
  ])
    for (const made of [pe.shawAttention({ ...shaw, weights }), pe.transformerXl({ ...tensors, ...vectors, weights })])
      assert.deepEqual(Object.keys(made), names);
  const gradients = pe.shawBackward({ ...shaw, gradient: tensor([3, 2]) });
  assert.deepEqual(Object.keys(gradients), ["query", "key", "value", "keyTable"]);
});
