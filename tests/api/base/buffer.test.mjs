import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc";

const pe = await load();

test("a buffer holds zeros, then what is written through its view", () => {
  const buffer = pe.buffer(5);
  assert.equal(buffer.length, 5);
  assert.deepEqual([...buffer.view], [0, 0, 0, 0, 0]);
  buffer.view.set([1, 2, 3], 1);
  assert.deepEqual([...buffer.view], [0, 1, 2, 3, 0]);
  assert.equal(pe.buffer(0).view.length, 0);
});

test("a table made in a buffer, or in an array of the caller's, is the same table", () => {
  const expected = pe.sinusoidal({ length: 40, dim: 24, offset: 7 });
  const buffer = pe.buffer(40 * 24);
  const inBuffer = pe.sinusoidal({ length: 40, dim: 24, offset: 7, out: buffer.view });
  assert.equal(inBuffer.data.buffer, buffer.view.buffer);
  assert.deepEqual(buffer.view, expected.data);
  const out = new Float32Array(40 * 24);
  const inArray = pe.sinusoidal({ length: 40, dim: 24, offset: 7, out });
  assert.equal(inArray.data, out);
  assert.deepEqual(out, expected.data);
  assert.deepEqual(inArray.shape, [40, 24]);
});

test("rotation in a buffer, or in a part of one, is the same rotation", () => {
  const rope = pe.rotary({ dim: 8, layout: "half" });
  const x = Float32Array.from({ length: 3 * 2 * 8 }, (_, i) => Math.sin(i));
  const options = { shape: [3, 2, 8], offset: 11 };
  const expected = rope.apply(x.slice(), options);
  const buffer = pe.buffer(x.length + 4);
  buffer.view.set(x, 4);
  rope.apply(buffer.view.subarray(4), options);
  assert.deepEqual(buffer.view.slice(4), expected);
  assert.deepEqual([...buffer.view.slice(0, 4)], [0, 0, 0, 0]);
});

test("a view survives growth when asked for again", () => {
  const buffer = pe.buffer(16);
  const old = buffer.view.fill(3);
  const large = pe.buffer(64 << 20);
  assert.equal(old.length, 0);
  assert.deepEqual([...buffer.view], Array(16).fill(3));
  large.delete();
});

test("what is wrong is named, and nothing is written", () => {
  const buffer = pe.buffer(16);
  const stale = buffer.view;
  assert.throws(() => pe.sinusoidal({ length: 2, dim: 4, out: buffer.view }), {
    name: "RangeError",
    message: "out: 16, expected 8 values",
  });
  assert.throws(() => pe.sinusoidal({ length: 2, dim: 4, out: [] }), TypeError);
  assert.throws(() => pe.sinusoidal({ length: 4, dim: 4, base: -1, out: buffer.view }), RangeError);
  assert.deepEqual([...buffer.view], Array(16).fill(0));
  buffer.delete();
  buffer.delete();
  assert.throws(() => buffer.view, TypeError);
  assert.throws(() => pe.sinusoidal({ length: 4, dim: 4, out: stale }), {
    name: "TypeError",
    message: /^out: .*expected a view of a buffer that is still alive$/,
  });
  for (const length of [-1, 1.5, "8", 2 ** 40]) assert.throws(() => pe.buffer(length), /^(Range|Type)Error: length: /);
});
