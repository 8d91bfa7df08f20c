// A language model of the lab, one token after another: in each layer the rotation of a query and a key, attention to all
// keys before it, and products. Nothing is copied but a token's key and value into their cache.

import { given, inScript, numbers, zeros } from "../inputs.mjs";
import { attention, linear } from "../javascript/attention.mjs";
import { angleTables, rotateHalf } from "../javascript/rotary.mjs";
import { row } from "../row.mjs";

export const MODEL = { layers: 2, width: 64, heads: 4 };
export const VOCABULARY = 64;
const TOKENS = 2000;
const { layers: LAYERS, width: WIDTH, heads: HEADS } = MODEL;
const [DIM, HIDDEN] = [WIDTH / HEADS, 2 * WIDTH];

const ofLayer = [
  ["attention_norm", 1, WIDTH],
  ["query_key_value", 3 * WIDTH, WIDTH],
  ["attention_output", WIDTH, WIDTH],
  ["mlp_norm", 1, WIDTH],
  ["up", HIDDEN, WIDTH],
  ["up_bias", 1, HIDDEN],
  ["down", WIDTH, HIDDEN],
  ["down_bias", 1, WIDTH],
];

/** The learned arrays, [name, rows, columns], in the order of a checkpoint. */
export const PARAMETERS = [
  ["embedding", VOCABULARY, WIDTH],
  ...Array.from({ length: LAYERS }, (_, i) =>
    ofLayer.map(([name, ...shape]) => [`layers.${i}.${name}`, ...shape]),
  ).flat(),
  ["last_norm", 1, WIDTH],
  ["output", VOCABULARY, WIDTH],
];
const SIZE = PARAMETERS.reduce((sum, [, rows, columns]) => sum + rows * columns, 0);

/** Made up, each matrix so large that values neither vanish nor grow. */
export function weights() {
  const values = inScript(numbers(SIZE));
  let at = 0;
  for (const [name, rows, columns] of PARAMETERS) {
    for (const end = at + rows * columns; at < end; ++at)
      values[at] = /norm$/.test(name) ? 1 + values[at] / 8 : (values[at] * 2) / Math.sqrt(columns);
  }
  return values;
}

/** Each array of the model: what `place(from, to, rows, columns)` makes of it, by its name. */
function placed(place) {
  let at = 0;
  return Object.fromEntries(
    PARAMETERS.map(([name, rows, columns]) => {
      const from = at;
      at += rows * columns;
      return [name, place(from, at, rows, columns)];
    }),
  );
}

/** Root mean square norm, y = gain * x / sqrt(mean of x^2 + 1e-6). */
function norm(x, gain, y) {
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

/**
 * One token's pass, decode(token, position), by `functions`: linear(x, name, y), where name may have a bias, and
 * attend(layer, position), which rotates the query and the key of `arrays.joined`, keeps the key and the value, and writes
 * `arrays.attended`.
 */
const decoder =
  (arrays, dataOf, { linear, attend }) =>
  (token, position) => {
    const { x, normed, joined, attended, up, part, logits } = arrays;
    x.set(dataOf("embedding").subarray(token * WIDTH, (token + 1) * WIDTH));
    for (let layer = 0; layer < LAYERS; ++layer) {
      const name = (of) => `layers.${layer}.${of}`;
      norm(x, dataOf(name("attention_norm")), normed);
      linear(normed, name("query_key_value"), joined);
      attend(layer, position);
      linear(attended, name("attention_output"), part);
      add(part, x);
      norm(x, dataOf(name("mlp_norm")), normed);
      linear(normed, name("up"), up);
      gelu(up);
      linear(up, name("down"), part);
      add(part, x);
    }
    norm(x, dataOf("last_norm"), normed);
    linear(normed, "output", logits);
  };

const SIZES = { x: WIDTH, normed: WIDTH, joined: 3 * WIDTH, attended: WIDTH, up: HIDDEN, part: WIDTH };
const CACHE = HEADS * TOKENS * DIM;

/** Where the query, the key and the value of a token are. */
const parts = (joined) => [0, 1, 2].map((i) => joined.subarray(i * WIDTH, (i + 1) * WIDTH));

function keep(cache, values, position) {
  for (let h = 0; h < HEADS; ++h) cache.set(values.subarray(h * DIM, (h + 1) * DIM), (h * TOKENS + position) * DIM);
}

/** By the library's functions, on its own memory. `made`: the buffers, to be disposed of. */
export function libraryDecoder(pe, values, logits, made = []) {
  const buffer = (size) => {
    made.push(pe.buffer(size));
    return made.at(-1).view;
  };
  const arrays = { ...Object.fromEntries(Object.entries(SIZES).map(([name, size]) => [name, buffer(size)])), logits };
  const tensors = placed((from, to, rows, columns) => ({
    data: values.subarray(from, to),
    shape: rows === 1 ? [columns] : [rows, columns],
  }));
  const [query, key, value] = parts(arrays.joined);
  const rope = pe.rotary({ dim: DIM, layout: "half" });
  const steps = [query, key].map((one) => rope.step(one, { shape: [1, HEADS, DIM], seqAxis: 0 }));
  made.push(...steps.map((step) => ({ dispose: () => step.delete() })), { dispose: () => rope.delete() });
  const shape = [HEADS, TOKENS, DIM];
  const caches = Array.from({ length: LAYERS }, () => ({
    key: { data: buffer(CACHE), shape },
    value: { data: buffer(CACHE), shape },
  }));
  const asked = { data: query, shape: [HEADS, 1, DIM] };
  const output = arrays.attended;
  return decoder(arrays, (name) => tensors[name].data, {
    linear(x, name, y) {
      const [weight, bias] = [tensors[name], tensors[`${name}_bias`]];
      pe.linear({ data: x, shape: [1, x.length] }, weight, { out: y, ...(bias && { bias }) });
    },
    attend(layer, position) {
      for (const step of steps) step.apply(position);
      const cache = caches[layer];
      keep(cache.key.data, key, position);
      keep(cache.value.data, value, position);
      pe.attention({ query: asked, ...cache, cache: { length: position + 1 }, out: { output } });
    },
  });
}

/** By loops. */
function plainDecoder(values, logits) {
  const arrays = Object.fromEntries(Object.entries(SIZES).map(([name, size]) => [name, new Float32Array(size)]));
  arrays.logits = logits;
  const data = placed((from, to) => values.subarray(from, to));
  const [query, key, value] = parts(arrays.joined);
  const { cos, sin } = angleTables(TOKENS, DIM);
  const caches = Array.from({ length: LAYERS }, () => ({
    key: new Float32Array(CACHE),
    value: new Float32Array(CACHE),
  }));
  return decoder(arrays, (name) => data[name], {
    linear(x, name, y) {
      linear({ x, weight: data[name] }, y, 1, x.length, y.length);
      const bias = data[`${name}_bias`];
      if (bias) add(bias, y);
    },
    attend(layer, position) {
      for (const one of [query, key]) rotateHalf(one, cos, sin, position, 1, HEADS, DIM);
      const cache = caches[layer];
      keep(cache.key, key, position);
      keep(cache.value, value, position);
      const sizes = { heads: HEADS, queries: 1, keys: position + 1, capacity: TOKENS, dim: DIM };
      attention({ query, ...cache }, arrays.attended, sizes);
    },
  });
}

/** Tokens of no meaning: every model takes them alike. */
const token = (position) => (position * 29 + 7) % VOCABULARY;

const all = (decode) => () => {
  for (let position = 0; position < TOKENS; ++position) decode(token(position), position);
};

const values = weights();

export const generation = [
  row({
    name: `generation of ${TOKENS} tokens [${LAYERS} layers, ${WIDTH}]`,
    what: "a language model of the lab, token by token, with a cache in buffers",
    inputs: { weights: given(values, SIZE) },
    out: { logits: zeros(Float32Array, VOCABULARY) },
    library: (pe) => {
      let run;
      return ({ weights: { data } }, { logits }) => {
        run ??= all(libraryDecoder(pe, data, logits.data));
        run();
      };
    },
    script: (() => {
      let run;
      return (arrays, { logits }) => {
        run ??= all(plainDecoder(arrays.weights, logits));
        run();
      };
    })(),
    must: 1.5,
    tolerance: 1e-3,
    goals: [{ of: "posenc", measure: "each", values: TOKENS }],
  }),
];
