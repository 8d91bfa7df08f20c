import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { inverseFrequency, pseudoRandom, range, rotate } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

/** The value of a 16-bit pattern, by the definition of each format. */
function numberOf(bits, dtype) {
  const [fractionBits, bias] = dtype === "float16" ? [10, 15] : [7, 127];
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits & 0x7fff) >> fractionBits;
  const fraction = (bits & ((1 << fractionBits) - 1)) / 2 ** fractionBits;
  if (exponent === 2 ** (15 - fractionBits) - 1) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias));
}

/** The pattern nearest to a finite number, ties to the even one: by bisection over the positive patterns. */
function nearest(x, dtype) {
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const size = Math.abs(x);
  const infinity = dtype === "float16" ? 0x7c00 : 0x7f80;
  const limit = dtype === "float16" ? 2 ** 16 : 2 ** 128;
  const at = (bits) => (bits === infinity ? limit : numberOf(bits, dtype));
  let [low, high] = [0, infinity];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(middle) <= size) low = middle;
    else high = middle;
  }
  const [down, up] = [size - at(low), at(high) - size];
  return sign | (down < up || (down === up && low % 2 === 0) ? low : high);
}

const bitsOf = (data) => new Uint16Array(data.buffer, data.byteOffset, data.length);
const dtypes = ["float16", "bfloat16"];

for (const dtype of dtypes) {
  test(`${dtype}: every pattern is widened to its value and comes back`, () => {
    const data = Uint16Array.from({ length: 65536 }, (_, bits) => bits);
    const wide = pe.convert({ data, shape: [256, 256], dtype }, "float32");
    assert.ok(wide.data instanceof Float32Array);
    assert.deepEqual(wide.shape, [256, 256]);
    data.forEach((bits, i) => {
      if (!Object.is(wide.data[i], numberOf(bits, dtype))) assert.fail(`${bits}: ${wide.data[i]}`);
    });
    const back = pe.convert(wide, dtype);
    assert.equal(back.dtype, dtype);
    bitsOf(back.data).forEach((bits, i) => {
      if (bits !== i && !(Number.isNaN(numberOf(i, dtype)) && Number.isNaN(numberOf(bits, dtype)))) assert.fail(`${i}`);
    });
  });

  test(`${dtype}: float32 is rounded to the nearest, ties to even`, () => {
    const values = [
      0,
      -0,
      1,
      1 + 2 ** -8,
      1 + 3 * 2 ** -8,
      1 + 2 ** -11,
      65519,
      65520,
      2 ** -25,
      2 ** -24,
      1e-40,
      3e38,
    ];
    const data = Float32Array.from([...values, ...pseudoRandom(5000, 3), ...pseudoRandom(500, 4).map((x) => x * 1e-5)]);
    const { data: rounded, shape } = pe.convert({ data, shape: [data.length] }, dtype);
    assert.deepEqual(shape, [data.length]);
    assert.deepEqual(
      [...bitsOf(rounded)],
      Array.from(data, (x) => nearest(x, dtype)),
    );
  });

  test(`${dtype}: a table is rounded once`, () => {
    const table = pe.sinusoidal({ length: 50, dim: 16, offset: 3, dtype });
    assert.deepEqual([table.shape, table.dtype], [[50, 16], dtype]);
    const exact = range(50, 3).flatMap((p) =>
      range(8).flatMap((i) => [Math.sin(p * inverseFrequency(i, 16)), Math.cos(p * inverseFrequency(i, 16))]),
    );
    assert.deepEqual(
      [...bitsOf(table.data)],
      exact.map((x) => nearest(x, dtype)),
    );
    // A tie in float32, but not in double.
    const tie = 1 + (dtype === "float16" ? 2 ** -11 : 2 ** -8) + 2 ** -40;
    const [, one] = bitsOf(pe.sinusoidal({ length: 1, dim: 2, amplitude: tie, dtype }).data);
    assert.equal(one, nearest(1, dtype) + 1);
  });

  test(`${dtype}: a grid and a cache`, () => {
    const options = { shape: [3, 4], dim: 8, preset: "mae" };
    const grid = pe.sinusoidalGrid({ ...options, dtype });
    const wide = pe.sinusoidalGrid(options);
    assert.deepEqual([grid.shape, grid.dtype], [wide.shape, dtype]);
    assert.deepEqual(
      [...bitsOf(grid.data)],
      Array.from(wide.data, (x) => nearest(x, dtype)),
    );
    const rope = pe.rotary({ dim: 8, layout: "half" });
    const { cos, sin } = rope.cache({ length: 5, dtype });
    assert.deepEqual([cos.shape, sin.shape, cos.dtype, sin.dtype], [[5, 4], [5, 4], dtype, dtype]);
    const angles = range(5).flatMap((p) => range(4).map((i) => p * inverseFrequency(i, 8)));
    assert.deepEqual(
      [...bitsOf(cos.data), ...bitsOf(sin.data)],
      [...angles.map(Math.cos), ...angles.map(Math.sin)].map((x) => nearest(x, dtype)),
    );
    const { cosSin } = pe.rotaryCache({ rotary: rope, form: "ggml", length: 5, dtype });
    assert.deepEqual(cosSin.shape, [5, 8]);
    assert.deepEqual([...bitsOf(cosSin.data)].slice(8, 10), [bitsOf(cos.data)[4], bitsOf(sin.data)[4]]);
  });

  for (const layout of ["half", "interleaved", "deinterleaved"]) {
    test(`${dtype}, ${layout}: rotation in place`, () => {
      const [seq, heads, dim] = [5, 3, 38];
      const x = Uint16Array.from(pseudoRandom(seq * heads * dim, 8), (value) => nearest(value, dtype));
      const values = Array.from(x, (bits) => numberOf(bits, dtype));
      const rope = pe.rotary({ dim, layout });
      assert.equal(rope.apply(x, { shape: [seq, heads, dim], seqAxis: 0, offset: 7, dtype }), x);
      const ulp = dtype === "float16" ? 2 ** -11 : 2 ** -8;
      for (let head = 0; head < seq * heads; ++head) {
        const wanted = rotate(values.slice(head * dim, (head + 1) * dim), 7 + Math.floor(head / heads), { layout });
        wanted.forEach((exact, dimension) => {
          const got = numberOf(x[head * dim + dimension], dtype);
          assert.ok(Math.abs(got - exact) <= Math.max(Math.abs(exact), 2 ** -14) * ulp + 5e-7, `${got} ${exact}`);
        });
      }
    });
  }
}

test("16 bits become the other 16 bits by way of float32", () => {
  const data = Uint16Array.from(pseudoRandom(100, 5), (x) => nearest(x, "float16"));
  const brain = pe.convert({ data, shape: [100], dtype: "float16" }, "bfloat16");
  assert.ok(brain.data instanceof Uint16Array);
  assert.deepEqual(
    [...brain.data],
    Array.from(data, (bits) => nearest(numberOf(bits, "float16"), "bfloat16")),
  );
});

test("nothing at all is converted and rotated too", () => {
  assert.equal(pe.convert({ data: new Float32Array(), shape: [0] }, "float16").data.length, 0);
  const rope = pe.rotary({ dim: 4, layout: "half" });
  assert.equal(rope.apply(new Uint16Array(), { shape: [0, 4], dtype: "bfloat16" }).length, 0);
});

test("float32 stays what it is without a dtype", () => {
  assert.deepEqual(Object.keys(pe.sinusoidal({ length: 1, dim: 2 })), ["data", "shape"]);
  assert.ok(pe.sinusoidal({ length: 1, dim: 2, dtype: "float32" }).data instanceof Float32Array);
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const x = new Float32Array([1, 2, 3, 4]);
  assert.equal(rope.apply(x, { shape: [1, 4], offset: 1, dtype: "float32" }), x);
  assert.ok(rope.cache({ length: 1 }).cos.data instanceof Float32Array);
});

/** A Float16Array as the library sees one, for engines that have none. */
class Float16Stub extends Uint16Array {
  static name = "Float16Array";
  get [Symbol.toStringTag]() {
    return "Float16Array";
  }
}

test("float16 comes and goes in a Float16Array where the engine has one", (t) => {
  const own = globalThis.Float16Array;
  if (!own) {
    globalThis.Float16Array = Float16Stub;
    t.after(() => {
      delete globalThis.Float16Array;
    });
  }
  const { Float16Array } = globalThis;
  const table = pe.sinusoidal({ length: 4, dim: 6, dtype: "float16" });
  assert.ok(table.data instanceof Float16Array);
  assert.equal(bitsOf(table.data)[1], 0x3c00);
  assert.ok(pe.sinusoidal({ length: 4, dim: 6, dtype: "bfloat16" }).data instanceof Uint16Array);
  const [, cosine] = pe.convert(table, "float32").data;
  assert.equal(cosine, 1);
  // A part of a larger buffer, without dtype: it follows from the array.
  const bits = new Uint16Array([1, 0x3c00, 0, 2]);
  const part = new Float16Array(bits.buffer, 2, 2);
  const rope = pe.rotary({ dim: 2, layout: "half" });
  assert.equal(rope.apply(part, { shape: [1, 2], offset: 1 }), part);
  assert.deepEqual([...bits], [1, nearest(Math.cos(1), "float16"), nearest(Math.sin(1), "float16"), 2]);
  assert.throws(() => rope.apply(part, { shape: [1, 2], dtype: "bfloat16" }), TypeError);
});

const rope = pe.rotary({ dim: 4, layout: "half" });
const half = () => new Uint16Array(4);
testWrongCalls([
  [
    () => pe.sinusoidal({ length: 1, dim: 2, dtype: "fp16" }),
    RangeError,
    'dtype: "fp16", expected "float16" (or one of "float32"',
  ],
  [() => pe.sinusoidal({ length: 1, dim: 2, dtype: 16 }), TypeError, "dtype: 16, expected a string"],
  [
    () => pe.sinusoidal({ length: 1, dim: 2, dtype: "float16", amplitude: 65505 }),
    RangeError,
    "amplitude: 65505, expected what the dtype can hold",
  ],
  [
    () => pe.sinusoidalGrid({ shape: [2, 2], dim: 8, preset: "mae", dtype: "half" }),
    RangeError,
    'dtype: "half", expected one of',
  ],
  [() => rope.cache({ length: 1, dtype: "half" }), RangeError, 'dtype: "half", expected one of'],
  [() => rope.apply(half(), { shape: [1, 4] }), TypeError, "dtype: undefined, expected the type of the bits in x"],
  [() => rope.apply(half(), { shape: [1, 4], dtype: "half" }), RangeError, 'dtype: "half", expected one of'],
  [
    () => rope.apply(half(), { shape: [1, 4], dtype: "float32" }),
    TypeError,
    'dtype: "float32", expected the type of the bits in x',
  ],
  [
    () => pe.convert({ data: half(), shape: [4], dtype: "float32" }, "bfloat16"),
    TypeError,
    'dtype: "float32", expected the type of the bits in x.data',
  ],
  [() => rope.apply(half(), { shape: [2, 4], dtype: "float16" }), RangeError, "x: 4, expected 8 values"],
  [
    () => rope.apply(new Float32Array(4), { shape: [1, 4], dtype: "float16" }),
    TypeError,
    'dtype: "float16", expected "float32", or nothing',
  ],
  [() => rope.apply([1, 2, 3, 4], { shape: [1, 4] }), TypeError, "x: [1, 2, 3, 4], expected a Float32Array, Float16"],
  [() => pe.convert({ data: half(), shape: [4] }, "float32"), TypeError, "dtype: undefined, expected the type of"],
  [() => pe.convert({ data: half(), shape: [5], dtype: "float16" }, "float32"), RangeError, "x.data: 4, expected 5"],
  [() => pe.convert({ data: half(), shape: [4], dtype: "f" }, "float32"), RangeError, 'dtype: "f", expected one of'],
  [() => pe.convert({ data: new Float32Array(1), shape: [1] }, "f"), RangeError, 'dtype: "f", expected one of'],
  [() => pe.convert({ data: new Float32Array(1), shape: [1] }), TypeError, "dtype: undefined, expected a string"],
  [() => pe.convert(3, "float16"), TypeError, "x: 3, expected a tensor"],
]);

test("nothing has changed when a rotation of 16 bits throws", () => {
  const x = new Uint16Array([1, 2, 3, 4]);
  assert.throws(() => rope.apply(x, { shape: [1, 4], positions: [Number.NaN], dtype: "float16" }), RangeError);
  assert.deepEqual([...x], [1, 2, 3, 4]);
});
