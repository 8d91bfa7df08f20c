const tokens = 5;
const dims = 4;
const shape = [tokens, dims];
const expected = {
  dim: dims,
  layout: "half",
  base: 1e4,
  rotaryDim: dims,
  exponent: "paper",
  exponentDim: dims,
  scaling: { type: "linear", factor: 2 },
  length: 64,
  firstDim: 0,
  inverse: false,
  others: [{ dim: dims, layout: "half", base: 1e6 }],
  mrope: undefined,
};

const tensor = (inputs, extents, more = {}) => ({
  data: inputs.numbers(extents.reduce((size, extent) => size * extent, 1)),
  shape: [...extents],
  ...more,
});

const config = { model_type: "llama", head_dim: dims, num_hidden_layers: 1, rope_theta: 1e4 };
const segments = [{ text: 2 }, { image: [1, 2, 2] }];

export const others = {
  "diagnose vectors": (pe, inputs) => () =>
    pe.diagnose(
      {
        before: tensor(inputs, shape, { dtype: "float32" }),
        after: tensor(inputs, shape),
        positions: [0, 1, 2, 3, 5],
        seqAxis: 0,
        dimAxis: 1,
      },
      { expected: structuredClone(expected), language: "zh" },
    ),
  // The one whose answer says what to sample next.
  "diagnose zeros": (pe) => () => {
    const zeros = { data: new Float32Array(tokens * dims), shape: [...shape] };
    return pe.diagnose({ before: zeros, after: zeros, positions: [0, 1, 2, 3, 5] });
  },
  // The one whose answer says which tokens, heads and pairs depart, and which axis is the sequence.
  "diagnose a token that was not rotated": (pe) => {
    const plan = { dim: dims, layout: "half", base: 1e4 };
    const before = Float32Array.from({ length: tokens * dims }, (_, i) => Math.sin(i * i + 1));
    const after = pe.rotary(plan).apply(before.slice(), { shape });
    after.set(before.subarray(-dims), before.length - dims);
    const sample = (data) => ({ data: data.slice(), shape: [1, ...shape] });
    return () => {
      const samples = { before: sample(before), after: sample(after), positions: [0, 1, 2, 3, 4], seqAxis: 1 };
      return pe.diagnose(samples, { expected: { ...plan } });
    };
  },
  "diagnose outputs":
    (pe, inputs, model = pe.model(config)) =>
    () =>
      pe.diagnose(
        {
          a: tensor(inputs, shape),
          b: tensor(inputs, shape),
          before: tensor(inputs, shape),
          positions: { data: Int32Array.of(0, 1, 2, 3, 5), shape: [1, 5] },
        },
        { expected: { model, layer: 0, layout: "half", length: 8 } },
      ),
  "diagnose a cache": (pe, inputs) => () =>
    pe.diagnose({ cos: tensor(inputs, shape), sin: tensor(inputs, shape), positions: [0, 1, 2, 3, 5] }),
  "diagnose a cache of both": (pe, inputs) => () => pe.diagnose({ cosSin: tensor(inputs, [tokens, 2, 2]) }),
  "diagnose a table": (pe, inputs) => () =>
    pe.diagnose(
      { table: tensor(inputs, shape), positions: [0, 1, 2, 3, 5] },
      { expected: { type: "sinusoidal", dim: dims, preset: "paper", order: "split", paddingIdx: 1 } },
    ),
  "diagnose frequencies": (pe, inputs) => () => pe.diagnose({ frequencies: inputs.numbers(2) }),
  "diagnose a bias": (pe, inputs) => () =>
    pe.diagnose(
      { bias: tensor(inputs, [2, 2, 3, 3]), firstQuery: 0 },
      {
        expected: {
          type: "alibi",
          slopes: "mpt",
          steepness: 8,
          distance: "linear",
          heads: 4,
          firstHead: 2,
          causal: true,
        },
      },
    ),
  "diagnose ids": (pe) => () =>
    pe.diagnose(
      {
        ids: { data: new Int32Array(9), shape: [3, 3] },
        segments: structuredClone(segments),
        mergeSize: 2,
        tokensPerSecond: 2,
      },
      { expected: { type: "ids", preset: "qwen2-vl" } },
    ),
  fixtures: (pe) => () => pe.fixtures(structuredClone(expected), { language: "zh" }),
  "fixtures of outputs rotated back": (pe) => () => pe.fixtures({ ...structuredClone(expected), inverse: true }),
  mistakes: (pe) => () => pe.mistakes({ language: "zh" }),
};
