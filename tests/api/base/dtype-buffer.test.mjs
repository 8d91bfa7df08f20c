import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { pseudoRandom } from "../testing/reference.mjs";

const pe = await load();
const dtypes = ["float16", "bfloat16"];
const bitsOf = (data) => new Uint16Array(data.buffer, data.byteOffset, data.length);

test("a buffer of 16-bit values holds zeros, then what is written through its view", () => {
  for (const dtype of dtypes) {
    const buffer = pe.buffer(5, { dtype });
    assert.equal(buffer.length, 5);
    assert.equal(buffer.dtype, dtype);
    assert.equal(
      buffer.view.constructor.name,
      dtype === "float16" && globalThis.Float16Array ? "Float16Array" : "Uint16Array",
    );
    assert.deepEqual([...bitsOf(buffer.view)], [0, 0, 0, 0, 0]);
    bitsOf(buffer.view).set([1, 2, 3], 1);
    assert.deepEqual([...bitsOf(buffer.view)], [0, 1, 2, 3, 0]);
    assert.equal(pe.buffer(0, { dtype }).view.length, 0);
  }
  assert.equal(pe.buffer(3).view.constructor, Float32Array);
  assert.equal(pe.buffer(3, { dtype: "float32" }).view.constructor, Float32Array);
});

test("rotation of 16-bit values in a buffer, or in a part of one, is the same rotation", () => {
  for (const dtype of dtypes)
    for (const layout of ["half", "interleaved", "deinterleaved"]) {
      const rope = pe.rotary({ dim: 24, layout });
      const x = pe.convert({ data: pseudoRandom(5 * 3 * 24), shape: [5, 3, 24] }, dtype).data;
      const options = { shape: [5, 3, 24], seqAxis: 0, offset: 11, dtype };
      const expected = bitsOf(rope.apply(x.slice(), options));
      const buffer = pe.buffer(x.length + 4, { dtype });
      bitsOf(buffer.view).set(bitsOf(x), 3);
      const part = buffer.view.subarray(3, 3 + x.length);
      assert.equal(rope.apply(part, options), part);
      assert.deepEqual(bitsOf(part), expected);
      assert.deepEqual([...bitsOf(buffer.view.slice(0, 3)), ...bitsOf(buffer.view.slice(-1))], [0, 0, 0, 0]);
      assert.notDeepEqual(expected, bitsOf(x));
    }
});

test("a buffer's values are converted as any others", () => {
  for (const dtype of dtypes) {
    const values = pseudoRandom(37);
    const expected = pe.convert({ data: values, shape: [37] }, dtype);
    const wide = pe.buffer(37);
    wide.view.set(values);
    assert.deepEqual(bitsOf(pe.convert({ data: wide.view, shape: [37] }, dtype).data), bitsOf(expected.data));
    const half = pe.buffer(37, { dtype });
    bitsOf(half.view).set(bitsOf(expected.data));
    assert.deepEqual(pe.convert({ data: half.view, shape: [37], dtype }, "float32"), pe.convert(expected, "float32"));
  }
});

test("a view of 16-bit values survives growth when asked for again", () => {
  const buffer = pe.buffer(16, { dtype: "bfloat16" });
  const old = buffer.view.fill(0x4040);
  const large = pe.buffer(64 << 20);
  assert.equal(old.length, 0);
  assert.deepEqual([...buffer.view], Array(16).fill(0x4040));
  large.delete();
});

test("what is wrong with a buffer of 16-bit values is named, and nothing is written", () => {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const dtype = "bfloat16";
  const buffer = pe.buffer(8, { dtype });
  const stale = buffer.view.fill(0x3f80);
  assert.throws(() => rope.apply(stale, { shape: [2, 4] }), { name: "TypeError", message: /^dtype: undefined/ });
  assert.throws(() => rope.apply(stale, { shape: [3, 4], dtype }), RangeError);
  assert.throws(() => rope.apply(stale, { shape: [2, 4], offset: Number.NaN, dtype }), RangeError);
  assert.deepEqual([...buffer.view], Array(8).fill(0x3f80));
  buffer.delete();
  buffer.delete();
  assert.throws(() => buffer.view, TypeError);
  assert.throws(() => rope.apply(stale, { shape: [2, 4], dtype }), {
    name: "TypeError",
    message: /^x: .*expected a view of a buffer that is still alive$/,
  });
  assert.throws(() => pe.buffer(4, { dtype: "float64" }), { name: "RangeError", message: /^dtype: "float64"/ });
  assert.throws(() => pe.buffer(4, { dtype: 16 }), { name: "TypeError", message: /^dtype: 16/ });
  assert.throws(() => pe.buffer(4, { type: dtype }), { name: "TypeError", message: /^buffer.type: / });
  assert.throws(() => pe.buffer(4, null), { name: "TypeError", message: /^buffer: / });
  const another = pe.buffer(16, { dtype });
  assert.throws(() => rope.step(another, { shape: [2, 4] }), { name: "TypeError", message: /^x: / });
  for (const length of [-1, 1.5, "8", 2 ** 40]) {
    assert.throws(() => pe.buffer(length, { dtype }), /^(Range|Type)Error: length: /);
  }
});

test("a buffer of 16-bit values can be disposed of", () => {
  const buffer = pe.buffer(4, { dtype: "float16" });
  if (Symbol.dispose) buffer[Symbol.dispose]();
  else buffer.delete();
  assert.throws(() => buffer.view, TypeError);
});
