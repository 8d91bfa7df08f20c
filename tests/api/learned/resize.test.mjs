import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

test("a sequence and a grid resized as torch prints it", () => {
  const squares = { data: Float32Array.of(0, 1, 4, 9, 16), shape: [5, 1] };
  const longer = pe.resizeTable(squares, { length: 8 });
  assert.deepEqual(longer.shape, [8, 1]);
  assert.deepEqual([...longer.data], [0, 0.4375, 1.1875, 3.0625, 5.5625, 8.6875, 12.9375, 16]);
  assert.deepEqual([...pe.resizeTable(squares, { length: 3, alignCorners: true }).data], [0, 4, 16]);

  const grid = { data: Float32Array.of(-5, -3, -1, 1, 2, 4, -5, -3, -2, 0, 2, 4), shape: [12, 1] };
  const to = (options) => pe.resizeGrid(grid, { from: [3, 4], to: [2, 3], ...options }).data;
  assertClose(to({}), [-1.76473181, -1.535313002, -1.305894193, 0.305894193, 0.535313002, 0.76473181], 1e-7);
  assertClose(
    to({ antialias: false }),
    [-2.971141674, -1.712890625, -0.454639576, -0.545360424, 0.712890625, 1.971141674],
    2e-7,
  );
  assertClose(to({ interpolation: "linear" }), [-1.775, -1.4375, -1.1, 0.1, 0.4375, 0.775], 1e-7);
  assertClose(to({ alignCorners: true }), [-5, -2, 1, -2, 1, 4], 1e-7);
});

test("prefix tokens stay; without anything to do nothing changes", () => {
  const table = tensor([2 + 6, 5], 3);
  const resized = pe.resizeGrid(table, { from: [2, 3], to: [4, 2], prefixTokens: 2 });
  assert.deepEqual(resized.shape, [10, 5]);
  assert.deepEqual(resized.data.slice(0, 10), table.data.slice(0, 10));
  const bare = { data: table.data.slice(10), shape: [6, 5] };
  assert.deepEqual(resized.data.slice(10), pe.resizeGrid(bare, { from: [2, 3], to: [4, 2] }).data);
  assert.deepEqual(pe.resizeGrid(table, { from: [2, 3], to: [2, 3], prefixTokens: 2 }), table);
  assert.deepEqual(pe.resizeTable(table, { length: 8 }), table);
  assert.deepEqual(pe.resizeTable(table, { length: 0, prefixTokens: 2 }).shape, [2, 5]);
});

const table = tensor([5, 3]);

testWrongCalls([
  [() => pe.resizeTable(table, { length: 3, prefixTokens: 6 }), RangeError, "from: -1, expected a whole number from 1"],
  [() => pe.resizeGrid(table, { from: [5], to: [2, 2] }), RangeError, "from: [5], expected [height, width]"],
  [() => pe.resizeGrid(table, { from: [2, 3], to: [2, 2] }), RangeError, "table: 15, expected (0 + 2 * 3) * 3 values"],
]);
