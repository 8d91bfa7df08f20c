// A language model of the lab's kind, one token after another: in each layer the rotation of a query and a key, attention
// to all keys before it, and products. Nothing is copied but a token's key and value into their cache.

import { given, inScript, numbers, zeros } from "../inputs.mjs";
import { attention, linear } from "../javascript/attention.mjs";
import { angleTables, rotateHalf } from "../javascript/rotary.mjs";
import { row } from "../row.mjs";

const [LAYERS, WIDTH, HEADS, VOCABULARY, TOKENS] = [2, 64, 4, 64, 2000];
const [DIM, HIDDEN] = [WIDTH / HEADS, 2 * WIDTH];

/** The learned arrays of a layer, [rows, columns], and those of the model. */
const OF_LAYER = {
  attentionNorm: [1, WIDTH],
  queryKeyValue: [3 * WIDTH, WIDTH],
  attentionOutput: [WIDTH, WIDTH],
  mlpNorm: [1, WIDTH],
  up: [HIDDEN, WIDTH],
  upBias: [1, HIDDEN],
  down: [WIDTH, HIDDEN],
  downBias: [1, WIDTH],
};
const OF_MODEL = { embedding: [VOCABULARY, WIDTH], lastNorm: [1, WIDTH], output: [VOCABULARY, WIDTH] };

/** All arrays, one after another, as tensors in `values`: those of the model and, in `layers`, of each layer. */
function placed(values) {
  let at = 0;
  const tensors = (shapes) =>
    Object.fromEntries(
      Object.entries(shapes).map(([name, [rows, columns]]) => {
        const data = values.subarray(at, at + rows * columns);
        at += data.length;
        return [name, { data, shape: rows === 1 ? [columns] : [rows, columns] }];
      }),
    );
  return { ...tensors(OF_MODEL), layers: Array.from({ length: LAYERS }, () => tensors(OF_LAYER)) };
}

const sizeOf = (shapes) => Object.values(shapes).reduce((sum, [rows, columns]) => sum + rows * columns, 0);
const SIZE = sizeOf(OF_MODEL) + LAYERS * sizeOf(OF_LAYER);

/** Made up, each matrix so large that values neither vanish nor grow. */
function weights() {
  const values = inScript(numbers(SIZE));
  const { layers, ...ofModel } = placed(values);
  for (const [name, { data, shape }] of [ofModel, ...layers].flatMap(Object.entries))
    for (let i = 0; i < data.length; ++i)
      data[i] = name.endsWith("Norm") ? 1 + data[i] / 8 : (data[i] * 2) / Math.sqrt(shape.at(-1));
  return values;
}

/** Root mean square norm, y = gain * x / sqrt(mean of x^2 + 1e-6). */
function norm(x, { data: gain }, y) {
  let squares = 0;
  for (let i = 0; i < WIDTH; ++i) squares += x[i] * x[i];
  const inverse = 1 / Math.sqrt(squares / WIDTH + 1e-6);
  for (let i = 0; i < WIDTH; ++i) y[i] = gain[i] * x[i] * inverse;
}

function gelu(x) {
  for (let i = 0; i < x.length; ++i)
    x[i] /= 1 + Math.exp(-2 * Math.sqrt(2 / Math.PI) * (x[i] + 0.044715 * x[i] * x[i] * x[i]));
}

function add(from, to) {
  for (let i = 0; i < to.length; ++i) to[i] += from[i];
}

const SIZES = { x: WIDTH, normed: WIDTH, joined: 3 * WIDTH, attended: WIDTH, up: HIDDEN, part: WIDTH };

/**
 * All tokens' passes, the logits of the last left in `logits`, by functions: array(size), multiply(x, weight, y, bias), and
 * attend(query, attended), which gives a function of a layer's cache and a position that rotates the query and the key
 * and attends.
 */
function generation(values, logits, { array, multiply, attend }) {
  const { layers, embedding, lastNorm, output } = placed(values);
  const { x, normed, joined, attended, up, part } = Object.fromEntries(
    Object.entries(SIZES).map(([name, size]) => [name, array(size)]),
  );
  const [query, key, value] = [0, 1, 2].map((i) => joined.subarray(i * WIDTH, (i + 1) * WIDTH));
  const caches = layers.map(() => ({ key: array(TOKENS * WIDTH), value: array(TOKENS * WIDTH) }));
  const rotateAndAttend = attend(query, key, attended);
  const keep = (cache, from, position) => {
    for (let h = 0; h < HEADS; ++h) cache.set(from.subarray(h * DIM, (h + 1) * DIM), (h * TOKENS + position) * DIM);
  };
  const decode = (token, position) => {
    x.set(embedding.data.subarray(token * WIDTH, (token + 1) * WIDTH));
    for (const [i, layer] of layers.entries()) {
      norm(x, layer.attentionNorm, normed);
      multiply(normed, layer.queryKeyValue, joined);
      rotateAndAttend(position, caches[i], () => {
        keep(caches[i].key, key, position);
        keep(caches[i].value, value, position);
      });
      multiply(attended, layer.attentionOutput, part);
      add(part, x);
      norm(x, layer.mlpNorm, normed);
      multiply(normed, layer.up, up, layer.upBias);
      gelu(up);
      multiply(up, layer.down, part, layer.downBias);
      add(part, x);
    }
    norm(x, lastNorm, normed);
    multiply(normed, output, logits);
  };
  // Tokens of no meaning: every model takes them alike.
  return () => {
    for (let position = 0; position < TOKENS; ++position) decode((position * 29 + 7) % VOCABULARY, position);
  };
}

/** By the library's functions, on its own memory. */
const byLibrary = (pe) => ({
  array: (size) => pe.buffer(size).view,
  multiply: (x, weight, y, bias) => pe.linear({ data: x, shape: [1, x.length] }, weight, { bias, out: y }),
  attend(query, key, output) {
    const rope = pe.rotary({ dim: DIM, layout: "half" });
    const steps = [query, key].map((one) => rope.step(one, { shape: [1, HEADS, DIM], seqAxis: 0 }));
    const asked = { data: query, shape: [HEADS, 1, DIM] };
    const kept = (data) => ({ data, shape: [HEADS, TOKENS, DIM] });
    return (position, { key, value }, keep) => {
      for (const step of steps) step.apply(position);
      keep();
      const held = { key: kept(key), value: kept(value), cache: { length: position + 1 } };
      pe.attention({ query: asked, ...held, out: { output } });
    };
  },
});

const byLoops = {
  array: (size) => new Float32Array(size),
  multiply(x, { data: weight }, y, bias) {
    linear({ x, weight }, y, 1, x.length, y.length);
    if (bias) add(bias.data, y);
  },
  attend(query, key, attended) {
    const { cos, sin } = angleTables(TOKENS, DIM);
    return (position, cache, keep) => {
      for (const one of [query, key]) rotateHalf(one, cos, sin, position, 1, HEADS, DIM);
      keep();
      const sizes = { heads: HEADS, queries: 1, keys: position + 1, capacity: TOKENS, dim: DIM };
      attention({ query, ...cache }, attended, sizes);
    };
  },
};

/** Made at the first call, on the arrays that this gives. */
const once = (make) => {
  let run;
  return (...arrays) => {
    run ??= make(...arrays);
    run();
  };
};

const values = weights();

export const generations = [
  row({
    name: `generation of ${TOKENS} tokens [${LAYERS} layers, ${WIDTH}]`,
    inputs: { weights: given(values, SIZE) },
    out: { logits: zeros(Float32Array, VOCABULARY) },
    library: (pe) => once(({ weights: { data } }, { logits }) => generation(data, logits.data, byLibrary(pe))),
    script: once((arrays, { logits }) => generation(arrays.weights, logits, byLoops)),
    must: 1.5,
    tolerance: 1e-3,
    goals: [{ of: "posenc", measure: "each", values: TOKENS }],
  }),
];
