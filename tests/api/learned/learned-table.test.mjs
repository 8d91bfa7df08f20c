import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, ids, range, row, tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

/** Philox4x32-10 in BigInts: a word of 32 bits for each dimension of a row. */
function word(seed, rowIndex, dimension) {
  const low = (x) => x & 0xffffffffn;
  let [a, b, c, d] = [BigInt(dimension >> 2), low(BigInt(rowIndex)), BigInt(rowIndex) >> 32n, 0n];
  const bits = BigInt.asUintN(64, BigInt(seed));
  for (let round = 0n; round < 10n; ++round) {
    const [p, q] = [0xd2511f53n * a, 0xcd9e8d57n * c];
    const keys = [low(bits + round * 0x9e3779b9n), low((bits >> 32n) + round * 0xbb67ae85n)];
    [a, b, c, d] = [(q >> 32n) ^ b ^ keys[0], low(q), (p >> 32n) ^ d ^ keys[1], low(p)];
  }
  return Number([a, b, c, d][dimension & 3]);
}

const uniform = (...index) => (word(...index) + 0.5) / 2 ** 32;

function normal(seed, rowIndex, dimension) {
  const first = dimension - (dimension % 2);
  const radius = Math.sqrt(-2 * Math.log(uniform(seed, rowIndex, first)));
  const angle = 2 * Math.PI * uniform(seed, rowIndex, first + 1);
  return radius * (dimension % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
}

test("a table by seed, normal or uniform, by its formula; any slice is a part of the whole", () => {
  for (const seed of [0, 1234567, 2 ** 52 + 3, -1]) {
    const indices = range(4 * 7).map((i) => [seed, Math.floor(i / 7) + 5, i % 7]);
    const table = pe.learnedTable({ length: 4, dim: 7, seed, offset: 5 });
    assert.deepEqual(table.shape, [4, 7]);
    assertClose(
      table.data,
      indices.map((index) => 0.02 * normal(...index)),
      3e-9,
    );
    const flat = pe.learnedTable({ length: 4, dim: 7, seed, offset: 5, bound: 0.5 });
    assertClose(
      flat.data,
      indices.map((index) => uniform(...index) - 0.5),
      3e-8,
    );
    assert.deepEqual(pe.learnedTable({ length: 9, dim: 7, seed }).data.slice(35), table.data);
  }
  const padded = pe.learnedTable({ length: 3, dim: 4, seed: 1, std: 1, paddingIdx: 1 });
  assert.deepEqual(row(padded, 1), [0, 0, 0, 0]);
  assert.deepEqual(row(padded, 2), row(pe.learnedTable({ length: 3, dim: 4, seed: 1, std: 1 }), 2));
  assert.deepEqual(pe.learnedTable({ length: 0, dim: 4, seed: 1 }), { data: new Float32Array(), shape: [0, 4] });
});

test("rows by ids, offset and length", () => {
  const table = tensor([6, 3]);
  assert.deepEqual(pe.lookupRows(table, { ids: ids([5, 0, 2, 2], [2, 2]) }), {
    data: Float32Array.from([5, 0, 2, 2].flatMap((i) => row(table, i))),
    shape: [2, 2, 3],
  });
  assert.deepEqual(pe.lookupRows(table, { ids: [1, 3], offset: 2 }).data, pe.lookupRows(table, { ids: [3, 5] }).data);
  assert.deepEqual(pe.lookupRows(table, { ids: Int32Array.of(4) }).data, Float32Array.from(row(table, 4)));
  assert.deepEqual(pe.lookupRows(table, { length: 2, offset: 3 }).data, table.data.slice(9, 15));
  assert.deepEqual(pe.lookupRows(table, { ids: [] }), { data: new Float32Array(), shape: [0, 3] });
});

test("post E: the printed words and positions, added by id", () => {
  const words = { data: Float32Array.from(range(12, 1), (i) => i / 10), shape: [6, 2] };
  const positions = { data: Float32Array.of(0, 1, 0.8, 0.6, 0.5, 0.8, 0.2, 0.9, 0.9, 0.4, 0.7, 0.2), shape: [6, 2] };
  const printed = [0.1, 1.2, 1.1, 1.0, 1.0, 1.4, 0.9, 1.7, 1.8, 1.4, 1.8, 1.4];
  const sum = pe.addRows(words, positions);
  assertClose(sum.data, printed, 2e-7);
  assert.deepEqual(sum, pe.add(words, positions));
  assert.deepEqual(pe.addRows(words, positions, { ids: range(6) }), sum);
});

test("post D: 30 tokens of 128 sequences take the first rows of a table for 512", () => {
  const table = pe.learnedTable({ length: 512, dim: 512, seed: 3 });
  const rows = pe.lookupRows(table, { length: 30 });
  assert.deepEqual(rows.shape, [30, 512]);
  const words = tensor([128, 30, 512]);
  const sum = pe.addRows(words, table, { seqAxis: 1 });
  assert.deepEqual(sum.shape, [128, 30, 512]);
  assert.ok(sum.data.every((value, i) => value === Math.fround(words.data[i] + rows.data[i % rows.data.length])));
});

test("rows added with an offset, and with ids of each batch", () => {
  const [x, table] = [tensor([2, 3, 4], 5), tensor([9, 4], 6)];
  const expected = (rowOf) => x.data.map((value, i) => value + table.data[rowOf(i) * 4 + (i % 4)]);
  const token = (i) => Math.floor(i / 4);
  assert.deepEqual(
    pe.addRows(x, table, { offset: 6, seqAxis: 1 }).data,
    expected((i) => 6 + (token(i) % 3)),
  );
  const each = [8, 0, 1, 3, 3, 2];
  assert.deepEqual(
    pe.addRows(x, table, { ids: ids(each, [2, 3]) }).data,
    expected((i) => each[token(i)]),
  );
  assert.deepEqual(
    pe.addRows(x, table, { ids: [4, 4, 0], seqAxis: -2 }).data,
    expected((i) => [4, 4, 0][token(i) % 3]),
  );
});

test("rows along another axis than the last: [n, batch, dim]", () => {
  const [x, table] = [tensor([3, 3, 4], 5), tensor([3, 4], 6)];
  const sums = (sign) =>
    x.data.map(
      (value, i) =>
        value + table.data[(sign * Math.floor(i / 12) + (1 - sign) * (Math.floor(i / 4) % 3)) * 4 + (i % 4)],
    );
  for (const add of [pe.add, pe.addRows, (x, table, axis) => pe.addRows(x, table, { ...axis, ids: [0, 1, 2] })]) {
    assert.deepEqual(add(x, table, { seqAxis: 0 }).data, sums(1));
    assert.deepEqual(add(x, table, { seqAxis: 1 }).data, sums(0));
  }
  const module = pe.positionalEncoding({ dModel: 4, dropout: 0 });
  const [batched, tutorial] = [1, 0].map((seqAxis) => module.forward(x, { training: false, seqAxis }));
  assert.deepEqual(batched, pe.add(x, module.table, { seqAxis: 1 }));
  assert.deepEqual(tutorial, pe.add(x, module.table, { seqAxis: 0 }));
  for (const gradient of [pe.addBackward, pe.rowsGradient]) {
    const [first, second] = [0, 1].map((seqAxis) => gradient(x, { rows: 3, seqAxis }).data);
    const sum = (of) =>
      Float32Array.from({ length: 12 }, (_, i) =>
        [0, 1, 2].reduce((all, b) => all + x.data[of(Math.floor(i / 4), b) * 4 + (i % 4)], 0),
      );
    assert.deepEqual(
      first,
      sum((row, b) => row * 3 + b),
    );
    assert.deepEqual(
      second,
      sum((row, b) => b * 3 + row),
    );
  }
});

test("the table's gradient: what its rows' results got, added up", () => {
  const gradient = tensor([2, 5, 3], 8);
  const indices = [3, 0, 3, 1, 3];
  const expected = (skip) => {
    const sums = new Array(4 * 3).fill(0);
    gradient.data.forEach((value, i) => {
      const index = indices[Math.floor(i / 3) % 5];
      if (index !== skip) sums[index * 3 + (i % 3)] += value;
    });
    return sums;
  };
  const table = pe.rowsGradient(gradient, { rows: 4, ids: indices, seqAxis: 1 });
  assert.deepEqual(table.shape, [4, 3]);
  assertClose(table.data, expected(), 3e-7);
  assertClose(pe.rowsGradient(gradient, { rows: 4, ids: indices, seqAxis: 1, paddingIdx: 3 }).data, expected(3), 3e-7);
  assert.deepEqual(row(table, 2), [0, 0, 0]);
});

test("positions of padded sequences", () => {
  const mask = ids([1, 1, 0, 0, 1, 1], [2, 3]);
  assert.deepEqual(pe.paddedPositions(mask, { paddingIdx: 1 }), ids([2, 3, 1, 1, 2, 3], [2, 3]));
  assert.deepEqual(pe.paddedPositions([0, 1, 1], { paddingIdx: 0, past: 4 }), ids([0, 5, 6]));
  assert.deepEqual(pe.paddedPositions([], { paddingIdx: 0 }), ids([]));
});

const table = tensor([5, 3]);

testWrongCalls([
  [() => pe.learnedTable({ length: 2, dim: 4, seed: 1, std: 1, bound: 1 }), TypeError, "bound: 1, expected nothing"],
  [
    () => pe.learnedTable({ length: 2 ** 30, dim: 4, seed: 1 }),
    RangeError,
    "length * dim: 4294967296, expected as many",
  ],
  [() => pe.lookupRows(table, {}), TypeError, "length: undefined, expected a whole number, or ids"],
  [() => pe.lookupRows(table, { ids: [0], length: 1 }), TypeError, "length: 1, expected nothing beside ids"],
  [() => pe.lookupRows(table, { ids: [0, 4, 5] }), RangeError, "ids[2]: 5, expected a whole number from 0 to 4"],
  [() => pe.lookupRows(table, { ids: [0, 2 ** 32] }), RangeError, "ids[1]: 4294967296, expected a whole number"],
  [() => pe.lookupRows(table, { ids: ids([1, 2], [3]) }), RangeError, "ids.data: 2, expected 3 values"],
  [() => pe.addRows(tensor([2, 4]), table), RangeError, "table.shape: [5, 3], expected [rows, 4]"],
  [
    () => pe.addRows(tensor([2, 4, 3]), table, { ids: [0, 1], seqAxis: 1 }),
    RangeError,
    "ids.shape: [2], expected [4], or [2, 4], an id for each token of x",
  ],
  [
    () => pe.addRows(tensor([2, 4, 3]), table, { ids: ids(range(8), [2, 4]), seqAxis: 1 }),
    TypeError,
    "seqAxis: 1, expected nothing beside ids of every token",
  ],
  [
    () => pe.addRows(tensor([2, 4, 3]), table, { ids: ids(range(8), [4, 2]) }),
    RangeError,
    "ids.shape: [4, 2], expected [2, 4]",
  ],
]);
