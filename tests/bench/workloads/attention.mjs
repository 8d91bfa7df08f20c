// Attention of 8 heads: whole, causal, with biases by distance, backward; one query while decoding.

import { numbers, zeros } from "../inputs.mjs";
import { attention, attentionBackward } from "../javascript/attention.mjs";
import { EXACT, row, SCRIPT } from "../row.mjs";
import { loopOn, registersFor } from "../yardsticks.mjs";

const [HEADS, N, DIM] = [8, 512, 64];
const sizes = { heads: HEADS, n: N, queries: N, dim: DIM };
const shape = [HEADS, N, DIM];
const inputs = { query: numbers(...shape), key: numbers(...shape), value: numbers(...shape) };
const out = { output: zeros(Float32Array, ...shape) };
/** Counts the operations of the two products. */
const OPERATIONS = 4 * HEADS * N * N * DIM;

const attend =
  (more = {}) =>
  (pe) =>
  (tensors, { output }) =>
    pe.attention({ ...tensors, ...more, out: { output: output.data } });

const compact = { form: "compact", queries: N, keys: N };
const biased = (make) => (pe) => {
  const bias = make(pe);
  return attend({ bias, biasForm: "compact", biasScaled: false })(pe);
};
const alibi = biased((pe) => pe.alibi({ heads: HEADS, ...compact }));
const t5 = biased((pe) => {
  const table = { data: new Float32Array(32 * HEADS).map((_, i) => Math.sin(i)), shape: [32, HEADS] };
  return pe.t5({ table, bidirectional: true, ...compact });
});

const DOUBLES = "plain loop in doubles";

const doubles = (yardsticks, { query, key, value }) => {
  const arrays = { query, key, value, output: new Float32Array(query.length), row: new Float32Array(2 * N) };
  const { run, result } = loopOn(yardsticks, arrays, (loops, { query: q, key: k, value: v, output, row: sums }) =>
    loops.attentionDoubles(q, k, v, output, sums, HEADS, N, DIM),
  );
  return { [DOUBLES]: { run, results: () => ({ output: result("output") }) } };
};

const backward = row({
  name: `attentionBackward [${shape.join(", ")}]`,
  must: 12,
  inputs: { ...inputs, gradient: numbers(...shape) },
  out: {
    query: zeros(Float32Array, ...shape),
    key: zeros(Float32Array, ...shape),
    value: zeros(Float32Array, ...shape),
  },
  tolerance: 1e-4,
  library:
    (pe) =>
    (tensors, { query, key, value }) =>
      pe.attentionBackward({ ...tensors, out: { query: query.data, key: key.data, value: value.data } }),
  script: (arrays, results) => attentionBackward(arrays, results, sizes),
});

const DECODED = 32;

/** Keys and values of 16 bits in buffers of their own, made of the others at the first call. */
const cached = (dtype, length) => (pe) => {
  const [keys, values] = [pe.buffer(length, { dtype }), pe.buffer(length, { dtype })];
  let isFilled = false;
  return ({ query, key, value }, { output }) => {
    if (!isFilled) {
      pe.convert(key, dtype, { out: keys.view });
      pe.convert(value, dtype, { out: values.view });
    }
    isFilled = true;
    const of = ({ view: data }, { shape }) => ({ data, shape, dtype });
    pe.attention({ query, key: of(keys, key), value: of(values, value), out: { output: output.data } });
  };
};

/** As a cache is read while decoding: `queries` tokens over `held` keys of dimension `width`. */
const decoded = (what, queries, held, width, must) =>
  row({
    name: `attention, ${what} [${DECODED}, ${held}, ${width}]`,
    inputs: {
      query: numbers(DECODED, queries, width),
      key: numbers(DECODED, held, width),
      value: numbers(DECODED, held, width),
    },
    out: { output: zeros(Float32Array, DECODED, queries, width) },
    tolerance: 1e-4,
    library: attend(),
    more: Object.fromEntries(
      ["float16", "bfloat16"].map((dtype) => [`posenc, ${dtype}`, cached(dtype, DECODED * held * width)]),
    ),
    script: (arrays, { output }) => attention(arrays, output, { heads: DECODED, queries, keys: held, dim: width }),
    limit: "reading once",
    values: 2 * DECODED * held * width,
    goals: [
      { of: "posenc", against: "reading once", must },
      { of: "posenc, float16", against: "posenc" },
      { of: "posenc, bfloat16", against: "posenc" },
    ],
  });
const decodings = [
  decoded("one query", 1, 4096, 128, 0.7),
  decoded("one query", 1, 8192, 64, 0.7),
  decoded("four queries", 4, 4096, 128),
];

const CAUSAL = "posenc, causal";
const whole = row({
  name: `attention [${shape.join(", ")}]`,
  must: 15,
  inputs,
  out,
  tolerance: 1e-4,
  library: attend(),
  script: (arrays, { output }) => attention(arrays, output, sizes),
  more: {
    [CAUSAL]: attend({ causal: true }),
    "posenc, ALiBi": alibi,
    "posenc, T5": t5,
    [EXACT]: attend({ precision: "exact" }),
  },
  limit: "multiply-add in registers",
  beside: (yardsticks, arrays) => ({
    ...registersFor(yardsticks, OPERATIONS),
    ...doubles(yardsticks, arrays),
  }),
  goals: [
    { of: "posenc", against: "multiply-add in registers" },
    { of: CAUSAL, against: "posenc", measure: "cost", must: 0.62 },
    { of: "posenc, ALiBi", against: "posenc", measure: "cost", must: 1.15 },
    { of: "posenc, T5", against: "posenc", measure: "cost", must: 1.15 },
    { of: EXACT, against: DOUBLES, must: 4 },
    { of: EXACT, against: SCRIPT },
  ],
});

export const attentions = [whole, backward, ...decodings];
