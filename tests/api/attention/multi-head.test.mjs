// Which results multi-head attention has, and of which shapes, with a batch and without, and what its inputs default to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { tensor } from "../testing/reference.mjs";

const pe = await load();

/** Layers of d_model 6 with 3 heads of dim 2. */
const layersOf = (layer) => Object.fromEntries(["query", "key", "value", "out"].map((name, at) => [name, layer(at)]));
const layers = layersOf((at) => ({ weight: tensor([6, 6], 20 + at), bias: tensor([6], 30 + at) }));
const shapesOf = (made) => Object.fromEntries(Object.entries(made).map(([name, { shape }]) => [name, shape]));

test("a batch has the results of each of its sequences, with an axis more", () => {
  const query = tensor([2, 5, 6], 40);
  const bias = pe.alibi({ heads: 3, queries: 5, keys: 5 });
  const options = { layers, heads: 3, bias, biasScaled: false, causal: true };
  const { output, weights, saved } = pe.multiHeadAttention({ ...options, query, weights: true });
  assert.deepEqual([output.shape, weights.shape], [query.shape, [2, 3, 5, 5]]);
  const heads = [2, 3, 5, 2];
  assert.deepEqual(shapesOf(saved), { query: heads, key: heads, value: heads, context: [2, 5, 6] });
  const first = { data: query.data.slice(0, 30), shape: [5, 6] };
  const alone = pe.multiHeadAttention({ ...options, query: first, weights: true });
  assert.deepEqual(Object.keys(pe.multiHeadAttention({ ...options, query: first })), ["output", "saved"]);
  assert.deepEqual(alone.output, { data: output.data.slice(0, 30), shape: [5, 6] });
  assert.deepEqual(alone.weights, { data: weights.data.slice(0, 75), shape: [3, 5, 5] });
  const gradients = pe.multiHeadBackward({ ...options, query, saved, gradient: output });
  assert.deepEqual(Object.keys(gradients), ["query", "layers", "bias"]);
  assert.deepEqual(shapesOf(gradients.layers.out), { weight: [6, 6], bias: [6] });
});

test("it is the product of its parts, where heads share keys too", () => {
  const x = tensor([4, 6], 41);
  const narrow = { ...layers, key: { weight: tensor([2, 6], 42) }, value: { weight: tensor([2, 6], 43) } };
  const whole = pe.multiHeadAttention({ query: x, layers: narrow, heads: 3, kvHeads: 1, weights: true });
  const split = (name, heads) => pe.splitHeads(pe.linear(x, narrow[name].weight, narrow[name].bias), { heads });
  const [query, key, value] = [split("query", 3), split("key", 1), split("value", 1)];
  const parts = pe.attention({ query, key, value, weights: true });
  const context = pe.mergeHeads(parts.output);
  const output = pe.linear(context, narrow.out.weight, narrow.out.bias);
  assert.deepEqual(whole, { output, weights: parts.weights, saved: { query, key, value, context } });
});

test("keys default to queries, and values to keys; what was given has a gradient", () => {
  const [query, memory] = [tensor([1, 3, 6], 44), tensor([1, 5, 6], 45)];
  const bare = layersOf((at) => ({ weight: tensor([6, 6], 20 + at) }));
  const options = { layers: bare, heads: 3, query };
  const cross = pe.multiHeadAttention({ ...options, key: memory });
  assert.deepEqual(cross, pe.multiHeadAttention({ ...options, key: memory, value: memory }));
  const self = pe.multiHeadAttention(options);
  assert.deepEqual(self, pe.multiHeadAttention({ ...options, key: query, value: query }));
  const { saved, output } = cross;
  const gradients = pe.multiHeadBackward({ ...options, key: memory, value: memory, saved, gradient: output });
  assert.deepEqual(Object.keys(gradients), ["query", "key", "value", "layers"]);
  assert.deepEqual(Object.keys(gradients.layers.out), ["weight"]);
  assert.deepEqual(gradients.value.shape, memory.shape);
});
