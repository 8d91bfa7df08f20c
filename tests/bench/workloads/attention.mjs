// Attention of 8 heads: whole, causal, with a bias by distance; one query while decoding.

import { numbers, zeros } from "../inputs.mjs";
import { attention } from "../javascript/attention.mjs";
import { row } from "../row.mjs";
import { readingOnce, registersFor } from "../yardsticks.mjs";

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

const alibi = (pe) => {
  const bias = pe.alibi({ heads: HEADS, form: "compact", queries: N, keys: N });
  return attend({ bias, biasForm: "compact", biasScaled: false })(pe);
};

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

/** As a cache is read while decoding: one token over `held` keys of dimension `width`. */
const decoded = (held, width, dtypes = {}) =>
  row({
    name: `attention, one query [${DECODED}, ${held}, ${width}]`,
    inputs: {
      query: numbers(DECODED, 1, width),
      key: numbers(DECODED, held, width),
      value: numbers(DECODED, held, width),
    },
    out: { output: zeros(Float32Array, DECODED, 1, width) },
    tolerance: 1e-4,
    library: attend(),
    more: Object.fromEntries(
      Object.keys(dtypes).map((dtype) => [`posenc, ${dtype}`, cached(dtype, DECODED * held * width)]),
    ),
    script: (arrays, { output }) => attention(arrays, output, { heads: DECODED, queries: 1, keys: held, dim: width }),
    beside: (yardsticks) => readingOnce(yardsticks, 2 * DECODED * held * width),
    goals: [
      { of: "posenc", against: "reading once", must: 0.7 },
      ...Object.entries(dtypes).map(([dtype, must]) => ({ of: `posenc, ${dtype}`, against: "posenc", must })),
    ],
  });
const decodings = [decoded(4096, 128, { float16: 0.95, bfloat16: 1.2 }), decoded(8192, 64)];

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
  },
  beside: (yardsticks) => registersFor(yardsticks, OPERATIONS),
  goals: [
    { of: "posenc", against: "multiply-add in registers", must: 0.45 },
    { of: CAUSAL, against: "posenc", measure: "cost", must: 0.62 },
    { of: "posenc, ALiBi", against: "posenc", measure: "cost", must: 1.15 },
  ],
});

export const attentions = [whole, ...decodings];
