// Every function of the API that makes arrays, called with inputs of its own: what out.test.mjs goes through.

/** Inputs in one piece of memory, so that an array can be made that overlaps any of them. */
export class Inputs {
  pool = new ArrayBuffer(1 << 13);
  arrays = [];
  #end = 0;

  /** For the next call. */
  again() {
    this.arrays = [];
    this.#end = 0;
    return this;
  }

  #place(Kind, size) {
    const array = new Kind(this.pool, this.#end, size);
    this.#end += 8 * Math.ceil((size * Kind.BYTES_PER_ELEMENT) / 8);
    this.arrays.push(array);
    return array;
  }

  numbers(size) {
    const array = this.#place(Float32Array, size);
    for (let i = 0; i < size; ++i) array[i] = Math.sin(i + 1) + 1.01;
    return array;
  }

  tensor(...shape) {
    return { data: this.numbers(shape.reduce((all, extent) => all * extent, 1)), shape };
  }

  ids(below, ...shape) {
    const data = this.#place(
      Int32Array,
      shape.reduce((all, extent) => all * extent, 1),
    );
    for (let i = 0; i < data.length; ++i) data[i] = (5 * i) % below;
    return { data, shape };
  }

  halves(...shape) {
    const data = this.#place(
      Uint16Array,
      shape.reduce((all, extent) => all * extent, 1),
    );
    return { data: data.fill(0x3c00), shape, dtype: "float16" };
  }
}

const attention = (inputs) => ({
  query: inputs.tensor(2, 3, 4),
  key: inputs.tensor(2, 5, 4),
  value: inputs.tensor(2, 5, 6),
});
const perceptron = (inputs, size) => ({
  weight1: inputs.tensor(4, size),
  bias1: inputs.tensor(4),
  weight2: inputs.tensor(2, 4),
});
const layer = (inputs, out, width) => ({ weight: inputs.tensor(out, width), bias: inputs.tensor(out) });
const multiHead = (inputs) => ({
  query: inputs.tensor(3, 4),
  key: inputs.tensor(5, 4),
  value: inputs.tensor(5, 4),
  heads: 2,
  layers: {
    query: layer(inputs, 6, 4),
    key: layer(inputs, 6, 4),
    value: layer(inputs, 6, 4),
    out: layer(inputs, 5, 6),
  },
  bias: inputs.tensor(3, 5),
  biasScaled: false,
});
const shape = { queries: 3, keys: 5 };
const halfRotary = (pe) => pe.rotary({ dim: 4, layout: "half" });

/** Objects whose methods are part of the API. */
export const objects = {
  rotary: halfRotary,
  xpos: (pe) => pe.xpos({ dim: 4, layout: "half", centre: 2 }),
  rotaryGrid: (pe) => pe.rotaryGrid({ preset: "rope-vit", dim: 8 }),
  rotaryMixed: (pe) => pe.rotaryMixed({ dim: 4, layout: "half", heads: 2, frequencies: [1, 2, 3, 4, 5, 6, 7, 8] }),
  mrope: (pe) => pe.mrope({ dim: 8, layout: "half", sections: [2, 1, 1], order: "chunked" }),
  positionalEncoding: (pe) => pe.positionalEncoding({ dModel: 4, maxLen: 5 }),
};

/** By name: given the library and inputs, a function of further options, `out` among them. */
export const basicMakers = {
  sinusoidal: (pe, inputs) => (more) => pe.sinusoidal({ positions: inputs.numbers(3), dim: 6, ...more }),
  frequencies: (pe) => (more) => pe.frequencies({ dim: 6, ...more }),
  "rotary.cache":
    (pe, inputs, rope = halfRotary(pe)) =>
    (more) =>
      rope.cache({ positions: inputs.numbers(3), ...more }),
  add: (pe, inputs) => (more) => pe.add(inputs.tensor(2, 3, 4), inputs.tensor(5, 4), more),
  linear: (pe, inputs) => (more) => pe.linear(inputs.tensor(3, 4), inputs.tensor(5, 4), more),
  attention: (pe, inputs) => (more) => pe.attention({ ...attention(inputs), ...more }),
};

export const makers = {
  ...basicMakers,
  "linear with a bias": (pe, inputs) => (more) =>
    pe.linear(inputs.tensor(3, 4), inputs.tensor(5, 4), { bias: inputs.tensor(5), ...more }),
  "sinusoidal bfloat16": (pe, inputs) => (more) =>
    pe.sinusoidal({ positions: inputs.numbers(3), dim: 6, dtype: "bfloat16", ...more }),
  "sinusoidal float16": (pe) => (more) => pe.sinusoidal({ length: 3, dim: 6, dtype: "float16", ...more }),
  "rotary.cache bfloat16":
    (pe, _, rope = halfRotary(pe)) =>
    (more) =>
      rope.cache({ length: 3, dtype: "bfloat16", ...more }),
  addBackward: (pe, inputs) => (more) => pe.addBackward(inputs.tensor(2, 3, 4), { rows: 5, ...more }),
  attentionBackward: (pe, inputs) => (more) =>
    pe.attentionBackward({
      ...attention(inputs),
      bias: inputs.tensor(2, 3, 5),
      biasScaled: false,
      weights: inputs.tensor(2, 3, 5),
      gradient: inputs.tensor(2, 3, 6),
      ...more,
    }),
  multiHeadAttention: (pe, inputs) => (more) => pe.multiHeadAttention({ ...multiHead(inputs), ...more }),
  multiHeadBackward: (pe, inputs) => (more) => {
    const options = multiHead(inputs);
    const saved = {
      query: inputs.tensor(2, 3, 3),
      key: inputs.tensor(2, 5, 3),
      value: inputs.tensor(2, 5, 3),
      weights: inputs.tensor(2, 3, 5),
      context: inputs.tensor(3, 6),
    };
    return pe.multiHeadBackward({ ...options, saved, gradient: inputs.tensor(3, 5), ...more });
  },
  splitHeads: (pe, inputs) => (more) => pe.splitHeads(inputs.tensor(3, 4), { heads: 2, ...more }),
  mergeHeads: (pe, inputs) => (more) => pe.mergeHeads(inputs.tensor(2, 3, 4), more),
  linearBackward: (pe, inputs) => (more) =>
    pe.linearBackward({
      x: inputs.tensor(3, 4),
      weight: inputs.tensor(5, 4),
      gradient: inputs.tensor(3, 5),
      ...more,
    }),
  softmax: (pe, inputs) => (more) => pe.softmax(inputs.tensor(3, 4), more),
  softmaxBackward: (pe, inputs) => (more) =>
    pe.softmaxBackward({ weights: inputs.tensor(3, 4), gradient: inputs.tensor(3, 4), ...more }),
  dropout: (pe, inputs) => (more) => pe.dropout(inputs.tensor(3, 4), { p: 0.5, seed: 7, ...more }),
  tableBias: (pe, inputs) => (more) => pe.tableBias({ ids: inputs.ids(7, 3, 5), table: inputs.tensor(7, 2), ...more }),
  tableBiasBackward: (pe, inputs) => (more) =>
    pe.tableBiasBackward({ ids: inputs.ids(7, 3, 5), gradient: inputs.tensor(2, 3, 5), rows: 7, ...more }),
  "positionalEncoding.forward": (pe, inputs) => {
    const encoding = pe.positionalEncoding({ dModel: 4, maxLen: 5 });
    return (more) => encoding.forward(inputs.tensor(2, 3, 4), { training: true, seed: 3, ...more });
  },
  relativeOffsets: (pe) => (more) => pe.relativeOffsets({ ...shape, ...more }),
  "relativeOffsets compact": (pe) => (more) => pe.relativeOffsets({ ...shape, form: "compact", ...more }),
  relativeSinusoidal: (pe) => (more) => pe.relativeSinusoidal({ ...shape, dim: 4, ...more }),
  "relativeSinusoidal compact": (pe) => (more) => pe.relativeSinusoidal({ ...shape, dim: 4, form: "compact", ...more }),
  relativeExpand: (pe, inputs) => (more) => pe.relativeExpand(inputs.tensor(2, 7), { ...shape, ...more }),
  relativeExpandIds: (pe, inputs) => (more) => pe.relativeExpandIds(inputs.ids(9, 7), { ...shape, ...more }),
  alibi: (pe) => (more) => pe.alibi({ ...shape, heads: 3, ...more }),
  "alibi compact": (pe) => (more) => pe.alibi({ ...shape, heads: 3, form: "compact", future: "mask", ...more }),
  alibiSlopes: (pe) => (more) => pe.alibiSlopes({ heads: 3, ...more }),
  cope: (pe, inputs) => (more) =>
    pe.cope({
      query: inputs.tensor(2, 3, 4),
      logits: inputs.tensor(2, 3, 5),
      embedding: inputs.tensor(6, 4),
      ...more,
    }),
  fire: (pe, inputs) => (more) => pe.fire({ ...shape, perceptron: perceptron(inputs, 1), ...more }),
  kerple: (pe, inputs) => (more) =>
    pe.kerple({ ...shape, kernel: "logarithmic", r1: inputs.numbers(2), r2: inputs.numbers(2), ...more }),
  sandwich: (pe) => (more) => pe.sandwich({ ...shape, heads: 2, dim: 8, ...more }),
  shawIds: (pe) => (more) => pe.shawIds({ ...shape, maxDistance: 2, ...more }),
  shawAttention: (pe, inputs) => (more) =>
    pe.shawAttention({
      ...attention(inputs),
      maxDistance: 2,
      keyTable: inputs.tensor(5, 4),
      valueTable: inputs.tensor(5, 6),
      ...more,
    }),
  shawBackward: (pe, inputs) => (more) =>
    pe.shawBackward({
      ...attention(inputs),
      maxDistance: 2,
      keyTable: inputs.tensor(5, 4),
      valueTable: inputs.tensor(5, 6),
      weights: inputs.tensor(2, 3, 5),
      gradient: inputs.tensor(2, 3, 6),
      ...more,
    }),
  swinIndex: (pe) => (more) => pe.swinIndex({ height: 2, width: 2, ...more }),
  swinBias: (pe, inputs) => (more) => pe.swinBias({ height: 2, width: 2, table: inputs.tensor(9, 2), ...more }),
  swinLogCoordinates: (pe) => (more) => pe.swinLogCoordinates({ height: 2, width: 2, ...more }),
  swinLogCpb: (pe, inputs) => (more) =>
    pe.swinLogCpb({ height: 2, width: 2, perceptron: perceptron(inputs, 2), ...more }),
  t5: (pe, inputs) => (more) =>
    pe.t5({ ...shape, buckets: 8, bidirectional: true, table: inputs.tensor(8, 3), ...more }),
  t5Buckets: (pe) => (more) => pe.t5Buckets({ ...shape, bidirectional: false, ...more }),
  transformerXl: (pe, inputs) => (more) =>
    pe.transformerXl({
      ...attention(inputs),
      relative: inputs.tensor(2, 7, 4),
      contentBias: inputs.tensor(2, 4),
      positionBias: inputs.tensor(2, 4),
      ...more,
    }),
  relativeShift: (pe, inputs) => (more) => pe.relativeShift(inputs.tensor(3, 7), more),
  learnedTable: (pe) => (more) => pe.learnedTable({ length: 3, dim: 4, seed: 1, ...more }),
  lookupRows: (pe, inputs) => (more) => pe.lookupRows(inputs.tensor(7, 4), { ids: inputs.ids(7, 2, 3), ...more }),
  addRows: (pe, inputs) => (more) =>
    pe.addRows(inputs.tensor(2, 3, 4), inputs.tensor(7, 4), { ids: inputs.ids(7, 2, 3), ...more }),
  rowsGradient: (pe, inputs) => (more) =>
    pe.rowsGradient(inputs.tensor(2, 3, 4), { ids: inputs.ids(7, 3), rows: 7, ...more }),
  paddedPositions: (pe, inputs) => (more) => pe.paddedPositions(inputs.ids(2, 2, 3), { paddingIdx: 1, ...more }),
  resizeTable: (pe, inputs) => (more) => pe.resizeTable(inputs.tensor(4, 3), { length: 6, ...more }),
  resizeGrid: (pe, inputs) => (more) => pe.resizeGrid(inputs.tensor(6, 3), { from: [2, 3], to: [3, 4], ...more }),
  reformerAxial: (pe, inputs) => (more) =>
    pe.reformerAxial({ tables: [inputs.tensor(2, 3), inputs.tensor(4, 5)], ...more }),
  reformerAxialGradient: (pe, inputs) => (more) =>
    pe.reformerAxialGradient(inputs.tensor(8, 7), { shape: [2, 4], dims: [2, 5], ...more }),
  rotaryCache:
    (pe, inputs, rotary = halfRotary(pe)) =>
    (more) =>
      pe.rotaryCache({ rotary, form: "huggingface", positions: inputs.numbers(3), ...more }),
  "rotaryCache ggml":
    (pe, _, rotary = halfRotary(pe)) =>
    (more) =>
      pe.rotaryCache({ rotary, form: "ggml", length: 3, ...more }),
  "rotaryCache float16":
    (pe, _, rotary = halfRotary(pe)) =>
    (more) =>
      pe.rotaryCache({ rotary, form: "onnx", length: 3, dtype: "float16", ...more }),
  rotaryMatrix:
    (pe, _, rotary = halfRotary(pe)) =>
    (more) =>
      pe.rotaryMatrix({ rotary, position: 3, ...more }),
  convertLayout: (pe, inputs) => (more) =>
    pe.convertLayout(inputs.tensor(3, 8), { dim: 4, from: "interleaved", to: "half", axis: -1, ...more }),
  packedPositions: (pe) => (more) => pe.packedPositions([0, 3, 5], more),
  maskPositions: (pe) => (more) => pe.maskPositions({ data: [0, 1, 1], shape: [3] }, more),
  linearAttention:
    (pe, inputs, rotary = halfRotary(pe)) =>
    (more) =>
      pe.linearAttention({ ...attention(inputs), rotary, ...more }),
  "xpos.scales":
    (pe, inputs, xpos = objects.xpos(pe)) =>
    (more) =>
      xpos.scales({ positions: inputs.numbers(3), ...more }),
  sinusoidalGrid: (pe) => (more) => pe.sinusoidalGrid({ shape: [2, 3], dim: 8, preset: "mae", ...more }),
  "sinusoidalGrid bfloat16": (pe) => (more) =>
    pe.sinusoidalGrid({ shape: [2, 3], dim: 8, preset: "mae", dtype: "bfloat16", ...more }),
  convert: (pe, inputs) => (more) => pe.convert(inputs.halves(3, 4), "float32", more),
  "convert to bfloat16": (pe, inputs) => (more) => pe.convert(inputs.tensor(3, 4), "bfloat16", more),
  "convert nothing": (pe, inputs) => (more) => pe.convert(inputs.tensor(3, 4), "float32", more),
  shiftMatrix: (pe) => (more) => pe.shiftMatrix({ dim: 4, by: 3, ...more }),
  shift: (pe, inputs) => (more) => pe.shift(inputs.tensor(3, 4), { dim: 4, by: 3, ...more }),
  fourier: (pe, inputs) => (more) =>
    pe.fourier({ points: inputs.numbers(3), weights: inputs.numbers(4), preset: "rff", ...more }),
  nerf: (pe, inputs) => (more) => pe.nerf({ points: inputs.numbers(3), levels: 4, ...more }),
  "rotaryGrid.cache":
    (pe, inputs, rope = objects.rotaryGrid(pe)) =>
    (more) =>
      rope.cache({ points: inputs.numbers(6), ...more }),
  "rotaryGrid.points":
    (pe, _, rope = objects.rotaryGrid(pe)) =>
    (more) =>
      rope.points([2, 3], more),
  "rotaryMixed.cache":
    (pe, _, rope = objects.rotaryMixed(pe)) =>
    (more) =>
      rope.cache({ grid: [2, 3], row: "lanes", ...more }),
  "rotaryMixed.points":
    (pe, _, rope = objects.rotaryMixed(pe)) =>
    (more) =>
      rope.points([2, 3], more),
  mixedFrequencies: (pe) => (more) => pe.mixedFrequencies({ dim: 4, heads: 2, seed: 1, ...more }),
  "mrope.cache":
    (pe, inputs, rope = objects.mrope(pe)) =>
    (more) =>
      rope.cache({ positions: inputs.ids(9, 3, 4), ...more }),
  mropePositions: (pe) => (more) => {
    const made = pe.mropePositions({ preset: "qwen2-vl", segments: [{ text: 2 }, { image: [1, 4, 4] }], ...more });
    return made.positions;
  },
};

/** Functions whose result is no array, or the caller's own changed in place; `delete` and the like. */
export const makesNoArray = {
  posenc: [
    "adamStep",
    "buffer",
    "hubConfig",
    "rotateAgain",
    "rotateWithCache",
    "sgdStep",
    "shiftRotated",
    // What these make has methods; those that make arrays are in the list above. The table of positionalEncoding is
    // made once.
    "mrope",
    "positionalEncoding",
    "rotary",
    "rotaryGrid",
    "rotaryMixed",
    "xpos",
  ],
  methods: ["apply", "step", "constructor", "delete", "dispose", "rotate", "cosinesAndSines", "lendCells"],
};

/** Calls that the core refuses after all memory has been borrowed. */
export const refusals = {
  sinusoidal: (pe) => (more) => pe.sinusoidal({ length: 3, dim: 6, base: -1, ...more }),
  "rotary.cache":
    (pe, _, rope = halfRotary(pe)) =>
    (more) =>
      rope.cache({ positions: [1, Number.NaN, 2], ...more }),
  add: (pe, inputs) => (more) => pe.add(inputs.tensor(2, 3, 4), inputs.tensor(2, 4), more),
  attention: (pe, inputs) => (more) => pe.attention({ ...attention(inputs), scale: Number.NaN, ...more }),
  softmax: (pe) => (more) =>
    pe.softmax({ data: Float32Array.from({ length: 12 }, () => Number.NaN), shape: [3, 4] }, more),
  dropout: (pe, inputs) => (more) => pe.dropout(inputs.tensor(3, 4), { p: 2, seed: 7, ...more }),
  "positionalEncoding.forward": (pe, inputs) => {
    const encoding = pe.positionalEncoding({ dModel: 4, maxLen: 2 });
    return (more) => encoding.forward(inputs.tensor(2, 3, 4), { training: false, ...more });
  },
  alibi: (pe) => (more) => pe.alibi({ ...shape, heads: 3, steepness: -1, ...more }),
  relativeSinusoidal: (pe) => (more) => pe.relativeSinusoidal({ ...shape, dim: 4, base: -1, ...more }),
  fire: (pe, inputs) => (more) => pe.fire({ ...shape, perceptron: perceptron(inputs, 1), threshold: -1, ...more }),
  shift: (pe, inputs) => (more) => pe.shift(inputs.tensor(3, 4), { dim: 4, by: Number.NaN, ...more }),
  lookupRows: (pe, inputs) => (more) => pe.lookupRows(inputs.tensor(4, 4), { ids: [0, 1, 2, 3, 9, 1], ...more }),
  addRows: (pe, inputs) => (more) => pe.addRows(inputs.tensor(2, 3, 4), inputs.tensor(2, 4), more),
  tableBias: (pe, inputs) => (more) => pe.tableBias({ ids: inputs.ids(7, 3, 5), table: inputs.tensor(5, 2), ...more }),
  paddedPositions: (pe, inputs) => (more) =>
    pe.paddedPositions(inputs.ids(2, 2, 3), { paddingIdx: 1, past: 2 ** 40, ...more }),
  mropePositions: (pe) => (more) =>
    pe.mropePositions({
      preset: "qwen2-vl",
      segments: [{ text: 2 }, { image: [1, 4, 4] }],
      paddingPosition: 2 ** 40,
      ...more,
    }),
  "sinusoidal bfloat16": (pe) => (more) =>
    pe.sinusoidal({ positions: [1, 2, Number.NaN], dim: 6, dtype: "bfloat16", ...more }),
};
