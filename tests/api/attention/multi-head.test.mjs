import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { attend, differences, multiHead, nest } from "../testing/attention-formula.mjs";
import { assertClose, product, rotate, tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const nested = ({ data, shape }) => nest(data, shape);
const flat = (value) => value.flat(Number.POSITIVE_INFINITY);

/** Layers of d_model 6 with 3 heads of dim 2, with biases. */
const layers = Object.fromEntries(
  ["query", "key", "value", "out"].map((name, at) => [
    name,
    { weight: tensor([6, 6], 20 + at), bias: tensor([6], 30 + at) },
  ]),
);
const nestedLayers = Object.fromEntries(
  Object.entries(layers).map(([name, { weight, bias }]) => [name, { weight: nested(weight), bias: [...bias.data] }]),
);
const row = ({ data, shape }, b) => nest(data.slice(b * product(shape.slice(1))), shape.slice(1));

test("multi-head self-attention of a batch, with the weights of each head", () => {
  const query = tensor([2, 5, 6], 40);
  const bias = pe.alibi({ heads: 3, queries: 5, keys: 5 });
  const { output, weights, saved } = pe.multiHeadAttention({
    query,
    layers,
    heads: 3,
    bias,
    biasScaled: false,
    causal: true,
    weights: true,
  });
  assert.deepEqual(output.shape, [2, 5, 6]);
  assert.deepEqual(weights.shape, [2, 3, 5, 5]);
  assert.deepEqual(saved.query.shape, [2, 3, 5, 2]);
  assert.deepEqual(saved.context.shape, [2, 5, 6]);
  assert.deepEqual(Object.keys(saved), ["query", "key", "value", "context"]);
  for (let b = 0; b < 2; ++b) {
    const wanted = multiHead(row(query, b), nestedLayers, 3, {
      added: (_b, h, i, j) => (j > i ? Number.NEGATIVE_INFINITY : bias.data[(h * 5 + i) * 5 + j]),
    });
    assertClose(flat(row(output, b)), flat(wanted.output), 3e-6);
    assertClose(flat(row(weights, b)), flat(wanted.weights), 1e-6);
  }
  // Without a batch its axis is missing.
  const first = { data: query.data.slice(0, 30), shape: [5, 6] };
  const options = { query: first, layers, heads: 3, bias, biasScaled: false, causal: true };
  const alone = pe.multiHeadAttention({ ...options, weights: true });
  assert.deepEqual(Object.keys(pe.multiHeadAttention(options)), ["output", "saved"]);
  assert.deepEqual(alone.output, { data: output.data.slice(0, 30), shape: [5, 6] });
  assert.deepEqual(alone.weights.shape, [3, 5, 5]);
});

test("multi-head from its parts, with rotated queries and keys, and grouped heads", () => {
  const x = tensor([4, 6], 41);
  const narrow = {
    ...layers,
    key: { weight: tensor([2, 6], 42) },
    value: { weight: tensor([2, 6], 43) },
  };
  const whole = pe.multiHeadAttention({ query: x, layers: narrow, heads: 3, kvHeads: 1, weights: true });
  const split = (name, heads) => pe.splitHeads(pe.linear(x, narrow[name].weight, narrow[name].bias), { heads });
  const [query, key, value] = [split("query", 3), split("key", 1), split("value", 1)];
  assert.deepEqual(query, whole.saved.query);
  const parts = pe.attention({ query, key, value, weights: true });
  assert.deepEqual(parts.weights, whole.weights);
  const context = pe.mergeHeads(parts.output);
  assert.deepEqual(context, whole.saved.context);
  assert.deepEqual(pe.linear(context, narrow.out.weight, narrow.out.bias), whole.output);

  const rotary = pe.rotary({ dim: 2, layout: "interleaved" });
  const rotatedBy = ({ data, shape }) => ({ data: rotary.apply(data.slice(), { shape, seqAxis: 1 }), shape });
  const rotated = pe.attention({ query: rotatedBy(query), key: rotatedBy(key), value, weights: true });
  const rotateAll = (heads) => heads.map((rows) => rows.map((dims, i) => rotate(dims, i, { layout: "interleaved" })));
  const wanted = attend([rotateAll(nested(query))], [rotateAll(nested(key))], [nested(value)], {
    scale: 1 / Math.sqrt(2),
  });
  assertClose(rotated.weights.data, flat(wanted.weights), 1e-6);
  rotary.delete();
});

test("cross-attention: keys default to queries, and values to keys", () => {
  const [query, memory] = [tensor([1, 3, 6], 44), tensor([1, 5, 6], 45)];
  const cross = pe.multiHeadAttention({ query, key: memory, layers, heads: 3, weights: true });
  assert.deepEqual(cross.weights.shape, [1, 3, 3, 5]);
  assert.deepEqual(
    cross,
    pe.multiHeadAttention({ query, key: memory, value: memory, layers, heads: 3, weights: true }),
  );
  const self = pe.multiHeadAttention({ query, layers, heads: 3 });
  assert.deepEqual(self, pe.multiHeadAttention({ query, key: query, value: query, layers, heads: 3 }));
});

test("a layer's gradients, a table's, a learned bias's", () => {
  const [x, weight, gradient] = [tensor([2, 3, 4], 46), tensor([5, 4], 47), tensor([2, 3, 5], 48)];
  const found = pe.linearBackward({ x, weight, gradient });
  assert.deepEqual([found.x.shape, found.weight.shape, found.bias.shape], [x.shape, weight.shape, [5]]);
  const [rows, of, by] = [nest(x.data, [6, 4]), nest(gradient.data, [6, 5]), nest(weight.data, [5, 4])];
  const wanted = { x: Array(24).fill(0), weight: Array(20).fill(0), bias: Array(5).fill(0) };
  of.forEach((slopes, r) => {
    slopes.forEach((slope, j) => {
      wanted.bias[j] += slope;
      for (let k = 0; k < 4; ++k) {
        wanted.x[4 * r + k] += slope * by[j][k];
        wanted.weight[4 * j + k] += slope * rows[r][k];
      }
    });
  });
  for (const name of ["x", "weight", "bias"]) assertClose(found[name].data, wanted[name], 1e-6);
  const table = pe.addBackward(gradient, { rows: 4, seqAxis: 1 });
  assert.deepEqual(table.shape, [4, 5]);
  assertClose(
    table.data,
    Array.from({ length: 20 }, (_, at) => (at < 15 ? gradient.data[at] + gradient.data[at + 15] : 0)),
    1e-7,
  );
  const ids = pe.t5Buckets({ queries: 4, keys: 6, bidirectional: true });
  const values = tensor([32, 2], 49);
  assert.deepEqual(
    pe.tableBias({ ids, table: values }),
    pe.t5({ table: values, queries: 4, keys: 6, bidirectional: true }),
  );
  const dBias = tensor([2, 4, 6], 50);
  const dTable = pe.tableBiasBackward({ ids, gradient: dBias, rows: 32 });
  const sums = Array(64).fill(0);
  dBias.data.forEach((value, at) => {
    sums[ids.data[at % 24] * 2 + Math.floor(at / 24)] += value;
  });
  assert.deepEqual(dTable.shape, [32, 2]);
  assertClose(dTable.data, sums, 3e-7);
});

test("multi-head: the gradients are those of finite differences", () => {
  const query = tensor([4, 6], 51);
  const bias = tensor([3, 4, 4], 52);
  const options = { query, layers, heads: 3, bias, biasScaled: true, causal: true, precision: "exact" };
  const { output, saved } = pe.multiHeadAttention(options);
  const gradient = tensor(output.shape, 53);
  const found = pe.multiHeadBackward({ ...options, saved, gradient });
  assert.deepEqual(Object.keys(found), ["query", "layers", "bias"]);
  const wide = Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      { weight: [...layer.weight.data], bias: [...layer.bias.data] },
    ]),
  );
  const x = [...query.data];
  const added = [...bias.data];
  const loss = () => {
    const at = Object.fromEntries(
      Object.entries(wide).map(([name, layer]) => [name, { weight: nest(layer.weight, [6, 6]), bias: layer.bias }]),
    );
    const result = multiHead(nest(x, [4, 6]), at, 3, {
      scaled: true,
      added: (_b, h, i, j) => (j > i ? Number.NEGATIVE_INFINITY : added[(h * 4 + i) * 4 + j]),
    });
    return flat(result.output).reduce((sum, y, i) => sum + y * gradient.data[i], 0);
  };
  assertClose(found.query.data, differences(x, loss), 4e-6);
  assertClose(found.bias.data, differences(added, loss), 4e-6);
  for (const name of ["query", "key", "value", "out"]) {
    assert.deepEqual(found.layers[name].weight.shape, [6, 6]);
    assertClose(found.layers[name].weight.data, differences(wide[name].weight, loss), 4e-6);
    assertClose(found.layers[name].bias.data, differences(wide[name].bias, loss), 4e-6);
  }
});

test("cross-attention has a gradient for each input, and a layer without a bias none for it", () => {
  const [query, key, value] = [tensor([2, 3, 6], 54), tensor([2, 4, 6], 55), tensor([2, 4, 6], 56)];
  const bare = Object.fromEntries(Object.entries(layers).map(([name, { weight }]) => [name, { weight }]));
  const options = { query, key, value, layers: bare, heads: 3 };
  const { output, saved } = pe.multiHeadAttention(options);
  const gradients = pe.multiHeadBackward({ ...options, saved, gradient: tensor(output.shape, 57) });
  assert.deepEqual(Object.keys(gradients), ["query", "key", "value", "layers"]);
  assert.deepEqual(Object.keys(gradients.layers.out), ["weight"]);
  assert.deepEqual(gradients.value.shape, value.shape);
});

test("Shaw's gradients are those of the tables that were given", () => {
  const inputs = { query: tensor([2, 3, 4], 58), key: tensor([2, 3, 4], 59), value: tensor([2, 3, 4], 60) };
  const given = { ...inputs, keyTable: tensor([5, 4], 61), maxDistance: 2, gradient: tensor([2, 3, 4], 63) };
  assert.deepEqual(Object.keys(pe.shawBackward(given)), ["query", "key", "value", "keyTable"]);
});

const two = tensor([2, 6]);
const call = (extra) => () => pe.multiHeadAttention({ query: two, layers, heads: 3, ...extra });
testWrongCalls([
  [call({ heads: 4 }), RangeError, "heads: 4, expected a divisor of 6, the rows of layers.query.weight"],
  [call({ kvHeads: 4 }), RangeError, "kvHeads: 4, expected a divisor of 6, the rows of layers.value.weight"],
  [call({ kvHeads: 1 }), RangeError, "layers.key.weight: 36, expected 2 * 6 values"],
  [call({ query: tensor([2, 5]) }), RangeError, "query.shape: [2, 5], expected [[batch,] rows, 6]"],
  [call({ key: tensor([1, 2, 6]) }), RangeError, "key.shape: [1, 2, 6], expected [rows, 6]"],
  [call({ layers: { ...layers, out: { weight: tensor([6, 5]) } } }), RangeError, "layers.out.weight: 30, expected"],
  [
    call({ layers: { ...layers, query: { weight: tensor([6, 6]), bias: tensor([5]) } } }),
    RangeError,
    "layers.query.bias.shape: [5], expected [6]",
  ],
  [() => pe.splitHeads(two, { heads: 4 }), RangeError, "heads: 4, expected a divisor of 6"],
  [() => pe.splitHeads(tensor([6]), { heads: 2 }), RangeError, "x.shape: [6]"],
  [() => pe.mergeHeads(two), RangeError, "x.shape: [2, 6], expected [..., heads, rows, dim]"],
  [() => pe.linear(two, tensor([2, 6]), tensor([3])), RangeError, "bias.shape: [3], expected [2]"],
  [() => pe.linearBackward({ x: two, weight: tensor([3, 6]), gradient: two }), RangeError, "gradient.shape: [2, 6]"],
  [
    () => pe.tableBiasBackward({ ids: { data: Int32Array.of(0, 1), shape: [2] }, gradient: two, rows: 2 }),
    RangeError,
    "gradient.shape: [2, 6], expected [2, 2]",
  ],
]);
