import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, tensor } from "../testing/reference.mjs";
import { fractions, isStored, testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const shape = { queries: 3, keys: 5, queryOffset: 2 };

test("attention: softmax((Q Kᵀ + R) / sqrt d) V is biasScaled: true; false adds R after the scale", () => {
  const [query, key, value] = [tensor([2, 3, 4], 2), tensor([2, 5, 4], 3), tensor([2, 5, 6], 4)];
  const bias = pe.alibi({ heads: 2, ...shape });
  for (const biasScaled of [true, false]) {
    const { output, weights } = pe.attention({
      query,
      key,
      value,
      bias,
      biasScaled,
      weights: true,
      precision: "exact",
    });
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
    weights: true,
  });
  assert.deepEqual([...weights.data], [0, 0, 1, 0]);
  assert.deepEqual([...output.data.slice(0, 3)], [0, 0, 0]);
});

test("Shaw with zero tables, and Transformer-XL with no relative vectors, are plain attention", () => {
  const tensors = { query: tensor([3, 4], 2), key: tensor([5, 4], 3), value: tensor([5, 2], 4) };
  const zeros = (...extents) => ({ data: new Float32Array(extents.reduce((a, b) => a * b)), shape: extents });
  const none = { relative: zeros(7, 4), contentBias: zeros(4), positionBias: zeros(4) };
  for (const options of [{}, { weights: true }, { precision: "exact", weights: true }]) {
    const plain = pe.attention({ ...tensors, ...options });
    assert.equal("weights" in plain, options.weights === true);
    const shaw = { ...tensors, ...options, maxDistance: 2, keyTable: zeros(5, 4), valueTable: zeros(5, 2) };
    assert.deepEqual(pe.shawAttention(shaw), plain);
    assert.deepEqual(pe.transformerXl({ ...tensors, ...options, ...none, queryOffset: 2 }), plain);
  }
});

/** Attention of which each value is rounded once, with its weights. */
const exact = { precision: "exact", weights: true };

test("Shaw's keys: q · a is a bias under the scale", () => {
  const tensors = { query: tensor([3, 4], 2), key: tensor([5, 4], 3), value: tensor([5, 2], 4), ...exact };
  const keyTable = tensor([3, 4], 5);
  const scores = pe.linear(tensors.query, keyTable);
  const ids = pe.shawIds({ ...shape, maxDistance: 1 });
  const data = Float32Array.from(ids.data, (id, at) => scores.data[Math.floor(at / 5) * 3 + id]);
  const biased = pe.attention({ ...tensors, bias: { data, shape: [3, 5] }, biasScaled: true });
  const shaw = pe.shawAttention({ ...tensors, keyTable, maxDistance: 1, queryOffset: 2 });
  assertClose(shaw.weights.data, biased.weights.data, 1e-7);
  const fast = pe.shawAttention({ ...tensors, keyTable, maxDistance: 1, queryOffset: 2, precision: "float32" });
  assertClose(fast.output.data, shaw.output.data, 1e-6);
});

test("Transformer-XL's position term is the relative shift of (q + v) rᵀ", () => {
  const tensors = { query: tensor([3, 4], 2), key: tensor([5, 4], 3), value: tensor([5, 2], 4), ...exact };
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

test("Shaw, Transformer-XL and CoPE have the bits that are stored for the core", () => {
  const scale = 0.3;
  const tensors = {
    query: fractions([2, 70, 12], 30),
    key: fractions([2, 130, 12], 31),
    value: fractions([2, 130, 10], 32),
    scale,
    queryOffset: 60,
    future: "mask",
  };
  const tables = { keyTable: fractions([81, 12], 33), valueTable: fractions([81, 10], 34), maxDistance: 40 };
  const bias = fractions([2, 12], 37);
  const vectors = { relative: fractions([2, 199, 12], 36), contentBias: bias, positionBias: bias };
  for (const [precision, ending] of [
    ["float32", ""],
    ["exact", ", exact"],
  ]) {
    const options = { ...tensors, precision };
    const shaw = pe.shawAttention({ ...options, ...tables, weights: true });
    assert.ok(isStored(`shaw${ending}`, [shaw.output, shaw.weights]));
    const found = pe.shawBackward({ ...options, ...tables, gradient: fractions([2, 70, 10], 35) });
    assert.ok(isStored(`shaw gradients${ending}`, Object.values(found)));
    const xl = pe.transformerXl({ ...options, ...vectors, weights: true });
    assert.ok(isStored(`transformer-xl${ending}`, [xl.output, xl.weights]));
  }
  const logits = fractions([2, 70, 130], 38);
  const { query, queryOffset } = tensors;
  const made = pe.cope({ query, logits, embedding: fractions([48, 12], 39), queryOffset });
  assert.ok(isStored("cope", [made.bias, made.counts]));
});

test("CoPE counts open gates", () => {
  const logits = { data: Float32Array.of(50, -800, 50, 50), shape: [1, 4] };
  const embedding = { data: Float32Array.of(10, 20, 30, 40, 50), shape: [5, 1] };
  const query = { data: Float32Array.of(1), shape: [1, 1] };
  const { bias, counts } = pe.cope({ query, logits, embedding, queryOffset: 3 });
  assert.deepEqual([...counts.data], [3, 2, 2, 1]);
  assert.deepEqual([...bias.data], [40, 30, 30, 20]);
});

const two = tensor([2, 2]);

testWrongCalls([
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
]);
