const shape = { queries: 3, keys: 5 };
const perceptron = (inputs, size) => ({
  weight1: inputs.tensor(4, size),
  bias1: inputs.tensor(4),
  weight2: inputs.tensor(2, 4),
});

/** Biases that depend on the relative position. */
export const biases = {
  alibi: (pe) => (more) => pe.alibi({ ...shape, heads: 3, ...more }),
  fire: (pe, inputs) => (more) => pe.fire({ ...shape, perceptron: perceptron(inputs, 1), ...more }),
  kerple: (pe, inputs) => (more) =>
    pe.kerple({ ...shape, kernel: "logarithmic", r1: inputs.numbers(2), r2: inputs.numbers(2), ...more }),
  sandwich: (pe) => (more) => pe.sandwich({ ...shape, heads: 2, dim: 8, ...more }),
  t5: (pe, inputs) => (more) =>
    pe.t5({ ...shape, buckets: 8, bidirectional: true, table: inputs.tensor(8, 3), ...more }),
};

export const makers = {
  ...biases,
  positionMap: (pe) => (more) => {
    const { regions, ...arrays } = pe.positionMap({ ...shape, type: "self-extend", window: 2, group: 2, ...more });
    return arrays;
  },
  relativeOffsets: (pe) => (more) => pe.relativeOffsets({ ...shape, ...more }),
  "relativeOffsets compact": (pe) => (more) => pe.relativeOffsets({ ...shape, form: "compact", ...more }),
  relativeSinusoidal: (pe) => (more) => pe.relativeSinusoidal({ ...shape, dim: 4, ...more }),
  "relativeSinusoidal compact": (pe) => (more) => pe.relativeSinusoidal({ ...shape, dim: 4, form: "compact", ...more }),
  relativeExpand: (pe, inputs) => (more) => pe.relativeExpand(inputs.tensor(2, 7), { ...shape, ...more }),
  relativeExpandIds: (pe, inputs) => (more) => pe.relativeExpandIds(inputs.ids(9, 7), { ...shape, ...more }),
  "alibi compact": (pe) => (more) => pe.alibi({ ...shape, heads: 3, form: "compact", future: "mask", ...more }),
  alibiSlopes: (pe) => (more) => pe.alibiSlopes({ heads: 3, ...more }),
  cope: (pe, inputs) => (more) =>
    pe.cope({
      query: inputs.tensor(2, 3, 4),
      logits: inputs.tensor(2, 3, 5),
      embedding: inputs.tensor(6, 4),
      ...more,
    }),
  shawIds: (pe) => (more) => pe.shawIds({ ...shape, maxDistance: 2, ...more }),
  shawAttention: (pe, inputs) => (more) =>
    pe.shawAttention({
      ...inputs.attention(),
      maxDistance: 2,
      keyTable: inputs.tensor(5, 4),
      valueTable: inputs.tensor(5, 6),
      ...more,
    }),
  shawBackward: (pe, inputs) => (more) =>
    pe.shawBackward({
      ...inputs.attention(),
      maxDistance: 2,
      keyTable: inputs.tensor(5, 4),
      valueTable: inputs.tensor(5, 6),
      gradient: inputs.tensor(2, 3, 6),
      ...more,
    }),
  swinIndex: (pe) => (more) => pe.swinIndex({ height: 2, width: 2, ...more }),
  swinBias: (pe, inputs) => (more) => pe.swinBias({ height: 2, width: 2, table: inputs.tensor(9, 2), ...more }),
  swinLogCoordinates: (pe) => (more) => pe.swinLogCoordinates({ height: 2, width: 2, ...more }),
  swinLogCpb: (pe, inputs) => (more) =>
    pe.swinLogCpb({ height: 2, width: 2, perceptron: perceptron(inputs, 2), ...more }),
  t5Buckets: (pe) => (more) => pe.t5Buckets({ ...shape, bidirectional: false, ...more }),
  transformerXl: (pe, inputs) => (more) =>
    pe.transformerXl({
      ...inputs.attention(),
      relative: inputs.tensor(2, 7, 4),
      contentBias: inputs.tensor(2, 4),
      positionBias: inputs.tensor(2, 4),
      ...more,
    }),
  relativeShift: (pe, inputs) => (more) => pe.relativeShift(inputs.tensor(3, 7), more),
};

export const refusals = {
  alibi: (pe) => (more) => pe.alibi({ ...shape, heads: 3, steepness: -1, ...more }),
  relativeSinusoidal: (pe) => (more) => pe.relativeSinusoidal({ ...shape, dim: 4, base: -1, ...more }),
  fire: (pe, inputs) => (more) => pe.fire({ ...shape, perceptron: perceptron(inputs, 1), threshold: -1, ...more }),
};
