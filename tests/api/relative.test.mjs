import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, pseudoRandom, sinusoid } from "./reference.mjs";

const pe = await load();
const tensor = (shape, seed = 1) => ({
  data: pseudoRandom(
    shape.reduce((a, b) => a * b, 1),
    seed,
  ),
  shape,
});
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

test("offsets and Shaw's ids are Int32Arrays; compact ids expand to full ones", () => {
  const full = pe.relativeOffsets(shape);
  assert.ok(full.data instanceof Int32Array);
  assert.deepEqual(full.shape, [3, 5]);
  assert.deepEqual([...full.data], [-2, -1, 0, 1, 2, -3, -2, -1, 0, 1, -4, -3, -2, -1, 0]);
  const compact = pe.relativeOffsets({ ...shape, form: "compact" });
  assert.deepEqual([...compact.data], [-4, -3, -2, -1, 0, 1, 2]);
  assert.deepEqual(pe.relativeExpandIds(compact, { queries: 3, keys: 5 }), full);
  const clipped = pe.shawIds({ ...shape, maxDistance: 1, form: "compact" });
  assert.deepEqual([...clipped.data], [0, 0, 0, 0, 1, 2, 2]);
});

test("document 000: relative code [8, 8, 32], with the right and with the printed exponent", () => {
  for (const [exponent, step] of [
    ["paper", 2],
    ["double-stepped", 4],
  ]) {
    const full = pe.relativeSinusoidal({ queries: 8, keys: 8, dim: 32, exponent });
    const compact = pe.relativeSinusoidal({ queries: 8, keys: 8, dim: 32, exponent, form: "compact" });
    assert.deepEqual(full.shape, [8, 8, 32]);
    assert.deepEqual(compact.shape, [15, 32]);
    for (let i = 0; i < 8; ++i) {
      for (let j = 0; j < 8; ++j) {
        const row = full.data.slice((i * 8 + j) * 32, (i * 8 + j + 1) * 32);
        assert.deepEqual(row, compact.data.slice((j - i + 7) * 32, (j - i + 8) * 32));
        assertClose(row, sinusoid([j - i], 32, { step }), 1e-6);
      }
    }
  }
});

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

test("Swin: index, bias, log-CPB", () => {
  const window = { height: 2, width: 2 };
  const index = pe.swinIndex(window);
  assert.deepEqual([...index.data], [4, 3, 1, 0, 5, 4, 2, 1, 7, 6, 4, 3, 8, 7, 5, 4]);
  const table = tensor([9, 3]);
  const bias = pe.swinBias({ ...window, table });
  assert.deepEqual(bias.shape, [3, 4, 4]);
  assert.ok(bias.data.every((value, at) => value === table.data[index.data[at % 16] * 3 + Math.floor(at / 16)]));
  assert.deepEqual(pe.swinIndex({ ...window, classToken: true }).shape, [5, 5]);
  const coordinates = pe.swinLogCoordinates(window);
  assertClose(
    coordinates.data.slice(0, 4),
    [-1, -1, -1, 0].map((d) => (d * Math.log2(9)) / 3),
    1e-7,
  );
  const perceptron = { weight1: tensor([4, 2], 2), bias1: tensor([4], 3), weight2: tensor([3, 4], 4) };
  const continuous = pe.swinLogCpb({ ...window, perceptron });
  const hidden = (row) =>
    Array.from({ length: 4 }, (_, n) =>
      Math.max(
        0,
        perceptron.weight1.data[2 * n] * coordinates.data[2 * row] +
          perceptron.weight1.data[2 * n + 1] * coordinates.data[2 * row + 1] +
          perceptron.bias1.data[n],
      ),
    );
  const wanted = Array.from({ length: 27 }, (_, at) => {
    const sum = hidden(Math.floor(at / 3)).reduce((s, x, n) => s + x * perceptron.weight2.data[(at % 3) * 4 + n], 0);
    return 16 / (1 + Math.exp(-sum));
  });
  assertClose(continuous.data, wanted, 4e-6);
  assert.deepEqual(pe.swinBias({ ...window, table: continuous }).shape, [3, 4, 4]);
});

test("attention: softmax((Q Kᵀ + R) / sqrt d) V is biasScaled: true; false adds R after the scale", () => {
  const [query, key, value] = [tensor([2, 3, 4], 2), tensor([2, 5, 4], 3), tensor([2, 5, 6], 4)];
  const bias = pe.alibi({ heads: 2, ...shape });
  for (const biasScaled of [true, false]) {
    const { output, weights } = pe.attention({ query, key, value, bias, biasScaled });
    assert.deepEqual(weights.shape, [2, 3, 5]);
    assert.deepEqual(output.shape, [2, 3, 6]);
    for (let row = 0; row < 6; ++row) {
      const h = Math.floor(row / 3);
      const powers = Array.from({ length: 5 }, (_, j) => {
        let sum = 0;
        for (let d = 0; d < 4; ++d) sum += query.data[row * 4 + d] * key.data[(h * 5 + j) * 4 + d];
        const r = bias.data[row * 5 + j];
        return Math.exp(biasScaled ? (sum + r) / 2 : sum / 2 + r);
      });
      const total = powers.reduce((a, b) => a + b);
      assertClose(
        weights.data.slice(row * 5, row * 5 + 5),
        powers.map((p) => p / total),
        1e-7,
      );
    }
  }
});

test("a query that sees no key gets zeros", () => {
  const data = new Float32Array(4).fill(Number.NEGATIVE_INFINITY);
  data[2] = 0;
  const { output, weights } = pe.attention({
    query: tensor([2, 3]),
    key: tensor([2, 3]),
    value: tensor([2, 3]),
    bias: { data, shape: [2, 2] },
    biasScaled: false,
  });
  assert.deepEqual([...weights.data], [0, 0, 1, 0]);
  assert.deepEqual([...output.data.slice(0, 3)], [0, 0, 0]);
});

test("Shaw with zero tables, and Transformer-XL with no relative vectors, are plain attention", () => {
  const tensors = { query: tensor([3, 4], 2), key: tensor([5, 4], 3), value: tensor([5, 2], 4) };
  const plain = pe.attention(tensors);
  const zeros = (...extents) => ({ data: new Float32Array(extents.reduce((a, b) => a * b)), shape: extents });
  assert.deepEqual(
    pe.shawAttention({ ...tensors, maxDistance: 2, keyTable: zeros(5, 4), valueTable: zeros(5, 2) }),
    plain,
  );
  const none = { relative: zeros(7, 4), contentBias: zeros(4), positionBias: zeros(4) };
  assert.deepEqual(pe.transformerXl({ ...tensors, ...none, queryOffset: 2 }), plain);
});

test("Shaw's keys: q · a is a bias under the scale", () => {
  const tensors = { query: tensor([3, 4], 2), key: tensor([5, 4], 3), value: tensor([5, 2], 4) };
  const keyTable = tensor([3, 4], 5);
  const scores = pe.linear(tensors.query, keyTable);
  const ids = pe.shawIds({ ...shape, maxDistance: 1 });
  const data = Float32Array.from(ids.data, (id, at) => scores.data[Math.floor(at / 5) * 3 + id]);
  const biased = pe.attention({ ...tensors, bias: { data, shape: [3, 5] }, biasScaled: true });
  const shaw = pe.shawAttention({ ...tensors, keyTable, maxDistance: 1, queryOffset: 2 });
  assertClose(shaw.weights.data, biased.weights.data, 1e-7);
});

test("Transformer-XL's position term is the relative shift of (q + v) rᵀ", () => {
  const tensors = { query: tensor([3, 4], 2), key: tensor([5, 4], 3), value: tensor([5, 2], 4) };
  const relative = pe.relativeSinusoidal({
    ...shape,
    dim: 4,
    sign: "query-minus-key",
    order: "split",
    form: "compact",
  });
  const position = tensor([4], 6);
  const qv = { data: tensors.query.data.map((q, at) => q + position.data[at % 4]), shape: [3, 4] };
  const shifted = pe.relativeShift(pe.linear(qv, relative));
  const data = Float32Array.from({ length: 15 }, (_, at) => shifted.data[Math.floor(at / 5) * 7 + (at % 5)]);
  const biased = pe.attention({ ...tensors, bias: { data, shape: [3, 5] }, biasScaled: true });
  const zero = { data: new Float32Array(4), shape: [4] };
  const xl = pe.transformerXl({ ...tensors, relative, contentBias: zero, positionBias: position, queryOffset: 2 });
  assertClose(xl.weights.data, biased.weights.data, 1e-7);
});

test("CoPE counts open gates", () => {
  const logits = { data: Float32Array.of(50, -800, 50, 50), shape: [1, 4] };
  const embedding = { data: Float32Array.of(10, 20, 30, 40, 50), shape: [5, 1] };
  const query = { data: Float32Array.of(1), shape: [1, 1] };
  const { bias, counts } = pe.cope({ query, logits, embedding, queryOffset: 3 });
  assert.deepEqual([...counts.data], [3, 2, 2, 1]);
  assert.deepEqual([...bias.data], [40, 30, 30, 20]);
});

test("biases have the bits that are stored for the core", () => {
  const stored = readFileSync(new URL("../core/testing/stored_hashes.hpp", import.meta.url), "utf8");
  const hash = ({ data }) =>
    new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      .reduce((all, byte) => BigInt.asUintN(64, (all ^ BigInt(byte)) * 0x100000001b3n), 0xcbf29ce484222325n)
      .toString(16)
      .padStart(16, "0");
  const options = { queries: 40, keys: 50, queryOffset: 10, form: "compact" };
  const r1 = Float32Array.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6);
  const r2 = Float32Array.of(0.25, 0.5, 0.75, 1, 1.25, 1.5);
  for (const [name, bias] of [
    ["alibi", pe.alibi({ heads: 6, ...options })],
    ["kerple power", pe.kerple({ kernel: "power", r1, r2, ...options })],
    ["sandwich", pe.sandwich({ heads: 6, ...options })],
  ]) {
    assert.ok(stored.includes(`{"${name}", "${hash(bias)}"}`), name);
  }
});

test("empty sequences give empty results", () => {
  assert.deepEqual(pe.alibi({ heads: 2, queries: 0, keys: 4 }).shape, [2, 0, 4]);
  assert.deepEqual(pe.relativeOffsets({ queries: 3, keys: 0, form: "compact" }).shape, [0]);
});

const two = tensor([2, 2]);
const wrongCalls = [
  [() => pe.alibi({ heads: 0, ...shape }), RangeError, "heads: 0, expected a whole number from 1"],
  [() => pe.alibi({ ...shape }), TypeError, "heads: undefined, expected a number"],
  [() => pe.alibi({ heads: 2, keys: 2 }), TypeError, "queries: undefined, expected a number"],
  [() => pe.alibi({ heads: 2, queries: -1, keys: 2 }), RangeError, "queries: -1"],
  [() => pe.alibi({ heads: 2, ...shape, form: "half" }), RangeError, 'form: "half", expected one of "full"'],
  [() => pe.alibi({ heads: 2, ...shape, future: "none" }), RangeError, 'future: "none", expected one of "keep"'],
  [() => pe.alibi({ heads: 2, ...shape, slopes: "x" }), RangeError, 'slopes: "x", expected one of "paper"'],
  [() => pe.alibi({ heads: 2, ...shape, distance: 3 }), TypeError, "distance: 3, expected a string"],
  [() => pe.alibi({ heads: 2, ...shape, steepness: 0 }), RangeError, "steepness: 0"],
  [() => pe.alibi({ heads: 2, queries: 2 ** 20, keys: 2 ** 20 }), RangeError, "heads * queries * keys: 2199023255552"],
  [() => pe.alibi({ heads: 2, ...shape, queryOffset: 0.5 }), RangeError, "queryOffset: 0.5, expected a whole number"],
  [() => pe.relativeOffsets({ ...shape, future: "keep" }), TypeError, "relativeOffsets.future"],
  [() => pe.t5({ table: two, ...shape }), TypeError, "bidirectional: undefined, expected true or false"],
  [() => pe.t5({ table: two, bidirectional: true, ...shape }), RangeError, "table: 4, expected 32 * 2 values"],
  [() => pe.t5Buckets({ bidirectional: true, buckets: 2, ...shape }), RangeError, "buckets: 2, expected"],
  [() => pe.kerple({ r1: new Float32Array(1), r2: new Float32Array(1), ...shape }), TypeError, "kernel: undefined"],
  [
    () => pe.kerple({ kernel: "power", r1: new Float32Array(1), r2: new Float32Array(1), ...shape }),
    RangeError,
    "r1: 0, expected finite numbers > 0",
  ],
  [() => pe.kerple({ kernel: "power", r1: [1], r2: new Float32Array(1), ...shape }), TypeError, "r1: [1], expected"],
  [() => pe.sandwich({ heads: 2, dim: 3, ...shape }), RangeError, "dim: 3, expected an even number"],
  [() => pe.fire({ ...shape }), TypeError, "perceptron: undefined"],
  [
    () => pe.fire({ perceptron: { weight1: two, bias1: tensor([2]), weight2: two }, ...shape }),
    RangeError,
    "weight1.shape: [2, 2], expected [2, 1]",
  ],
  [() => pe.shawIds({ maxDistance: -1, ...shape }), RangeError, "maxDistance: -1"],
  [() => pe.swinIndex({ height: 0, width: 2 }), RangeError, "height: 0"],
  [() => pe.swinBias({ height: 2, width: 2, table: two }), RangeError, "table: 4, expected 9 * 2 values"],
  [
    () => pe.attention({ query: two, key: two, value: two, bias: two }),
    TypeError,
    "biasScaled: undefined, expected true",
  ],
  [() => pe.attention({ query: two, key: two, value: two, biasScaled: true }), TypeError, "biasScaled: true, expected"],
  [
    () => pe.attention({ query: two, key: two, value: two, bias: tensor([2, 3]), biasScaled: true }),
    RangeError,
    "bias: [1, 1, 2, 3], expected a shape that fits [batch, heads, queries, keys] = [1, 1, 2, 2]",
  ],
  [
    () =>
      pe.attention({
        query: two,
        key: two,
        value: two,
        bias: { data: new Float32Array(4).fill(Number.NaN), shape: [2, 2] },
        biasScaled: true,
      }),
    RangeError,
    "bias: NaN",
  ],
  [() => pe.cope({ query: two, logits: tensor([3, 2]), embedding: two }), RangeError, "logits.shape: [3, 2]"],
  [() => pe.relativeExpand(two, { queries: 3, keys: 5 }), RangeError, "compact: 4, expected 2 * 7 * 1 values"],
  [() => pe.relativeExpandIds(two, { queries: 3, keys: 5 }), TypeError, "compact.data: [object Float32Array]"],
  [
    () =>
      pe.transformerXl({
        query: two,
        key: two,
        value: two,
        relative: two,
        contentBias: tensor([2]),
        positionBias: tensor([2]),
      }),
    RangeError,
    "relative.shape: [2, 2], expected [3, 2]",
  ],
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
