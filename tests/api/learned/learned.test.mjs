// What of learned tables is JavaScript's own: forms of ids, shapes, and steps that change the caller's arrays.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { ids, row, tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

test("rows by ids, offset and length", () => {
  const table = tensor([6, 3]);
  const rows = (of, shape = [of.length]) => ({
    data: Float32Array.from(of.flatMap((i) => row(table, i))),
    shape: [...shape, 3],
  });
  assert.deepEqual(pe.lookupRows(table, { ids: ids([5, 0, 2, 2], [2, 2]) }), rows([5, 0, 2, 2], [2, 2]));
  assert.deepEqual(pe.lookupRows(table, { ids: [1, 3], offset: 2 }), rows([3, 5]));
  assert.deepEqual(pe.lookupRows(table, { ids: Int32Array.of(4) }), rows([4]));
  assert.deepEqual(pe.lookupRows(table, { length: 2, offset: 3 }), rows([3, 4]));
  assert.deepEqual(pe.lookupRows(table, { ids: [] }), rows([]));
  assert.deepEqual(pe.learnedTable({ length: 0, dim: 3, seed: 1 }), rows([]));
});

test("rows of a caller's table are moved where it is, as bits", async () => {
  const own = await load({ shared: false });
  const { view } = own.buffer(1);
  const table = { data: new Float32Array(2 ** 25), shape: [2 ** 19, 64] }; // 128 MB
  const bits = [0x7f800001, 0xffc01234, 0x80000000, 1, 0];
  new Uint32Array(table.data.buffer).set(bits, 2 ** 24);
  for (const rows of [
    { ids: [2 ** 18 + 8, 2 ** 18 + 1], offset: -1 },
    { length: 2, offset: 2 ** 18 - 1 },
  ])
    assert.deepEqual([...new Uint32Array(own.lookupRows(table, rows).data.buffer, 256, 5)], bits);
  assert.equal(view.length, 1, "the module's memory grew");
});

test("rows are added along any axis, each by its id, and have a gradient there", () => {
  const [x, table] = [tensor([3, 3, 4], 5), tensor([9, 4], 6)];
  for (const [more, rowOf] of [
    [{ seqAxis: 0 }, (b) => b],
    [{ seqAxis: 1, offset: 6 }, (_, token) => 6 + token],
    [{ seqAxis: -2, ids: [4, 4, 0] }, (_, token) => [4, 4, 0][token]],
    [{ ids: ids([8, 0, 1, 3, 3, 2, 7, 7, 7], [3, 3]) }, (b, token) => [8, 0, 1, 3, 3, 2, 7, 7, 7][3 * b + token]],
  ]) {
    const sums = new Float32Array(36);
    const wanted = x.data.map((value, i) => {
      const at = rowOf(Math.floor(i / 12), Math.floor(i / 4) % 3) * 4 + (i % 4);
      sums[at] += value;
      return value + table.data[at];
    });
    assert.deepEqual(pe.addRows(x, table, more).data, wanted);
    const gradient = pe.rowsGradient(x, { ...more, rows: 9 });
    assert.deepEqual(gradient.shape, [9, 4]);
    gradient.data.forEach((value, i) => {
      assert.ok(Math.abs(value - sums[i]) < 1e-6);
    });
  }
  assert.deepEqual(pe.addRows(x, table, { seqAxis: 1 }), pe.add(x, table, { seqAxis: 1 }));
});

test("positions of padded sequences have the mask's shape", () => {
  assert.deepEqual(
    pe.paddedPositions(ids([1, 1, 0, 0, 1, 1], [2, 3]), { paddingIdx: 1 }),
    ids([2, 3, 1, 1, 2, 3], [2, 3]),
  );
  assert.deepEqual(pe.paddedPositions([0, 1, 1], { paddingIdx: 0, past: 4 }), ids([0, 5, 6]));
  assert.deepEqual(pe.paddedPositions([], { paddingIdx: 0 }), ids([]));
});

test("a table is resized behind its prefix", () => {
  const table = tensor([2 + 6, 5], 3);
  const resized = pe.resizeGrid(table, { from: [2, 3], to: [4, 2], prefixTokens: 2 });
  assert.deepEqual(resized.shape, [10, 5]);
  assert.deepEqual(resized.data.slice(0, 10), table.data.slice(0, 10));
  assert.deepEqual(pe.resizeGrid(table, { from: [2, 3], to: [2, 3], prefixTokens: 2 }), table);
  assert.deepEqual(pe.resizeTable(table, { length: 0, prefixTokens: 2 }).shape, [2, 5]);
});

test("a grid that becomes smaller is smoothed by default, but for aligned corners", () => {
  const grid = tensor([12, 1]);
  const to = (more) => pe.resizeGrid(grid, { from: [3, 4], to: [2, 3], ...more });
  assert.deepEqual(to({}), to({ antialias: true }));
  assert.notDeepEqual(to({}), to({ antialias: false }));
  assert.deepEqual(to({ alignCorners: true }), to({ alignCorners: true, antialias: false }));
});

test("Reformer's axial rows and gradients have a table an axis", () => {
  const tables = [tensor([3, 2], 1), tensor([4, 5], 2)];
  const all = pe.reformerAxial({ tables });
  assert.deepEqual(all.shape, [12, 7]);
  assert.deepEqual(row(all, 6), [...row(tables[0], 1), ...row(tables[1], 2)]);
  assert.deepEqual(pe.reformerAxial({ tables, ids: ids([11, 0, 6, 6], [2, 2]) }).shape, [2, 2, 7]);
  assert.deepEqual(pe.reformerAxial({ tables, length: 3, offset: 9 }).data, all.data.slice(63));
  assert.deepEqual(pe.reformerAxial({ tables: [tensor([3, 5]), tensor([4, 5])], combination: "sum" }).shape, [12, 5]);
  const gradients = pe.reformerAxialGradient(tensor([12, 7]), { shape: [3, 4], dims: [2, 5] });
  assert.deepEqual(
    gradients.map(({ shape }) => shape),
    tables.map(({ shape }) => shape),
  );
});

const step = { gradient: new Float32Array(4), lr: 0.1, step: 1 };
const momentsOf = () => ({ firstMoment: new Float32Array(4), secondMoment: new Float32Array(4) });

testWrongCalls([
  [() => pe.sgdStep(new Float32Array(3), step), RangeError, "gradient: 4, expected 3 values"],
  [() => pe.adamStep(new Float32Array(4), { ...step, ...momentsOf(), betas: [0.9, 1] }), RangeError, "betas[1]: 1"],
  ...[-1, -(2 ** -149)].map((low) => {
    const secondMoment = Float32Array.of(0, 1, low, 1);
    const call = () => pe.adamStep(new Float32Array(4), { ...step, ...momentsOf(), secondMoment });
    return [call, RangeError, `secondMoment[2]: ${low}, expected a number >= 0`];
  }),
]);

test("a step changes the parameters that it gives back, and its state; nothing where it throws", () => {
  const parameters = Float32Array.of(1, 2, 3, 4);
  const own = { ...momentsOf(), gradient: parameters };
  assert.throws(() => pe.adamStep(parameters, { ...step, ...own, eps: -1 }), RangeError);
  assert.throws(() => pe.sgdStep(parameters, { ...step, gradient: parameters, momentum: -1 }), RangeError);
  assert.deepEqual([...parameters], [1, 2, 3, 4]);
  assert.deepEqual(own, { ...momentsOf(), gradient: parameters });
  assert.equal(pe.adamStep(parameters, { ...step, ...own, gradient: Float32Array.of(1, 1, 1, 1) }), parameters);
  assert.ok([...own.firstMoment, ...own.secondMoment].every((value) => value > 0));
});

test("the arrays that a call changes do not overlap; the gradient may be the parameters", () => {
  const memory = new Float32Array(8).fill(1);
  const [parameters, state] = [memory.subarray(0, 4), memory.subarray(3, 7)];
  const [firstMoment, secondMoment] = [state, new Float32Array(4)];
  const layer = pe
    .model({ model_type: "llama", hidden_size: 4, num_attention_heads: 1, num_hidden_layers: 1 })
    .layer(0);
  for (const [call, name, other] of [
    [() => pe.sgdStep(parameters, { ...step, momentum: 0.5, buffer: state }), "buffer", "parameters"],
    [() => layer.apply(parameters, state, { shape: [1, 1, 4], seqAxis: 1, offset: 5 }), "k", "q"],
    [() => pe.adamStep(parameters, { ...step, firstMoment, secondMoment }), "firstMoment", "parameters"],
    [
      () => pe.adamStep(parameters, { ...step, firstMoment: secondMoment, secondMoment }),
      ...["secondMoment", "firstMoment"],
    ],
  ])
    assert.throws(call, {
      name: "RangeError",
      message: `${name}: [object Float32Array], expected memory that does not overlap ${other}`,
    });
  assert.deepEqual([...memory], Array(8).fill(1));
  assert.equal(pe.sgdStep(parameters, { lr: 0.5, gradient: parameters }), parameters);
  assert.deepEqual([...parameters], Array(4).fill(0.5));
});
