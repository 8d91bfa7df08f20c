import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { pseudoRandom } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

test("packed sequences rotate as they do alone", () => {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const positions = pe.packedPositions([0, 2, 2, 5]);
  assert.deepEqual(positions, { data: Int32Array.of(0, 1, 0, 1, 2), shape: [5] });
  const x = pseudoRandom(20, 6);
  const first = rope.apply(x.slice(0, 8), { shape: [2, 4] });
  const last = rope.apply(x.slice(8), { shape: [3, 4] });
  assert.deepEqual([...rope.apply(x, { shape: [5, 4], positions })], [...first, ...last]);
  assert.deepEqual(pe.packedPositions([0]).shape, [0]);
});

test("positions from a mask, of numbers or flags", () => {
  const data = [0, 0, 1, 1, 1, 1, 1, 0];
  assert.deepEqual(pe.maskPositions({ data, shape: [2, 4] }), {
    data: Int32Array.of(1, 1, 0, 1, 0, 1, 2, 1),
    shape: [2, 4],
  });
  const flags = { data: data.map(Boolean), shape: [2, 4] };
  assert.deepEqual([...pe.maskPositions(flags, { padding: 0 }).data], [0, 0, 0, 1, 0, 1, 2, 0]);
  assert.deepEqual([...pe.maskPositions({ data: Uint8Array.from(data), shape: [8] }).data], [1, 1, 0, 1, 2, 3, 4, 1]);
});

testWrongCalls([
  [() => pe.packedPositions([0, 1.5]), RangeError, "boundaries: 1.5, expected a whole number"],
  [() => pe.maskPositions({ data: [1, 2], shape: [2] }), RangeError, "mask.data: 2, expected one of 0, 1"],
]);
