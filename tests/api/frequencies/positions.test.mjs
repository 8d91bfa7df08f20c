// Forms of masks, types of positions, and rules of scaling that there are not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

test("positions of packed sequences, and from a mask of numbers or flags", () => {
  assert.deepEqual(pe.packedPositions([0, 2, 2, 5]), { data: Int32Array.of(0, 1, 0, 1, 2), shape: [5] });
  assert.deepEqual(pe.packedPositions([0]).shape, [0]);
  const data = [0, 0, 1, 1, 1, 1, 1, 0];
  const wanted = { data: Int32Array.of(1, 1, 0, 1, 0, 1, 2, 1), shape: [2, 4] };
  for (const mask of [data, data.map(Boolean), Uint8Array.from(data), Int32Array.from(data)])
    assert.deepEqual(pe.maskPositions({ data: mask, shape: [2, 4] }), wanted);
  assert.deepEqual([...pe.maskPositions({ data, shape: [8] }).data], [1, 1, 0, 1, 2, 3, 4, 1]);
});

test("a rotary of a rule knows its attention factor", () => {
  const scaling = { type: "yarn", factor: 4, originalLength: 32 };
  const rope = pe.rotary({ dim: 8, layout: "half", scaling });
  assert.equal(rope.attentionFactor, pe.frequencies({ dim: 8, scaling }).attentionFactor);
  assert.ok(rope.attentionFactor > 1.1);
  assert.equal(pe.rotary({ dim: 8, layout: "half" }).attentionFactor, 1);
});

testWrongCalls([
  [() => pe.frequencies({ dim: 8, scaling: { type: "toString" } }), RangeError, 'scaling.type: "toString"'],
  [() => pe.rotary({ dim: 8, layout: "half", scaling: { type: "toString" } }), RangeError, 'scaling.type: "toString"'],
]);
