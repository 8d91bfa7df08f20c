// Large arrays of the caller's own are rotated block by block: the bits of a buffer, and nothing written where a call fails.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../../dist/full.js";

const pe = await load();
const half = { dim: 64, layout: "half" };

const filled = (array) => {
  for (let i = 0; i < array.length; ++i) array[i] = array instanceof Float32Array ? Math.sin(i) : (i * 40503) & 0x7bff;
  return array;
};
const sameBits = (a, b) =>
  Buffer.compare(Buffer.from(a.buffer, a.byteOffset, a.byteLength), Buffer.from(b.buffer)) === 0;

const calls = [
  ["tokens in front", half, { shape: [5000, 2, 64], seqAxis: 0 }],
  ["tokens in front, from the end", half, { shape: [5000, 2, 64], seqAxis: -3, offset: -2500 }],
  ["heads in front", half, { shape: [3, 3001, 64], seqAxis: 1, offset: 7 }],
  ["a batch", half, { shape: [2, 3, 1500, 64], seqAxis: -2, offset: 0.5 }],
  ["tokens before a batch", half, { shape: [700, 5, 2, 64], seqAxis: 0 }],
  ["a fraction that adds up otherwise in parts", half, { shape: [5000, 2, 64], seqAxis: 0, offset: 0.1 }],
  ["positions that are no longer whole", half, { shape: [5000, 2, 64], seqAxis: 0, offset: 2 ** 52 - 3000.5 }],
  ["tokens between", half, { shape: [2, 40, 3, 50, 64], seqAxis: 1, offset: 100 }],
  ["tokens between, large ones", half, { shape: [3, 3, 2500, 64], seqAxis: 1, offset: 3 }],
  ["one of the axes", half, { shape: [1, 1, 5000, 64], seqAxis: 2 }],
  ["two axes", half, { shape: [5000, 64], offset: 2 }],
  [
    "inverse, interleaved, a part of the head",
    { dim: 48, layout: "interleaved" },
    { shape: [5000, 2, 64], seqAxis: 0, inverse: true, firstDim: 16 },
  ],
  ["deinterleaved", { dim: 64, layout: "deinterleaved" }, { shape: [5000, 2, 64], seqAxis: 0 }],
  ["a head of a block", { dim: 300_000, layout: "half" }, { shape: [2, 2, 300_000], seqAxis: 0 }],
];

test("a large array gets the bits of a buffer, however its axes are", () => {
  for (const [name, options, call] of calls) {
    for (const dtype of ["float32", "float16", "bfloat16"]) {
      const rope = pe.rotary(options);
      const size = call.shape.reduce((all, extent) => all * extent, 1);
      const own = filled(dtype === "float32" ? new Float32Array(size) : new Uint16Array(size));
      const before = own.slice();
      assert.equal(rope.apply(own, { ...call, dtype }), own, name);
      const buffer = pe.buffer(size, { dtype });
      const bits = () => {
        const { view } = buffer;
        return dtype === "float32" ? view : new Uint16Array(view.buffer, view.byteOffset, size);
      };
      bits().set(before);
      rope.apply(buffer.view, { ...call, dtype });
      assert.ok(!sameBits(own, before) && sameBits(own, bits().slice()), `${name}, ${dtype}`);
      buffer.dispose();
    }
  }
});

test("nothing of a large array is written where a call is refused, for whatever reason", () => {
  const rope = pe.rotary(half);
  const own = filled(new Float32Array(5000 * 2 * 64));
  const before = own.slice();
  const right = { shape: [5000, 2, 64], seqAxis: 0 };
  for (const [wrong, message] of [
    [{ offset: 2 ** 53 - 100 }, /^RangeError: (offset|positions)/],
    [{ offset: Number.NaN }, /^RangeError: offset/],
    [{ shape: [5000, 2, 32] }, /^RangeError: x/],
    [{ shape: [5000, 4, 64] }, /^RangeError: (x|shape)/],
    [{ shape: [5000, 64, 2] }, /^RangeError: shape/],
    [{ seqAxis: 2 }, /^RangeError: /],
    [{ seqAxis: undefined }, /^RangeError: seqAxis/],
    [{ firstDim: 1 }, /^RangeError: firstDim/],
    [{ dtype: "float16" }, /dtype/],
    [{ inverse: 1 }, /inverse/],
  ]) {
    assert.throws(() => rope.apply(own, { ...right, ...wrong }), message);
    assert.deepEqual(own, before);
  }
  rope.delete();
  assert.throws(() => rope.apply(own, right), /rotary/);
  assert.deepEqual(own, before);
});

test("the module needs memory for one block of a large array", async () => {
  const alone = await load({ shared: false });
  const bytes = () => alone.buffer(1).view.buffer.byteLength;
  const before = bytes();
  const size = [65_536, 4, 64];
  alone.rotary(half).apply(new Float32Array(size[0] * size[1] * size[2]), { shape: size, seqAxis: 0 });
  assert.ok(bytes() - before < 4 << 20, `${bytes() - before} bytes`);
});
