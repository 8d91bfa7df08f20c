// Values of 16 bits in and out, and in buffers; what they round to, tests/core/base/dtype.test.cpp and others prove.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { pseudoRandom } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const bitsOf = (data) => new Uint16Array(data.buffer, data.byteOffset, data.length);
const one = { float16: 0x3c00, bfloat16: 0x3f80 };
const rope = pe.rotary({ dim: 8, layout: "half" });

/** Results that have a dtype. */
const results = {
  "a table": (dtype) => pe.sinusoidal({ length: 3, dim: 8, dtype }),
  "a grid": (dtype) => pe.sinusoidalGrid({ shape: [3, 4], dim: 8, preset: "mae", dtype }),
  "cosines of a cache": (dtype) => rope.cache({ length: 5, dtype }).cos,
  "sines of a cache": (dtype) => rope.cache({ length: 5, dtype }).sin,
  "a cache in a form": (dtype) => pe.rotaryCache({ rotary: rope, form: "ggml", length: 5, dtype }).cosSin,
};

for (const [dtype, bits] of Object.entries(one)) {
  test(`${dtype}: what is made has the shape and, to a unit, the values of float32`, () => {
    for (const [what, make] of Object.entries(results)) {
      const [half, wide] = [make(dtype), make()];
      assert.deepEqual([half.shape, half.dtype], [wide.shape, dtype], what);
      const rounded = bitsOf(pe.convert(wide, dtype).data);
      for (const [i, value] of bitsOf(half.data).entries()) assert.ok(Math.abs(value - rounded[i]) <= 1, what);
    }
    assert.equal(bitsOf(results["a table"](dtype).data)[1], bits);
  });

  test(`${dtype}: conversion there and back, and rotation in place, in a buffer and in a part of one`, () => {
    const wide = { data: pseudoRandom(5 * 3 * 8), shape: [5, 3, 8] };
    const x = pe.convert(wide, dtype);
    assert.deepEqual(pe.convert(pe.convert(x, "float32"), dtype), x);
    const options = { shape: [5, 3, 8], seqAxis: 0, offset: 11, dtype };
    const expected = bitsOf(rope.apply(bitsOf(x.data).slice(), options));
    const rotated = rope.apply(pe.convert(x, "float32").data, { ...options, dtype: "float32" });
    const rounded = bitsOf(pe.convert({ data: rotated, shape: [120] }, dtype).data);
    assert.deepEqual(expected, rounded);
    const buffer = pe.buffer(124, { dtype });
    assert.deepEqual([buffer.length, buffer.dtype], [124, dtype]);
    assert.ok(bitsOf(buffer.view).every((value) => value === 0));
    const part = buffer.view.subarray(3, 123);
    bitsOf(part).set(bitsOf(x.data));
    assert.deepEqual(pe.convert({ data: part, shape: [120], dtype }, "float32").data, pe.convert(x, "float32").data);
    assert.equal(rope.apply(part, options), part);
    assert.deepEqual(bitsOf(part), expected);
    assert.deepEqual([...bitsOf(buffer.view.slice(0, 3)), ...bitsOf(buffer.view.slice(-1))], [0, 0, 0, 0]);
    pe.buffer(part.buffer.byteLength / 4).delete(); // the memory grows
    assert.equal(part.length, 0);
    assert.deepEqual(bitsOf(buffer.view.subarray(3, 123)), expected);
    buffer.delete();
    assert.throws(() => buffer.view, TypeError);
  });
}

test("nothing at all is converted and rotated too", () => {
  assert.equal(pe.convert({ data: new Float32Array(), shape: [0] }, "float16").data.length, 0);
  assert.equal(rope.apply(new Uint16Array(), { shape: [0, 8], dtype: "bfloat16" }).length, 0);
});

test("float32 stays what it is without a dtype", () => {
  assert.deepEqual(Object.keys(pe.sinusoidal({ length: 1, dim: 2 })), ["data", "shape"]);
  for (const make of Object.values(results)) assert.ok(make("float32").data instanceof Float32Array);
  assert.equal(pe.buffer(3, { dtype: "float32" }).view.constructor, Float32Array);
});

/** A Float16Array as the library sees one, for engines that have none. */
class Float16Stub extends Uint16Array {
  static name = "Float16Array";
  get [Symbol.toStringTag]() {
    return "Float16Array";
  }
}

test("float16 comes and goes in a Float16Array where the engine has one", (t) => {
  if (!globalThis.Float16Array) {
    globalThis.Float16Array = Float16Stub;
    t.after(() => delete globalThis.Float16Array);
  }
  const { Float16Array } = globalThis;
  const table = pe.sinusoidal({ length: 4, dim: 6, dtype: "float16" });
  assert.ok(table.data instanceof Float16Array);
  assert.ok(pe.buffer(5, { dtype: "float16" }).view instanceof Float16Array);
  assert.ok(pe.sinusoidal({ length: 4, dim: 6, dtype: "bfloat16" }).data instanceof Uint16Array);
  assert.equal(pe.convert(table, "float32").data[1], 1);
  // A part of a larger buffer, without dtype: it follows from the array.
  const bits = new Uint16Array([1, 0x3c00, 0, 2]);
  const part = new Float16Array(bits.buffer, 2, 2);
  const two = pe.rotary({ dim: 2, layout: "half" });
  assert.equal(two.apply(part, { shape: [1, 2], offset: 1 }), part);
  assert.deepEqual([...bits], [1, 0x3853, 0x3abb, 2]);
  assert.throws(() => two.apply(part, { shape: [1, 2], dtype: "bfloat16" }), TypeError);
});

const half = () => new Uint16Array(8);
testWrongCalls([
  [() => rope.apply(half(), { shape: [1, 8] }), TypeError, "dtype: undefined, expected the type of the bits in x"],
  [
    () => rope.apply(half(), { shape: [1, 8], dtype: "float32" }),
    TypeError,
    'dtype: "float32", expected the type of the bits in x',
  ],
  [
    () => pe.convert({ data: half(), shape: [8], dtype: "float32" }, "bfloat16"),
    TypeError,
    'dtype: "float32", expected the type of the bits in x.data',
  ],
  [
    () => rope.apply(new Float32Array(8), { shape: [1, 8], dtype: "float16" }),
    TypeError,
    'dtype: "float16", expected "float32", or nothing',
  ],
  [() => pe.convert({ data: half(), shape: [8] }, "float32"), TypeError, "dtype: undefined, expected the type of"],
  [() => pe.buffer(4, { dtype: "float64" }), RangeError, 'dtype: "float64", expected "float'],
  [() => pe.buffer(4, { type: "float16" }), TypeError, "buffer.type: "],
  [() => rope.step(pe.buffer(16, { dtype: "float16" }), { shape: [2, 8] }), TypeError, "x: "],
]);
