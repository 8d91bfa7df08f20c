import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, ids, range, row, tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

test("Reformer's axial rows, side by side and added, and their gradients", () => {
  const tables = [tensor([3, 2], 1), tensor([4, 5], 2)];
  const all = pe.reformerAxial({ tables });
  assert.deepEqual(all.shape, [12, 7]);
  for (const i of range(12)) {
    assert.deepEqual(row(all, i), [...row(tables[0], Math.floor(i / 4)), ...row(tables[1], i % 4)]);
  }
  const some = pe.reformerAxial({ tables, ids: ids([11, 0, 6, 6], [2, 2]) });
  assert.deepEqual(some.shape, [2, 2, 7]);
  assert.deepEqual(
    [...some.data],
    [11, 0, 6, 6].flatMap((i) => row(all, i)),
  );
  assert.deepEqual(pe.reformerAxial({ tables, length: 3, offset: 9 }).data, all.data.slice(63));

  const gradient = tensor([2, 2, 7], 3);
  const gradients = pe.reformerAxialGradient(gradient, {
    shape: [3, 4],
    dims: [2, 5],
    ids: ids([11, 0, 6, 6], [2, 2]),
  });
  const expected = [new Array(6).fill(0), new Array(20).fill(0)];
  [11, 0, 6, 6].forEach((i, token) => {
    for (const dimension of range(7)) {
      const at = dimension < 2 ? Math.floor(i / 4) * 2 + dimension : (i % 4) * 5 + dimension - 2;
      expected[dimension < 2 ? 0 : 1][at] += gradient.data[token * 7 + dimension];
    }
  });
  gradients.forEach((table, axis) => {
    assert.deepEqual(table.shape, tables[axis].shape);
    assertClose(table.data, expected[axis], 2e-7);
  });

  const equal = [tensor([3, 5], 4), tensor([4, 5], 5)];
  const sums = pe.reformerAxial({ tables: equal, combination: "sum" });
  assert.deepEqual(sums.shape, [12, 5]);
  for (const i of range(12)) {
    const [a, b] = [row(equal[0], Math.floor(i / 4)), row(equal[1], i % 4)];
    assert.deepEqual(
      row(sums, i),
      a.map((value, dimension) => Math.fround(value + b[dimension])),
    );
  }
  const summed = pe.reformerAxialGradient(tensor([12, 5], 6), { shape: [3, 4], dims: [5, 5], combination: "sum" });
  const ofRows = pe.rowsGradient(tensor([12, 5], 6), { rows: 3, ids: range(12).map((i) => Math.floor(i / 4)) });
  assert.deepEqual(summed[0], ofRows);
});

const table = tensor([5, 3]);

testWrongCalls([
  [
    () => pe.reformerAxial({ tables: [table, tensor([2, 4])], combination: "sum" }),
    RangeError,
    "dims: 4, expected 3, that of the first axis, in a sum",
  ],
  [
    () => pe.reformerAxialGradient(table, { shape: [5], dims: [4] }),
    RangeError,
    "gradient: 15, expected a multiple of 5 * 4 values",
  ],
  [() => pe.reformerAxialGradient(table, { shape: [5], dims: [] }), RangeError, "dims: 0, expected 1 numbers"],
]);
