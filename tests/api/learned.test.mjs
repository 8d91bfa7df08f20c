import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, pseudoRandom, range } from "./reference.mjs";

const pe = await load();
const product = (shape) => shape.reduce((a, b) => a * b, 1);
const tensor = (shape, seed = 1) => ({ data: pseudoRandom(product(shape), seed), shape });
const ids = (values, shape = [values.length]) => ({ data: Int32Array.from(values), shape });
const row = (table, i) => [...table.data.slice(i * table.shape[1], (i + 1) * table.shape[1])];

/** Philox4x32-10 in BigInts: a word of 32 bits for each lane of a row. */
function word(seed, rowIndex, lane) {
  const low = (x) => x & 0xffffffffn;
  let [a, b, c, d] = [BigInt(lane >> 2), low(BigInt(rowIndex)), BigInt(rowIndex) >> 32n, 0n];
  const bits = BigInt.asUintN(64, BigInt(seed));
  for (let round = 0n; round < 10n; ++round) {
    const [p, q] = [0xd2511f53n * a, 0xcd9e8d57n * c];
    const keys = [low(bits + round * 0x9e3779b9n), low((bits >> 32n) + round * 0xbb67ae85n)];
    [a, b, c, d] = [(q >> 32n) ^ b ^ keys[0], low(q), (p >> 32n) ^ d ^ keys[1], low(p)];
  }
  return Number([a, b, c, d][lane & 3]);
}

const uniform = (...place) => (word(...place) + 0.5) / 2 ** 32;

function normal(seed, rowIndex, lane) {
  const first = lane - (lane % 2);
  const radius = Math.sqrt(-2 * Math.log(uniform(seed, rowIndex, first)));
  const angle = 2 * Math.PI * uniform(seed, rowIndex, first + 1);
  return radius * (lane % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
}

test("a table by seed, normal or uniform, as its formula says; any slice is a part of the whole", () => {
  for (const seed of [0, 1234567, 2 ** 52 + 3, -1]) {
    const places = range(4 * 7).map((i) => [seed, Math.floor(i / 7) + 5, i % 7]);
    const table = pe.learnedTable({ length: 4, dim: 7, seed, offset: 5 });
    assert.deepEqual(table.shape, [4, 7]);
    assertClose(
      table.data,
      places.map((place) => 0.02 * normal(...place)),
      3e-9,
    );
    const flat = pe.learnedTable({ length: 4, dim: 7, seed, offset: 5, bound: 0.5 });
    assertClose(
      flat.data,
      places.map((place) => uniform(...place) - 0.5),
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

test("document 004: the printed words and positions, added by id", () => {
  const words = { data: Float32Array.from(range(12, 1), (i) => i / 10), shape: [6, 2] };
  const positions = { data: Float32Array.of(0, 1, 0.8, 0.6, 0.5, 0.8, 0.2, 0.9, 0.9, 0.4, 0.7, 0.2), shape: [6, 2] };
  const printed = [0.1, 1.2, 1.1, 1.0, 1.0, 1.4, 0.9, 1.7, 1.8, 1.4, 1.8, 1.4];
  const sum = pe.addRows(words, positions);
  assertClose(sum.data, printed, 2e-7);
  assert.deepEqual(sum, pe.add(words, positions));
  assert.deepEqual(pe.addRows(words, positions, { ids: range(6) }), sum);
});

test("document 003: 30 tokens of 128 sequences take the first rows of a table for 512", () => {
  const table = pe.learnedTable({ length: 512, dim: 512, seed: 3 });
  const rows = pe.lookupRows(table, { length: 30 });
  assert.deepEqual(rows.shape, [30, 512]);
  const words = tensor([128, 30, 512]);
  const sum = pe.addRows(words, table);
  assert.deepEqual(sum.shape, [128, 30, 512]);
  assert.ok(sum.data.every((value, i) => value === Math.fround(words.data[i] + rows.data[i % rows.data.length])));
});

test("rows added with an offset, and with ids of each batch", () => {
  const [x, table] = [tensor([2, 3, 4], 5), tensor([9, 4], 6)];
  const expected = (rowOf) => x.data.map((value, i) => value + table.data[rowOf(i) * 4 + (i % 4)]);
  const token = (i) => Math.floor(i / 4);
  assert.deepEqual(
    pe.addRows(x, table, { offset: 6 }).data,
    expected((i) => 6 + (token(i) % 3)),
  );
  const each = [8, 0, 1, 3, 3, 2];
  assert.deepEqual(
    pe.addRows(x, table, { ids: ids(each, [2, 3]) }).data,
    expected((i) => each[token(i)]),
  );
  assert.deepEqual(
    pe.addRows(x, table, { ids: [4, 4, 0] }).data,
    expected((i) => [4, 4, 0][token(i) % 3]),
  );
});

test("the table's gradient: what its rows' results got, added up", () => {
  const gradient = tensor([2, 5, 3], 8);
  const places = [3, 0, 3, 1, 3];
  const expected = (skip) => {
    const sums = new Array(4 * 3).fill(0);
    gradient.data.forEach((value, i) => {
      const place = places[Math.floor(i / 3) % 5];
      if (place !== skip) sums[place * 3 + (i % 3)] += value;
    });
    return sums;
  };
  const table = pe.rowsGradient(gradient, { rows: 4, ids: places });
  assert.deepEqual(table.shape, [4, 3]);
  assertClose(table.data, expected(), 3e-7);
  assertClose(pe.rowsGradient(gradient, { rows: 4, ids: places, paddingIdx: 3 }).data, expected(3), 3e-7);
  assert.deepEqual(row(table, 2), [0, 0, 0]);
});

test("training a table: its gradient, a step of each optimiser, and a smaller loss", () => {
  const target = tensor([6, 4], 9);
  for (const optimiser of ["sgd", "adam"]) {
    const table = pe.learnedTable({ length: 6, dim: 4, seed: 7 });
    const [buffer, firstMoment, secondMoment] = range(3).map(() => new Float32Array(24));
    let loss = Number.POSITIVE_INFINITY;
    for (let step = 1; step <= 60; ++step) {
      const seen = pe.lookupRows(table, { length: 6 });
      const difference = { data: seen.data.map((value, i) => value - target.data[i]), shape: [6, 4] };
      loss = difference.data.reduce((sum, value) => sum + value * value, 0);
      const { data: gradient } = pe.rowsGradient(difference, { rows: 6 });
      if (optimiser === "sgd") pe.sgdStep(table.data, { gradient, lr: 0.2, momentum: 0.5, buffer, step });
      else pe.adamStep(table.data, { gradient, lr: 0.1, step, firstMoment, secondMoment });
    }
    assert.ok(loss < 1e-2, `${optimiser}: ${loss}`);
  }
});

test("sgd: momentum, dampening, weight decay and nesterov, by the formula", () => {
  for (const options of [
    { lr: 0.1 },
    { lr: 0.1, weightDecay: 0.2 },
    { lr: 0.1, momentum: 0.9, dampening: 0.3, weightDecay: 0.01 },
    { lr: 0.1, momentum: 0.9, nesterov: true },
  ]) {
    const { lr, momentum = 0, dampening = 0, weightDecay = 0, nesterov = false } = options;
    const parameters = pseudoRandom(10, 1);
    const buffer = momentum === 0 ? undefined : new Float32Array(10);
    let [p, b] = [[...parameters], new Array(10).fill(0)];
    for (let step = 1; step <= 5; ++step) {
      const gradient = pseudoRandom(10, step);
      const g = p.map((value, i) => gradient[i] + weightDecay * value);
      b = b.map((value, i) => (step === 1 ? g[i] : momentum * value + (1 - dampening) * g[i]));
      p = p.map((value, i) => value - lr * (nesterov ? g[i] + momentum * b[i] : momentum === 0 ? g[i] : b[i]));
      assert.equal(pe.sgdStep(parameters, { ...options, gradient, buffer, step }), parameters);
      assertClose(parameters, p, 1e-6);
      if (buffer) assertClose(buffer, b, 1e-6);
    }
  }
});

test("adam and adamw, by the formula", () => {
  for (const options of [
    { lr: 0.1 },
    { lr: 0.1, weightDecay: 0.3, decay: "coupled", betas: [0.8, 0.95], eps: 1e-3 },
    { lr: 0.1, weightDecay: 0.3, decay: "decoupled", betas: [0, 0.9] },
  ]) {
    const { lr, weightDecay = 0, decay, betas: [b1, b2] = [0.9, 0.999], eps = 1e-8 } = options;
    const parameters = pseudoRandom(10, 1);
    const [firstMoment, secondMoment] = [new Float32Array(10), new Float32Array(10)];
    let [p, m, v] = [[...parameters], new Array(10).fill(0), new Array(10).fill(0)];
    for (let step = 1; step <= 5; ++step) {
      const gradient = pseudoRandom(10, step);
      const g = p.map((value, i) => gradient[i] + (decay === "coupled" ? weightDecay * value : 0));
      m = m.map((value, i) => b1 * value + (1 - b1) * g[i]);
      v = v.map((value, i) => b2 * value + (1 - b2) * g[i] ** 2);
      p = p.map((value, i) => {
        const root = Math.sqrt(v[i]) / Math.sqrt(1 - b2 ** step);
        return (
          value * (decay === "decoupled" ? 1 - lr * weightDecay : 1) - (lr / (1 - b1 ** step)) * (m[i] / (root + eps))
        );
      });
      assert.equal(pe.adamStep(parameters, { ...options, gradient, firstMoment, secondMoment, step }), parameters);
      assertClose(parameters, p, 2e-6);
      assertClose(firstMoment, m, 1e-6);
      assertClose(secondMoment, v, 1e-6);
    }
  }
});

test("positions of padded sequences", () => {
  const mask = ids([1, 1, 0, 0, 1, 1], [2, 3]);
  assert.deepEqual(pe.paddedPositions(mask, { paddingIdx: 1 }), ids([2, 3, 1, 1, 2, 3], [2, 3]));
  assert.deepEqual(pe.paddedPositions([0, 1, 1], { paddingIdx: 0, past: 4 }), ids([0, 5, 6]));
  assert.deepEqual(pe.paddedPositions([], { paddingIdx: 0 }), ids([]));
});

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
    for (const lane of range(7)) {
      const at = lane < 2 ? Math.floor(i / 4) * 2 + lane : (i % 4) * 5 + lane - 2;
      expected[lane < 2 ? 0 : 1][at] += gradient.data[token * 7 + lane];
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
      a.map((value, lane) => Math.fround(value + b[lane])),
    );
  }
  const summed = pe.reformerAxialGradient(tensor([12, 5], 6), { shape: [3, 4], dims: [5, 5], combination: "sum" });
  const ofRows = pe.rowsGradient(tensor([12, 5], 6), { rows: 3, ids: range(12).map((i) => Math.floor(i / 4)) });
  assert.deepEqual(summed[0], ofRows);
});

const table = tensor([5, 3]);
const step = { gradient: new Float32Array(4), lr: 0.1, step: 1 };
const moments = { firstMoment: new Float32Array(4), secondMoment: new Float32Array(4) };

/** [the call, the error's class, how its message begins] */
const wrongCalls = [
  [() => pe.learnedTable({ length: 2, dim: 4 }), TypeError, "seed: undefined, expected a number"],
  [() => pe.learnedTable({ length: 2, dim: 4, seed: 0.5 }), RangeError, "seed: 0.5, expected a whole number"],
  [() => pe.learnedTable({ length: 2, dim: 0, seed: 1 }), RangeError, "dim: 0, expected a whole number from 1 to"],
  [() => pe.learnedTable({ length: 2, dim: -4, seed: 1 }), RangeError, "dim: -4, expected a whole number from 1 to"],
  [() => pe.learnedTable({ length: -2, dim: 4, seed: 1 }), RangeError, "length: -2, expected a whole number >= 0"],
  [() => pe.learnedTable({ length: 2, dim: 4, seed: 1, std: -1 }), RangeError, "std: -1, expected a number from 0 to"],
  [() => pe.learnedTable({ length: 2, dim: 4, seed: 1, bound: Number.NaN }), RangeError, "bound: NaN, expected"],
  [() => pe.learnedTable({ length: 2, dim: 4, seed: 1, std: 1, bound: 1 }), TypeError, "bound: 1, expected nothing"],
  [() => pe.learnedTable({ length: 2, dim: 4, seed: 1, offset: -1 }), RangeError, "offset: -1, expected"],
  [() => pe.learnedTable({ length: 2, dim: 4, seed: 1, paddingIdx: -1 }), RangeError, "paddingIdx: -1, expected"],
  [
    () => pe.learnedTable({ length: 2 ** 30, dim: 4, seed: 1 }),
    RangeError,
    "length * dim: 4294967296, expected as many",
  ],
  [() => pe.lookupRows(table, {}), TypeError, "length: undefined, expected a whole number, or ids"],
  [() => pe.lookupRows(table, { ids: [0], length: 1 }), TypeError, "length: 1, expected nothing beside ids"],
  [() => pe.lookupRows(table, { ids: [0, 4, 5] }), RangeError, "ids[2]: 5, expected a whole number from 0 to 4"],
  [() => pe.lookupRows(table, { ids: [0, -1] }), RangeError, "ids[1]: -1, expected a whole number from 0 to 4"],
  [() => pe.lookupRows(table, { ids: [3], offset: 2 }), RangeError, "ids[0]: 3, expected a whole number from -2 to 2"],
  [() => pe.lookupRows(table, { ids: [0, 2 ** 32] }), RangeError, "ids[1]: 4294967296, expected a whole number"],
  [() => pe.lookupRows(table, { ids: [0.5] }), RangeError, "ids[0]: 0.5, expected a whole number"],
  [() => pe.lookupRows(table, { ids: ["1"] }), TypeError, 'ids[0]: "1", expected a number'],
  [() => pe.lookupRows(table, { ids: 3 }), TypeError, "ids: 3, expected ids { data, shape } or an array"],
  [() => pe.lookupRows(table, { ids: { data: [1], shape: [1] } }), TypeError, "ids.data: [1], expected an Int32Array"],
  [() => pe.lookupRows(table, { ids: ids([1, 2], [3]) }), RangeError, "ids.data: 2, expected 3 values"],
  [() => pe.lookupRows(table, { length: 6 }), RangeError, "length: 6, expected at most 5: the table has 5 rows"],
  [() => pe.lookupRows(table, { length: 1, offset: -1 }), RangeError, "offset: -1, expected a whole number from 0"],
  [() => pe.addRows(tensor([2, 6, 3]), table), RangeError, "length: 6, expected at most 5"],
  [() => pe.addRows(tensor([2, 4]), table), RangeError, "table.shape: [5, 3], expected [rows, 4]"],
  [
    () => pe.addRows(tensor([2, 4, 3]), table, { ids: [0, 1] }),
    RangeError,
    "ids.shape: [2], expected [2, 4], that of x",
  ],
  [
    () => pe.addRows(tensor([2, 4, 3]), table, { ids: ids(range(8), [4, 2]) }),
    RangeError,
    "ids.shape: [4, 2], expected [2, 4]",
  ],
  [() => pe.rowsGradient(table, { ids: range(5) }), TypeError, "rows: undefined, expected a number"],
  [() => pe.rowsGradient(table, { rows: 4 }), RangeError, "length: 5, expected at most 4"],
  [
    () => pe.rowsGradient(table, { rows: 5, paddingIdx: 5 }),
    RangeError,
    "paddingIdx: 5, expected a whole number from 0",
  ],
  [() => pe.paddedPositions([1], {}), TypeError, "paddingIdx: undefined, expected a number"],
  [() => pe.paddedPositions([1], { paddingIdx: -1 }), RangeError, "paddingIdx: -1, expected a whole number from 0"],
  [() => pe.sgdStep([1], step), TypeError, "parameters: [1], expected a Float32Array"],
  [() => pe.sgdStep(new Float32Array(3), step), RangeError, "gradient: 4, expected 3 values"],
  [() => pe.sgdStep(new Float32Array(4), { ...step, lr: -1 }), RangeError, "lr: -1, expected a finite number >= 0"],
  [() => pe.sgdStep(new Float32Array(4), { ...step, momentum: 0.9 }), RangeError, "buffer: 0, expected 4 values"],
  [
    () => pe.sgdStep(new Float32Array(4), { ...step, nesterov: true }),
    RangeError,
    "momentum: 0, expected a number > 0",
  ],
  [
    () => pe.sgdStep(new Float32Array(4), { ...step, step: 0, momentum: 0.9, buffer: new Float32Array(4) }),
    RangeError,
    "step: 0, expected a whole number from 1",
  ],
  [() => pe.adamStep(new Float32Array(4), step), TypeError, "firstMoment: undefined, expected a Float32Array"],
  [
    () => pe.adamStep(new Float32Array(4), { ...step, ...moments, weightDecay: 0.1 }),
    RangeError,
    'decay: none, expected "coupled" or "decoupled" where there is a weightDecay',
  ],
  [
    () => pe.adamStep(new Float32Array(4), { ...step, ...moments, weightDecay: 0.1, decay: "l2" }),
    RangeError,
    'decay: "l2", expected one of "coupled", "decoupled"',
  ],
  [() => pe.adamStep(new Float32Array(4), { ...step, ...moments, betas: [0.9] }), RangeError, "betas: [0.9], expected"],
  [() => pe.adamStep(new Float32Array(4), { ...step, ...moments, betas: [0.9, 1] }), RangeError, "beta2: 1, expected"],
  [() => pe.adamStep(new Float32Array(4), { ...step, ...moments, step: 0 }), RangeError, "step: 0, expected"],
  [() => pe.resizeTable(table, {}), TypeError, "length: undefined, expected a number"],
  [() => pe.resizeTable(table, { length: 3, prefixTokens: 6 }), RangeError, "from: -1, expected a whole number from 1"],
  [() => pe.resizeTable(table, { length: 3, prefixTokens: 5 }), RangeError, "from: 0, expected a whole number from 1"],
  [() => pe.resizeGrid(table, { to: [2, 2] }), TypeError, "from: undefined, expected an array of extents"],
  [() => pe.resizeGrid(table, { from: [5], to: [2, 2] }), RangeError, "from: [5], expected [height, width]"],
  [() => pe.resizeGrid(table, { from: [2, 3], to: [2, 2] }), RangeError, "table: 15, expected (0 + 2 * 3) * 3 values"],
  [
    () => pe.resizeGrid(table, { from: [5, 1], to: [2, 2], interpolation: "bicubic" }),
    RangeError,
    'interpolation: "bicubic", expected "cubic" (or one of "linear", "cubic")',
  ],
  [
    () => pe.resizeGrid(table, { from: [5, 1], to: [2, 2], alignCorners: true, antialias: true }),
    RangeError,
    "alignCorners: true, expected false with antialias",
  ],
  [() => pe.reformerAxial({}), TypeError, "tables: undefined, expected an array of tensors"],
  [() => pe.reformerAxial({ tables: [] }), RangeError, "shape: 0, expected from 1 to 8 axes"],
  [
    () => pe.reformerAxial({ tables: [table], combination: "concat" }),
    RangeError,
    'combination: "concat", expected "concatenate" (or one of "concatenate", "sum")',
  ],
  [
    () => pe.reformerAxial({ tables: [table, tensor([2, 4])], combination: "sum" }),
    RangeError,
    "dims: 4, expected 3, that of the first axis, in a sum",
  ],
  [() => pe.reformerAxial({ tables: [table, table], ids: [25] }), RangeError, "ids[0]: 25, expected a whole number"],
  [
    () => pe.reformerAxialGradient(table, { shape: [5], dims: [4] }),
    RangeError,
    "gradient: 15, expected a multiple of 5 * 4 values",
  ],
  [() => pe.reformerAxialGradient(table, { shape: [5], dims: [] }), RangeError, "dims: 0, expected 1 numbers"],
];

for (const [call, kind, start] of wrongCalls) {
  test(`${kind.name}: ${start}`, () => {
    assert.throws(call, (error) => {
      assert.equal(error.constructor, kind);
      assert.equal(error.message.slice(0, start.length), start);
      return true;
    });
  });
}

test("nothing has changed when a step throws", () => {
  const parameters = Float32Array.of(1, 2, 3, 4);
  const state = { firstMoment: new Float32Array(4), secondMoment: new Float32Array(4) };
  assert.throws(() => pe.adamStep(parameters, { ...step, ...state, gradient: parameters, eps: -1 }), RangeError);
  assert.throws(() => pe.sgdStep(parameters, { ...step, gradient: parameters, momentum: -1 }), RangeError);
  assert.deepEqual([...parameters], [1, 2, 3, 4]);
  assert.deepEqual(state, { firstMoment: new Float32Array(4), secondMoment: new Float32Array(4) });
});
