import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { biases } from "../testing/calls/relative.mjs";
import { Inputs } from "../testing/inputs.mjs";
import { assertClose, tensor } from "../testing/reference.mjs";
import { fractions, isStored, testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const shape = { queries: 3, keys: 5, queryOffset: 2 };

/** f(head, distance) for every pair of `shape`. */
const biasByFormula = (heads, f) =>
  Array.from({ length: heads }, (_, h) =>
    Array.from({ length: 15 }, (_, at) => f(h, (at % 5) - Math.floor(at / 5) - 2)),
  ).flat();

const assertBias = (bias, heads, f, tolerance = 1e-6) => {
  assert.deepEqual(bias.shape, [heads, 3, 5]);
  assertClose(bias.data, biasByFormula(heads, f), tolerance);
};

/** Compact expands to full, bit for bit, and a masked future is -Infinity alone. */
function assertForms(encoding, options) {
  const full = encoding({ ...options, ...shape });
  const compact = encoding({ ...options, ...shape, form: "compact" });
  assert.deepEqual(compact.shape, [full.shape[0], 7]);
  assert.deepEqual(pe.relativeExpand(compact, { queries: 3, keys: 5 }), full);
  const masked = encoding({ ...options, ...shape, future: "mask" });
  masked.data.forEach((value, at) => {
    const later = (at % 5) - (Math.floor(at / 5) % 3) - 2 > 0;
    assert.equal(value, later ? Number.NEGATIVE_INFINITY : full.data[at]);
  });
}

for (const [name, maker] of Object.entries(biases)) {
  test(`${name} has both forms, and a future that is masked`, () => assertForms(maker(pe, new Inputs()), {}));
}

test("ALiBi: slopes of any number of heads, and the bias", () => {
  assertClose(
    pe.alibiSlopes({ heads: 12 }).data.slice(7),
    [2 ** -8, ...[0.5, 1.5, 2.5, 3.5].map((e) => 2 ** -e)],
    1e-7,
  );
  assertClose(pe.alibiSlopes({ heads: 3, slopes: "mpt" }).data, [2 ** -4, 2 ** -8, 2 ** -2], 1e-9);
  assertBias(pe.alibi({ heads: 8, ...shape }), 8, (h, d) => -(2 ** -(h + 1)) * Math.abs(d));
  assertBias(pe.alibi({ heads: 8, ...shape, distance: "linear" }), 8, (h, d) => 2 ** -(h + 1) * d);
  assertForms(pe.alibi, { heads: 6 });
});

test("T5: buckets and the table's bias", () => {
  const ids = pe.t5Buckets({ queries: 1, keys: 400, queryOffset: 200, bidirectional: true });
  const at = (distance) => ids.data[distance + 200];
  assert.deepEqual([0, -1, -8, -16, -128, 1, 8, 16, 128].map(at), [0, 1, 8, 10, 15, 17, 24, 26, 31]);
  const table = tensor([32, 2]);
  assertBias(pe.t5({ table, bidirectional: true, ...shape }), 2, (h, d) => table.data[at(d) * 2 + h], 0);
  assertForms(pe.t5, { table, bidirectional: false });
});

test("KERPLE, Sandwich, FIRE by their formulas", () => {
  const r1 = Float32Array.of(0.5, 2);
  const r2 = Float32Array.of(1.5, 0.25);
  const log = (h, d) => -r1[h] * Math.log(1 + r2[h] * Math.abs(d));
  const power = (h, d) => -r1[h] * Math.abs(d) ** r2[h];
  assertBias(pe.kerple({ kernel: "logarithmic", r1, r2, ...shape }), 2, log);
  assertBias(pe.kerple({ kernel: "power", r1, r2, ...shape }), 2, power);
  assertForms(pe.kerple, { kernel: "power", r1, r2 });
  assertBias(pe.kerple({ kernel: "weight", r1, r2, ...shape }), 2, (h, d) => Math.exp(power(h, d)));
  for (const [indices, first] of [
    ["paper", 1],
    ["sinusoidal", 0],
  ]) {
    const sum = (d) =>
      Array.from({ length: 8 }, (_, i) => Math.cos(d * 1e4 ** (-(i + first) / 8))).reduce((a, b) => a + b);
    const bias = pe.sandwich({ heads: 4, dim: 16, indices, ...shape });
    assertBias(bias, 4, (h, d) => (sum(d) - 8) / (2 * (h + 1)));
  }
  assertForms(pe.sandwich, { heads: 4 });
  const perceptron = {
    weight1: tensor([9, 1], 2),
    bias1: tensor([9], 3),
    weight2: tensor([2, 9], 4),
    bias2: tensor([2], 5),
  };
  const { weight1, bias1, weight2, bias2 } = perceptron;
  assertBias(pe.fire({ perceptron, ...shape }), 2, (h, d) => {
    const x = Math.log(0.1 * Math.abs(d) + 1) / (Math.log(51.2 + 1) + 1e-6);
    return bias1.data.reduce(
      (sum, b, n) => sum + weight2.data[h * 9 + n] * Math.max(0, weight1.data[n] * x + b),
      bias2.data[h],
    );
  });
  assertForms(pe.fire, { perceptron });
});

test("biases have the bits that are stored for the core", () => {
  const options = { queries: 40, keys: 50, queryOffset: 10, form: "compact" };
  const r1 = Float32Array.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6);
  const r2 = Float32Array.of(0.25, 0.5, 0.75, 1, 1.25, 1.5);
  const perceptron = {
    weight1: fractions([7, 1], 341),
    bias1: fractions([7], 342),
    weight2: fractions([6, 7], 343),
    bias2: fractions([6], 344),
  };
  const beyond = { queries: 40, keys: 600, queryOffset: 540, future: "mask" };
  for (const [name, bias] of [
    ["fire", pe.fire({ perceptron, ...options })],
    ["fire beyond its threshold", pe.fire({ perceptron, ...beyond })],
    ["alibi", pe.alibi({ heads: 6, ...options })],
    ["kerple power", pe.kerple({ kernel: "power", r1, r2, ...options })],
    ["sandwich", pe.sandwich({ heads: 6, ...options })],
  ]) {
    assert.ok(isStored(name, [bias]), name);
  }
});

const two = tensor([2, 2]);

testWrongCalls([
  [() => pe.alibi({ heads: 2, ...shape, form: "half" }), RangeError, 'form: "half", expected one of "full"'],
  [() => pe.alibi({ heads: 2, queries: 2 ** 20, keys: 2 ** 20 }), RangeError, "heads * queries * keys: 2199023255552"],
  [() => pe.t5({ table: two, bidirectional: true, ...shape }), RangeError, "table: 4, expected 32 * 2 values"],
  [
    () => pe.fire({ perceptron: { weight1: two, bias1: tensor([2]), weight2: two }, ...shape }),
    RangeError,
    "weight1.shape: [2, 2], expected [2, 1]",
  ],
]);
