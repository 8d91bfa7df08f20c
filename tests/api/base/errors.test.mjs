import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const rope = pe.rotary({ dim: 4, layout: "half" });
const matrix = (rows, columns) => ({ data: new Float32Array(rows * columns), shape: [rows, columns] });

testWrongCalls([
  [() => pe.sinusoidal(), TypeError, "sinusoidal: undefined, expected an object of options"],
  [() => pe.sinusoidal({ length: 2 }), TypeError, "dim: undefined, expected a number"],
  [() => pe.sinusoidal({ length: 2, dim: "8" }), TypeError, 'dim: "8", expected a number'],
  [() => pe.sinusoidal({ length: 2, dim: 2.5 }), RangeError, "dim: 2.5, expected a whole number"],
  [() => pe.sinusoidal({ length: 2, dim: 0 }), RangeError, "dim: 0, expected a whole number from 1 to"],
  [() => pe.sinusoidal({ length: 2, dim: 2 ** 40 }), RangeError, "dim: 1099511627776, expected"],
  [() => pe.sinusoidal({ length: -1, dim: 8 }), RangeError, "length: -1, expected a whole number >= 0"],
  [() => pe.sinusoidal({ length: Number.NaN, dim: 8 }), RangeError, "length: NaN, expected"],
  [() => pe.sinusoidal({ dim: 8 }), TypeError, "length: undefined, expected"],
  [() => pe.sinusoidal({ dim: 8, length: 1, positions: [1] }), TypeError, "length: 1, expected nothing beside"],
  [() => pe.sinusoidal({ dim: 8, offset: 1, positions: [1] }), TypeError, "offset: 1, expected nothing beside"],
  [() => pe.sinusoidal({ dim: 8, positions: 3 }), TypeError, "positions: 3, expected an array of numbers"],
  [() => pe.sinusoidal({ dim: 8, positions: [0, null] }), TypeError, "positions[1]: null, expected a number"],
  [() => pe.sinusoidal({ dim: 8, positions: [0n] }), TypeError, "positions[0]: 0n, expected a number"],
  [() => pe.sinusoidal({ dim: 8, positions: [Number.NaN] }), RangeError, "positions: NaN, expected a finite number"],
  [() => pe.sinusoidal({ dim: 8, positions: [2 ** 54] }), RangeError, "positions: 18014398509481984, expected"],
  [
    () => pe.sinusoidal({ dim: 8, length: 1, offset: Number.POSITIVE_INFINITY }),
    RangeError,
    "offset: Infinity, expected",
  ],
  [() => pe.sinusoidal({ dim: 8, length: 1, base: 0 }), RangeError, "base: 0, expected a finite number > 0"],
  [() => pe.sinusoidal({ dim: 8, length: 1, base: "e" }), TypeError, 'base: "e", expected a number'],
  [() => pe.sinusoidal({ dim: 8, length: 1, base: 1e-300 }), RangeError, "base: 1e-300, expected a base whose largest"],
  [() => pe.sinusoidal({ dim: 8, length: 1, order: "odd" }), RangeError, 'order: "odd", expected one of "interleaved"'],
  [() => pe.sinusoidal({ dim: 8, length: 1, order: 1 }), TypeError, "order: 1, expected a string"],
  [() => pe.sinusoidal({ dim: 8, length: 1, exponent: "x" }), RangeError, 'exponent: "x", expected one of "paper"'],
  [() => pe.sinusoidal({ dim: 8, lenght: 1 }), TypeError, "sinusoidal.lenght: 1, expected length (or one of dim, base"],
  [() => pe.sinusoidal({ dim: 8, offest: 1 }), TypeError, "sinusoidal.offest: 1, expected offset (or one of dim, base"],
  [() => pe.rotary({ dim: 8, rope_theta: 4 }), TypeError, "rotary.rope_theta: 4, expected base (or one of dim"],
  [() => pe.rotary({ dim: 8, layout: "neox" }), RangeError, 'layout: "neox", expected "half" (or one of'],
  [() => pe.rotary({ dim: 8, layout: "gpt-j" }), RangeError, 'layout: "gpt-j", expected "interleaved" (or one of'],
  [() => pe.attention({ casual: true }), TypeError, "attention.casual: true, expected causal (or one of"],
  [() => pe.sinusoidal({ dims: 8 }), TypeError, "sinusoidal.dims: 8, expected dim (or one of dim, base"],
  [() => pe.sinusoidal({ dim: 8, theta: 1 }), TypeError, "sinusoidal.theta: 1, expected base (or one of dim"],
  [() => pe.sinusoidal({ dim: 8, "": 1 }), TypeError, "sinusoidal.: 1, expected one of dim, base"],
  [() => pe.rotary({ dim: 8, rotary_dim: 4 }), TypeError, "rotary.rotary_dim: 4, expected rotaryDim (or one of dim"],
  [() => pe.alibi({ heads: 2, querys: 3 }), TypeError, "alibi.querys: 3, expected queries (or one of"],
  [() => pe.sinusoidal({ dim: 1024, length: 2 ** 40 }), RangeError, "length * dim: 1125899906842624, expected as many"],
  [() => pe.frequencies({ dim: 0 }), RangeError, "dim: 0, expected"],
  [() => pe.sinusoidal({ dim: 8, length: 1, preset: "detr" }), RangeError, 'preset: "detr", expected one of "paper"'],
  [() => pe.sinusoidal({ dim: 8, length: 1, base: Number.NaN }), RangeError, "base: NaN, expected a number"],
  [() => pe.sinusoidal({ dim: 8, length: 1, order: "" }), RangeError, 'order: "", expected a name'],
  [() => pe.sinusoidal({ dim: 7, length: 1, preset: "whisper" }), RangeError, "dim: 7, expected an even number"],
  [
    () => pe.sinusoidal({ dim: 2, length: 1, preset: "diffusers" }),
    RangeError,
    "shift: 1, expected a number of at most 2^53",
  ],
  [() => pe.sinusoidal({ dim: 8, length: 1, shift: 1 }), RangeError, "shift: 1, expected 0"],
  [() => pe.sinusoidal({ dim: 8, length: 1, amplitude: 1e300 }), RangeError, "amplitude: 1e+300, expected"],
  [() => pe.shiftMatrix({ dim: 8 }), TypeError, "by: undefined, expected a number"],
  [() => pe.shiftMatrix({ dim: 7, by: 1 }), RangeError, "dim: 7, expected an even number: the last sine"],
  [() => pe.shift(matrix(2, 4), { dim: 8, by: 1 }), RangeError, "table.shape: [2, 4], expected 8 (dim)"],
  [() => pe.shift(matrix(2, 8), { dim: 8, by: Number.NaN }), RangeError, "by: NaN, expected a finite number"],
  [() => pe.sinusoidalGrid({ shape: [2, 2], dim: 8 }), TypeError, "preset: undefined, expected the name of a preset"],
  [() => pe.sinusoidalGrid({ shape: [2, 2], dim: 6, preset: "mae" }), RangeError, "dim: 6, expected a multiple of 4"],
  [() => pe.sinusoidalGrid({ shape: [2], dim: 8, preset: "mae" }), RangeError, "shape: 1, expected from 2 to 2 axes"],
  [
    () => pe.sinusoidalGrid({ shape: [2, 2], dim: 8, preset: "mae", normalised: "yes" }),
    TypeError,
    'normalised: "yes", expected true or false',
  ],
  [
    () => pe.sinusoidalGrid({ shape: [2 ** 20, 2 ** 20], dim: 8, preset: "mae" }),
    RangeError,
    "shape: 1048576, expected extents",
  ],
  [() => pe.fourier({ points: [1], weights: [1] }), TypeError, "preset: undefined, expected the name of a preset"],
  [
    () => pe.fourier({ points: [0], weights: [1], preset: "diffusers" }),
    RangeError,
    "points: 0, expected a finite number",
  ],
  [() => pe.fourier({ points: [1], weights: 1, preset: "rff" }), TypeError, "weights: 1, expected an array of numbers"],
  [
    () => pe.fourier({ points: [1], weights: [1], preset: "rff", inputs: 2 ** 40 }),
    RangeError,
    "inputs: 1099511627776, expected a whole number from 1",
  ],
  [() => pe.nerf({ points: [1], levels: 0 }), RangeError, "levels: 0, expected a whole number from 1 to 52"],
  [() => pe.nerf({ points: ["x"], levels: 1 }), TypeError, 'points[0]: "x", expected a number'],
  [() => pe.rotary({ dim: 8 }), TypeError, "layout: undefined, expected the name of a layout"],
  [
    () => pe.rotary({ dim: 8, layout: "interleave" }),
    RangeError,
    'layout: "interleave", expected "interleaved" (or one of "half", "interleaved", "deinterleaved")',
  ],
  [
    () => pe.rotary({ dim: 8, layout: "half", scaling: { type: "yaarn", factor: 2, originalLength: 8 } }),
    RangeError,
    'scaling.type: "yaarn", expected "yarn" (or one of "default"',
  ],
  [
    () => pe.relativeOffsets({ queries: 1, keys: 2, form: "compat" }),
    RangeError,
    'form: "compat", expected "compact" (or one of "full"',
  ],
  [() => pe.rotary({ dim: 7, layout: "half" }), RangeError, "dim: 7, expected an even number, or"],
  [() => pe.rotary({ dim: 8, layout: "half", rotaryDim: 10 }), RangeError, "rotaryDim: 10, expected an even number"],
  [() => pe.rotary({ dim: 8, layout: "half", rotaryDim: 0 }), RangeError, "rotaryDim: 0, expected an even number"],
  [() => rope.apply([1, 2, 3, 4], { shape: [1, 4] }), TypeError, "x: [1, 2, 3, 4], expected a Float32Array"],
  [() => rope.apply(new Float64Array(4), { shape: [1, 4] }), TypeError, "x: [object Float64Array], expected"],
  [() => rope.apply(new Float32Array(4), {}), TypeError, "shape: undefined, expected an array of extents"],
  [() => rope.apply(new Float32Array(4), { shape: [4] }), RangeError, "shape: 1, expected at least two axes"],
  [() => rope.apply(new Float32Array(4), { shape: [2, 2] }), RangeError, "shape: 2, expected 4 (dim) as its last"],
  [() => rope.apply(new Float32Array(4), { shape: [2, 4] }), RangeError, "x: 4, expected 8 values"],
  [() => rope.apply(new Float32Array(4), { shape: [-1, 4] }), RangeError, "shape[0]: -1, expected a whole number >= 0"],
  [
    () => rope.apply(new Float32Array(4), { shape: [2 ** 40, 2 ** 40, 4], seqAxis: 0 }),
    RangeError,
    "shape: 1099511627776, expected",
  ],
  [() => rope.apply(new Float32Array(4), { shape: [1, 4], seqAxis: 1 }), RangeError, "seqAxis: 1, expected an axis"],
  [() => rope.apply(new Float32Array(4), { shape: [1, 4], positions: [1, 2] }), RangeError, "positions: 2, expected 1"],
  [
    () => rope.apply(new Float32Array(4), { shape: [1, 4], inverse: 1 }),
    TypeError,
    "inverse: 1, expected true or false",
  ],
  [() => rope.cache({}), TypeError, "length: undefined, expected"],
  [() => pe.add(matrix(2, 3), matrix(1, 3)), RangeError, "table: 1, expected at least 2 rows of 3"],
  [() => pe.add(matrix(2, 3), matrix(2, 4)), RangeError, "table.shape: [2, 4], expected [rows, 3]"],
  [
    () => pe.add({ data: new Float32Array(5), shape: [2, 3] }, matrix(2, 3)),
    RangeError,
    "x.data: 5, expected 6 values",
  ],
  [() => pe.linear(matrix(2, 3), matrix(4, 2)), RangeError, "weight.shape: [4, 2], expected [out, 3]"],
  [
    () => pe.attention({ query: matrix(2, 3), key: matrix(2, 4), value: matrix(2, 2) }),
    RangeError,
    "key.shape: [2, 4]",
  ],
  [
    () => pe.attention({ query: matrix(2, 3), key: matrix(2, 3), value: matrix(3, 2) }),
    RangeError,
    "value.shape: [3, 2]",
  ],
  [
    () => pe.attention({ query: matrix(2, 3), key: matrix(2, 3), value: matrix(2, 2), scale: Number.NaN }),
    RangeError,
    "scale: NaN, expected a finite number",
  ],
]);

test("nothing has changed when apply throws", () => {
  const x = new Float32Array([1, 2, 3, 4]);
  assert.throws(() => rope.apply(x, { shape: [1, 4], positions: [Number.NaN] }), RangeError);
  assert.deepEqual([...x], [1, 2, 3, 4]);
});

test("after a thousand errors the library still works, and its memory has not grown", () => {
  const large = new Float32Array(4096 * 4);
  for (let i = 0; i < 1000; ++i) {
    assert.throws(() => rope.apply(large, { shape: [4096, 1, 4], seqAxis: 0, offset: 1e300 }), RangeError);
  }
  // 64 MB would have leaked above; a gigabyte must still be there.
  assert.equal(pe.sinusoidal({ length: 2 ** 17, dim: 2 ** 10 }).data.length, 2 ** 27);
});
