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
/** Of the two products. */
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

const [DECODED, WIDTH, HELD] = [32, 128, 4096];
const decoded = row({
  name: `attention, one query [${DECODED}, ${HELD}, ${WIDTH}]`,
  what: "keys and values in buffers",
  inputs: {
    query: numbers(DECODED, 1, WIDTH),
    key: numbers(DECODED, HELD, WIDTH),
    value: numbers(DECODED, HELD, WIDTH),
  },
  out: { output: zeros(Float32Array, DECODED, 1, WIDTH) },
  tolerance: 1e-4,
  library: attend(),
  script: (arrays, { output }) => attention(arrays, output, { heads: DECODED, queries: 1, keys: HELD, dim: WIDTH }),
  limits: ["reading once"],
  values: 2 * DECODED * HELD * WIDTH,
  goals: [{ of: "posenc", against: "reading once", must: 0.6 }],
});

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

export const attentions = [whole, backward, decoded];
