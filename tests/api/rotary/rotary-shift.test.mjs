import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadSmall } from "posenc";
import { load } from "posenc/full";
import { assertClose, pseudoRandom, range } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const small = await loadSmall();
const layouts = ["half", "interleaved", "deinterleaved"];

test("rotated keys move on, and are rotated again by other frequencies", () => {
  const scaling = { type: "dynamic", factor: 4, originalLength: 64 };
  const from = pe.rotary({ dim: 8, layout: "half", scaling, length: 64 });
  const to = pe.rotary({ dim: 8, layout: "half", scaling, length: 500 });
  const x = pseudoRandom(5 * 8, 8);
  const at = (rope, offset) => rope.apply(x.slice(), { shape: [5, 8], offset });
  assertClose(pe.shiftRotated(at(from, 100), { rotary: from, by: -60, shape: [5, 8] }), at(from, 40), 6e-7);
  const list = [1, 2, 3, 4, 5];
  const moved = pe.shiftRotated(at(from, 0), { rotary: from, by: list, shape: [5, 8] });
  assertClose(moved, from.apply(x.slice(), { shape: [5, 8], positions: list.map((by, i) => by + i) }), 6e-7);
  assertClose(pe.rotateAgain(at(from, 300), { from, to, shape: [5, 8], offset: 300 }), at(to, 300), 6e-7);
});

test("R as a matrix does what apply does", () => {
  for (const layout of layouts) {
    const rotary = pe.rotary({ dim: 6, layout, rotaryDim: 4 });
    const x = pseudoRandom(6, 9);
    const { data, shape } = pe.rotaryMatrix({ rotary, position: 11 });
    assert.deepEqual(shape, [6, 6]);
    const product = range(6).map((row) => x.reduce((sum, value, column) => sum + value * data[row * 6 + column], 0));
    assertClose(rotary.apply(x.slice(), { shape: [1, 6], offset: 11 }), product, 3e-7);
    const back = pe.rotaryMatrix({ rotary, position: 11, inverse: true }).data;
    for (const i of range(36)) assert.equal(back[i], data[(i % 6) * 6 + Math.floor(i / 6)]);
  }
});

test("W_q in another layout gives queries in that layout", () => {
  const options = { dim: 4, from: "interleaved", to: "half" };
  const x = { data: pseudoRandom(3 * 5, 10), shape: [3, 5] };
  const weight = { data: pseudoRandom(8 * 5, 11), shape: [8, 5] };
  const bias = { data: Float32Array.from(range(8)), shape: [8] };
  assert.deepEqual([...pe.convertLayout(bias, { ...options, axis: 0 }).data], [0, 2, 1, 3, 4, 6, 5, 7]);
  assert.deepEqual(
    [...pe.convertLayout(bias, { ...options, dim: 8, rotaryDim: 4, axis: -1 }).data],
    [0, 2, 1, 3, 4, 5, 6, 7],
  );
  const queries = pe.linear(x, pe.convertLayout(weight, { ...options, axis: 0 }));
  assert.deepEqual(queries, pe.convertLayout(pe.linear(x, weight), { ...options, axis: 1 }));
  assert.deepEqual(
    pe.convertLayout(pe.convertLayout(weight, { ...options, axis: 0 }), {
      dim: 4,
      from: "half",
      to: "interleaved",
      axis: 0,
    }),
    weight,
  );
});

const rope = pe.rotary({ dim: 4, layout: "half" });
const x = () => new Float32Array(8);
const matrix = { data: x(), shape: [2, 4] };

testWrongCalls([
  [
    () => pe.rotaryMatrix({ rotary: small.rotary({ dim: 4, layout: "half" }), position: 0 }),
    TypeError,
    "rotary: [object Object], expected what rotary() of this entry made",
  ],
  [() => pe.shiftRotated(x(), { rotary: rope, by: [1], shape: [2, 4] }), RangeError, "positions: 1, expected 2"],
  [
    () => pe.rotateAgain(x(), { from: pe.rotary({ dim: 4, layout: "interleaved" }), to: rope, shape: [2, 4] }),
    RangeError,
    "from: interleaved, expected a rotary of the same layout",
  ],
  [
    () => pe.convertLayout(matrix, { dim: 4, from: "half", to: "half", axis: 0 }),
    RangeError,
    "x.shape: [2, 4], expected a multiple of 4 (dim)",
  ],
  [
    () => pe.convertLayout(matrix, { dim: 4, from: "half", to: "half", axis: 2 }),
    RangeError,
    "axis: 2, expected an axis of x: from -2 to 1",
  ],
]);
