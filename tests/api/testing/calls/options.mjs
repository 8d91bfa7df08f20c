// Options of the calls in this folder, each with a value that is not what the call has without it: the answer is another,
// or an error that shows the value, as of words that choose between what has the same numbers.

import { tensor as ofShape, product } from "../reference.mjs";

/** Options in place of one: those that it needs beside it, or a part of a group. */
class Together {
  constructor(options) {
    this.options = options;
  }
}

const also = (options) => new Together(options);

/** Entries as pairs: the name, and the options that it adds to a call. */
export const variantsOf = (entries) =>
  Object.entries(entries).map(([name, value]) => [name, value instanceof Together ? value.options : { [name]: value }]);

/** An entry for each of the words that an option may be, as one text. */
const each = (option, words, more = {}) =>
  Object.fromEntries(words.split(" ").map((word) => [`${option} ${word}`, also({ ...more, [option]: word })]));

export const tensor = (...shape) => ofShape(shape);
export const flags = (...shape) => ({ data: Array.from({ length: product(shape) }, (_, i) => i % 3 !== 1), shape });

const shifted = also({ exponent: "half", shift: 0.5 });
const orders = each("order", "split cosines-first");
const waves = { base: 500, exponent: "double-stepped", shift: shifted, scale: 2, ...orders, preset: "ggml" };
const sinusoid = { ...waves, amplitude: 3 };
const sinusoids = each("preset", "tensor2tensor whisper diffusers ggml mlx", { dim: 8 });

const places = {
  length: also({ length: 2, positions: undefined }),
  offset: also({ length: 3, offset: 2, positions: undefined }),
  positions: also({ length: undefined, positions: [4, 1.5, -2] }),
};

/** For x of the shape [2, 3, 4]. */
const axes = {
  shape: [3, 2, 4],
  seqAxis: also({ shape: [3, 2, 4], seqAxis: 1 }),
  dimAxis: also({ shape: [4, 2, 3], seqAxis: 1, dimAxis: 0 }),
};
const lists = { data: [5, 0, 2, 9, 7, 4], shape: [2, 3] };
const tokens = {
  ...axes,
  batchAxis: also({ batchAxis: 0, seqAxis: 1, offset: undefined, positions: lists }),
  offset: 5,
  positions: also({ seqAxis: 0, offset: undefined, positions: [3, -1] }),
};

/** Of heads with four pairs. */
const yarn = { type: "yarn", factor: 4, originalLength: 1024 };
const factors = { shortFactor: [1, 2, 3, 4], longFactor: [5, 6, 7, 8] };
const longrope = { type: "longrope", factor: 2, originalLength: 64, ...factors };
const scalings = {
  linear: { type: "linear", factor: 4 },
  ntk: { type: "ntk", factor: 4 },
  dynamic: also({ length: 90, scaling: { type: "dynamic", factor: 2, originalLength: 50 } }),
  yarn,
  betaFast: { ...yarn, betaFast: 4 },
  betaSlow: { ...yarn, betaSlow: 0.1 },
  truncate: { ...yarn, truncate: false },
  mscale: { ...yarn, mscale: 2, mscaleAllDim: 0.5 },
  attentionFactor: { ...yarn, attentionFactor: 1.5 },
  short: also({ length: 50, scaling: longrope }),
  long: also({ length: 100, scaling: longrope }),
  llama3: { type: "llama3", factor: 8, originalLength: 64, lowFrequencyFactor: 2, highFrequencyFactor: 8 },
  proportional: { type: "proportional", fraction: 0.5 },
  given: { type: "given", frequencies: [3, -2, 0.5, 0.25], attentionFactor: 2 },
};
const rules = Object.fromEntries(
  Object.entries(scalings).map(([name, rule]) => [
    `scaling ${name}`,
    rule instanceof Together ? rule : also({ scaling: rule }),
  ]),
);
const scaled = { scaling: scalings.yarn, length: scalings.dynamic };
const frequencies = { dim: 6, base: 500, exponentDim: 16, exponent: "double-stepped" };
const rotary = { ...frequencies, layout: "interleaved", rotaryDim: 4 };

/** For two heads of three queries and five keys. */
const terms = {
  scale: 2,
  bias: also({ bias: tensor(2, 3, 5), biasScaled: true }),
  biasForm: also({ bias: tensor(2, 7), biasForm: "compact", biasScaled: false }),
  biasScaled: also({ bias: tensor(2, 3, 5), biasScaled: false }),
  mask: flags(3, 5),
  keyMask: flags(5),
  maskMeaning: also({ mask: flags(3, 5), maskMeaning: "ignore" }),
  causal: true,
  queryOffset: also({ causal: true, queryOffset: 2 }),
  alibi: true,
  window: 1,
  dropout: { p: 0.5, seed: 3 },
  "dropout.seed": also({ dropout: { p: 0.5, seed: 2 ** 40 + 5 } }),
  "dropout.offset": also({ dropout: { p: 0.5, seed: 3, offset: 2 ** 33 } }),
  precision: "exact",
};
const layer = (out, width, seed = 1) => ({ weight: ofShape([out, width], seed), bias: ofShape([out], seed + 1) });
const layers = { query: layer(6, 4, 2), key: layer(6, 4, 3), value: { weight: tensor(6, 4) }, out: layer(5, 6) };
const multiHead = { ...terms, heads: also({ heads: 3, bias: undefined, biasScaled: undefined }), layers };

const pairs = { queries: 4, keys: 2, queryOffset: 2 };
const expanded = { queries: also({ queries: 4, keys: 4 }), keys: also({ queries: 2, keys: 6 }) };
const formed = { ...pairs, form: "compact" };
const biased = { ...formed, future: "mask" };
const perceptron = (size) => ({
  perceptron: { weight1: tensor(6, size), bias1: tensor(6), weight2: tensor(3, 6), bias2: tensor(3) },
});
const related = { scale: 2, queryOffset: also({ queryOffset: 1, future: "mask" }), future: "mask", precision: "exact" };
const shaw = {
  ...related,
  maxDistance: also({ maxDistance: 1, keyTable: tensor(3, 4), valueTable: tensor(3, 6) }),
  keyTable: tensor(5, 4),
  valueTable: undefined,
};
const buckets = { buckets: also({ buckets: 4, table: tensor(4, 3) }), maxDistance: 5, bidirectional: false };

/** Rows for all tokens of an axis, where a call has ids. */
const all = { ids: undefined, seqAxis: 1 };

const windows = { height: 3, width: 3, pretrainedHeight: 4, pretrainedWidth: 4 };
const doubled = { data: Float32Array.of(1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6), shape: [3, 4] };

/** What a preset says itself. */
const own = { dim: 48, layout: undefined, axes: undefined };
const shapes = "qwen2-vl pixtral dinov3 llama4 timm timm-pixel rope-vit croco wan cogvideox";
const ofTorch = "rotary-embedding-torch rotary-embedding-torch-pixel";
const models = "qwen2.5-vl qwen3-vl glm4v qwen2.5-omni qwen3-omni ernie4.5-vl bailing hunyuan-vl";
const video = { preset: "qwen2.5-vl", segments: [{ video: [3, 4, 4], secondsPerGrid: 0.7 }] };

const grid = (shape) => ({
  grid: also({ grid: shape, points: undefined }),
  points: also({ grid: undefined, points: Array.from({ length: 2 * product(shape) }, (_, i) => i / 3) }),
});

/** What makes objects, by what their methods give. */
const objects = {
  "rotary of options": (pe) => (more) => {
    const made = pe.rotary({ dim: 8, layout: "half", ...more });
    return [made.cache({ length: 3 }), made.apply(tensor(2, made.dim), {}), { ...made }];
  },
  "xpos of options": (pe) => (more) => {
    const made = pe.xpos({ dim: 8, layout: "half", centre: 2, ...more });
    return [made.scales({ length: 3 }), made.apply(tensor(2, made.dim), { side: "key" })];
  },
  "rotaryGrid of options": (pe) => (more) => {
    const made = pe.rotaryGrid({ preset: "axial", dim: 8, layout: "half", axes: 2, ...more });
    const shape = [2, 2, 4].slice(-made.axes);
    return [made.cache({ grid: shape }), made.cache({ grid: shape, row: "dims" }), made.points(shape), { ...made }];
  },
  "rotaryMixed of options": (pe) => (more) => {
    const given = { dim: 8, layout: "half", heads: 3, frequencies: Float64Array.from({ length: 24 }, (_, i) => i) };
    const made = pe.rotaryMixed({ ...given, ...more });
    const shape = [2, 2, 2].slice(-made.axes);
    return [made.cache({ grid: shape }), made.cache({ grid: shape, row: "dims" }), { ...made }];
  },
  "mrope of options": (pe) => (more) => {
    const made = pe.mrope({ dim: 8, layout: "half", sections: [2, 1, 1], order: "chunked", ...more });
    const positions = Array.from({ length: 12 }, (_, i) => i);
    return [made.cache({ positions }), made.cache({ positions, row: "dims" }), { ...made }];
  },
  "positionalEncoding of options": (pe) => (more) => {
    const { table, forward } = pe.positionalEncoding({ dModel: 4, ...more });
    return [table, forward(tensor(6, table.shape[1]), { training: true, seed: 3 })];
  },
  "rotary.step of options": (pe) => (more) => {
    const buffer = pe.buffer(24);
    buffer.view.set(tensor(24).data);
    const made = pe.rotary({ dim: 4, layout: "half", rotaryDim: 2 });
    made.step(buffer, { shape: [2, 3, 4], seqAxis: 0, ...more }).apply(5);
    return buffer.view.slice();
  },
};

export const ofObjects = {
  ...objects,
  "rotary of rules": objects["rotary of options"],
  "rotaryGrid of presets": objects["rotaryGrid of options"],
};

export const options = {
  sinusoidal: {
    ...sinusoid,
    ...sinusoids,
    ...places,
    dim: 7,
    precision: also({ length: 100, positions: undefined, dim: 64, offset: 1000, precision: "fast" }),
    dtype: "bfloat16",
    paddingIdx: also({ length: 3, positions: undefined, paddingIdx: 1 }),
  },
  sinusoidalPlan: { ...sinusoid, preset: "paper", dim: 10, scale: 3 },
  shiftMatrix: { ...waves, amplitude: Number.POSITIVE_INFINITY, dim: 6, by: -2.5 },
  shift: { ...waves, amplitude: Number.POSITIVE_INFINITY, by: -2.5 },
  fourier: {
    inputs: also({ inputs: 3, weights: Array(6).fill(1) }),
    weights: [1, 2],
    ...each("unit", "half-cycles radians"),
    preset: "diffusers",
    order: "split",
    logarithmic: also({ points: [1, 2, 3], logarithmic: true }),
  },
  nerf: { inputs: 3, levels: 2, preset: "code", unit: "radians" },

  frequencies: { ...frequencies, dim: 8, scale: 2, shift: shifted, ...scaled },
  maskPositions: { padding: 5 },

  "rotary of options": { ...rotary, ...each("layout", "deinterleaved"), ...scaled, precision: "float32" },
  "rotary of rules": rules,
  "rotary.cache": { ...places, dtype: "bfloat16" },
  rotaryCache: { ...places, ...each("form", "onnx huggingface-interleaved ggml"), dtype: "float16" },
  rotaryMatrix: { position: -1.5, inverse: true },
  fope: {
    ...places,
    dim: 8,
    base: also({ base: 500, cosines: tensor(1, 2, 2), sines: tensor(1, 2, 2) }),
    cosines: tensor(2, 1, 2),
    sines: tensor(2, 1, 2),
    originalLength: 4,
  },
  convertLayout: { dim: 8, rotaryDim: 2, from: also({ dim: 8, from: "half", to: "interleaved" }), axis: 0 },
  rotaryDifference: { distances: [5, 100] },
  "rotary.apply": { ...tokens, inverse: false, firstDim: also({ shape: [4, 6], firstDim: 1 }) },
  "rotary.apply float16": { dtype: "bfloat16" },
  "rotary.step of options": { ...axes, batchAxis: also({ seqAxis: 1, batchAxis: 0 }), inverse: true },
  rotateAgain: tokens,
  rotateWithCache: {
    ...{ ...axes, offset: also({ seqAxis: 0, offset: 1 }), positions: [2, 2, 1], inverse: true },
    ...{ layout: "interleaved", cos: tensor(3, 2), sin: tensor(3, 2) },
    batchAxis: also({ batchAxis: 0, positions: { data: [2, 0, 1, 1, 0, 0], shape: [2, 3] } }),
    form: also({ form: "huggingface", cos: doubled, sin: doubled }),
  },
  "rotateWithCache ggml": { cosSin: tensor(3, 4), positions: [1, 1] },
  shiftRotated: {
    dimAxis: axes.dimAxis,
    by: -2,
    seqAxis: also({ by: [1, -2], seqAxis: 0 }),
    batchAxis: also({ batchAxis: 0, by: lists }),
  },
  certify: {
    length: 99,
    ...each("arithmetic", "exact transformers"),
    dtype: "bfloat16",
    queryNorm: 3,
    keyNorm: 5,
    scale: -2,
    ...{ "exceeds.angle": also({ exceeds: { angle: 1e-9 } }), "exceeds.cosine": also({ exceeds: { cosine: 1e-9 } }) },
    ...{ "exceeds.dimension": also({ exceeds: { dimension: 1e-9 } }), exceeds: { score: 1e-9 } },
  },
  "xpos of options": { ...rotary, ...scaled, centre: 3, scaleBase: 64 },
  "xpos.scales": places,
  "xpos.apply": { ...tokens, side: "query", inverse: true },

  add: { seqAxis: -3 },
  addBackward: { rows: 6, seqAxis: 1 },
  linear: { precision: "exact", bias: tensor(5) },
  linearBackward: { precision: "exact", x: tensor(3, 4), weight: tensor(5, 4), gradient: tensor(3, 5) },
  attention: {
    ...{ ...terms, weights: false, cache: { length: 4 } },
    "cache.seqAxis": also({ cache: { seqAxis: 0 }, key: tensor(5, 2, 4), value: tensor(5, 2, 6) }),
    seqAxis: also({ seqAxis: 0, query: tensor(3, 2, 4), key: tensor(5, 2, 4), value: tensor(5, 2, 6) }),
    "cache.sequences": also({
      query: tensor(2, 2, 3, 4),
      key: tensor(3, 2, 5, 4),
      value: tensor(3, 2, 5, 6),
      cache: { sequences: [2, 0] },
    }),
    "several lengths": also({
      ...{ query: tensor(2, 2, 3, 4), key: tensor(2, 2, 5, 4), value: tensor(2, 2, 5, 6) },
      ...{ cache: { length: [5, 3] }, causal: true, queryOffset: [2, 0] },
    }),
  },
  attentionBackward: { ...terms, gradient: tensor(2, 3, 6) },
  multiHeadAttention: {
    ...{ ...multiHead, key: tensor(5, 4), value: tensor(5, 4), weights: false },
    "one for all": also({ key: undefined, value: undefined, bias: undefined, biasScaled: undefined }),
    "keys as values": also({ key: tensor(5, 4), value: undefined }),
    kvHeads: also({ layers: { ...layers, key: layer(3, 4), value: layer(3, 4) }, kvHeads: 1 }),
  },
  multiHeadBackward: { ...terms, kvHeads: 3, layers, gradient: tensor(3, 5) },
  splitHeads: { heads: 4 },
  linearAttention: { causal: true, queryOffset: 2, queryPositions: [1, 5, 2], keyPositions: [3, 1, 4, 1, 5] },
  softmax: { precision: "exact" },
  softmaxBackward: { precision: "exact", weights: tensor(3, 4), gradient: tensor(3, 4) },
  dropout: { p: 0.25, seed: 2 ** 40 + 5, offset: 2 ** 33, training: false },
  "positionalEncoding of options": { dModel: 6, dropout: 0.5, maxLen: 7 },
  "positionalEncoding.forward": { training: false, seed: 4, seqAxis: 0 },

  alibi: { ...biased, heads: 4, slopes: "bloom", steepness: 4, distance: "linear" },
  alibiSlopes: { heads: 6, slopes: "bloom", steepness: 4 },
  fire: { ...biased, ...perceptron(1), c: 0.5, threshold: 1, epsilon: 0.5 },
  kerple: {
    ...{ ...biased, kernel: "power", "kernel of weights": also({ kernel: "weight" }) },
    ...{ r1: Float32Array.of(1, 2), r2: Float32Array.of(1, 2) },
  },
  sandwich: { ...biased, heads: 4, dim: 6, base: 500, indices: "sinusoidal" },
  t5: { ...biased, ...buckets, table: tensor(8, 2) },
  t5Buckets: {
    ...formed,
    bidirectional: true,
    buckets: also({ queryOffset: 40, buckets: 8 }),
    maxDistance: also({ queryOffset: 40, maxDistance: 20 }),
  },
  positionMap: {
    ...{ ...pairs, window: 1, group: 3, type: also({ type: "rerope", group: undefined }) },
    factor: also({ type: "leaky-rerope", group: undefined, factor: 8 }),
    chunkSize: also({ type: "dual-chunk", window: undefined, group: undefined, chunkSize: 3, localSize: 1 }),
  },
  relativeOffsets: formed,
  relativeSinusoidal: { ...formed, ...sinusoid, dim: 6, sign: "query-minus-key" },
  relativeExpand: expanded,
  relativeExpandIds: expanded,
  cope: { queryOffset: 1, future: "keep", query: tensor(2, 3, 4), logits: tensor(2, 3, 5), embedding: tensor(6, 4) },
  shawIds: { ...formed, maxDistance: 1 },
  shawAttention: { ...shaw, weights: true },
  shawBackward: { ...shaw, gradient: tensor(2, 3, 6) },
  transformerXl: {
    ...{ ...related, weights: true, relative: tensor(2, 7, 4) },
    ...{ contentBias: tensor(2, 4), positionBias: tensor(2, 4) },
  },
  swinIndex: { height: 3, width: 3, classToken: true },
  swinBias: { size: also({ height: 1, width: 5 }), classToken: also({ table: tensor(12, 2), classToken: true }) },
  swinLogCoordinates: windows,
  swinLogCpb: { ...windows, ...perceptron(2) },

  learnedTable: { length: 4, dim: 6, seed: 2, std: 1, bound: 0.5, offset: 2 ** 40, paddingIdx: 1 },
  lookupRows: { ids: [6, 2], offset: also({ ids: [1, 2], offset: 1 }), length: also({ ids: undefined, length: 2 }) },
  addRows: { ids: also({ ids: [1, 0, 3], seqAxis: 1 }), offset: also({ ...all, offset: 1 }), seqAxis: also(all) },
  rowsGradient: {
    ...{ ids: [1, 1, 3], seqAxis: also({ ids: undefined, seqAxis: 0 }), rows: 8, paddingIdx: 5 },
    offset: also({ ids: undefined, offset: 1 }),
  },
  paddedPositions: { paddingIdx: 0, past: 4 },
  tableBias: { table: tensor(7, 2) },
  tableBiasBackward: { gradient: tensor(2, 3, 5), rows: 9 },
  resizeTable: {
    interpolation: "cubic",
    alignCorners: true,
    antialias: also({ length: 2, antialias: true }),
    prefixTokens: 1,
    length: 3,
  },
  resizeGrid: {
    ...{ interpolation: "linear", alignCorners: true, antialias: also({ to: [1, 2], antialias: false }) },
    ...{ prefixTokens: also({ prefixTokens: 1, from: [1, 5] }), from: [3, 2], to: [4, 3] },
    "aligned corners of fewer": also({ to: [1, 2], alignCorners: true }),
  },
  reformerAxial: {
    ...{ ids: [7, 1], length: 5, offset: also({ length: 2, offset: 3 }) },
    combination: also({ tables: [tensor(2, 3), tensor(4, 3)], combination: "sum" }),
  },
  reformerAxialGradient: {
    ids: [7, 1, 0, 0, 2, 2, 3, 3],
    shape: [4, 2],
    dims: [3, 4],
    combination: also({ dims: [7, 7], combination: "sum" }),
    offset: also({ shape: [4, 4], offset: 1 }),
    seqAxis: also({ ids: [1, 2, 0, 0, 1, 1, 3, 3], seqAxis: 0 }),
  },
  adamStep: {
    ...{ gradient: Float32Array.of(1, 2, 3, 4, 5), lr: 0.1, betas: [0.5, 0.8], eps: 0.1 },
    ...{ weightDecay: 0.5, decay: "coupled", step: 5, firstMoment: Float32Array.of(5, 4, 3, 2, 1) },
  },
  sgdStep: {
    gradient: Float32Array.of(1, 2, 3, 4, 5),
    lr: 0.1,
    momentum: 0.5,
    dampening: also({ nesterov: false, dampening: 0.3 }),
    weightDecay: 0.5,
    nesterov: false,
    step: also({ nesterov: false, step: 1 }),
    buffer: Float32Array.of(5, 4, 3, 2, 1),
  },

  sinusoidalGrid: {
    shape: [3, 2],
    dim: 12,
    ...each("preset", "detr timm diffusers positional-encodings"),
    base: 500,
    order: "interleaved",
    axes: "first-first",
    ...{ arrangement: "by-function", normalised: true, start: 3, prefixTokens: 1, dtype: "bfloat16" },
    ...{ extent: also({ normalised: true, extent: 5 }), epsilon: also({ normalised: true, epsilon: 0.5 }) },
    mask: also({ preset: "detr", mask: flags(2, 3) }),
  },
  "rotaryGrid of options": {
    dim: 16,
    layout: "interleaved",
    base: 500,
    axes: 1,
    dims: [6, 2],
    start: 1.5,
    reference: also({ ...own, preset: "timm", reference: [4, 4] }),
    mergeSize: also({ ...own, preset: "qwen2-vl", mergeSize: 2 }),
    maxFrequency: also({ ...own, preset: "timm-pixel", maxFrequency: 5 }),
  },
  "rotaryGrid of presets": {
    ...each("preset", shapes, own),
    "preset qwen2-vl": also({ ...own, preset: "qwen2-vl", mergeSize: 1 }),
    ...each("preset", ofTorch, { ...own, axes: 2 }),
    ...each("preset", "hunyuan-video flux", { ...own, dim: 128 }),
  },
  "rotaryGrid.cache": { ...grid([2, 3]), prefixTokens: 1, suffixTokens: 2, row: "dims" },
  "rotaryGrid.apply": {
    grid: [3, 2],
    points: grid([2, 3]).points,
    inverse: true,
    seqAxis: also({ shape: [3, 2, 8], seqAxis: 0, grid: [1, 3] }),
    batchAxis: also({ shape: [2, 3, 8], seqAxis: 1, batchAxis: 0, grid: [1, 3] }),
    ...{ prefixTokens: also({ grid: [1, 5], prefixTokens: 1 }), suffixTokens: also({ grid: [1, 5], suffixTokens: 1 }) },
  },
  mixedFrequencies: { dim: 8, heads: 3, base: also({ dim: 8, base: 500 }), seed: 2 },
  "rotaryMixed of options": {
    layout: "interleaved",
    order: "first-first",
    heads: also({ dim: 4, heads: 6 }),
    axes: also({ axes: 3, heads: 2 }),
    rotaryDim: also({ heads: 6, rotaryDim: 4 }),
  },
  "rotaryMixed.apply": {
    inverse: true,
    grid: also({ points: undefined, grid: [1, 3] }),
    seqAxis: also({ shape: [3, 1, 2, 4], seqAxis: 1, points: [1, 2] }),
  },
  "mrope of options": {
    ...rotary,
    ...scaled,
    dim: also({ dim: 12, sections: [2, 2, 2] }),
    rotaryDim: also({ dim: 12, rotaryDim: 8 }),
    sections: [1, 2, 1],
    ...each("order", "interleaved time-last"),
  },
  "mrope.apply": {
    inverse: true,
    positions: [1, 2, 3, 4, 5, 6],
    seqAxis: also({ shape: [1, 2, 8], seqAxis: 0, positions: [1, 2, 3] }),
    batchAxis: also({
      shape: [1, 2, 8],
      batchAxis: 0,
      seqAxis: 1,
      positions: { data: [1, 2, 3, 4, 5, 6], shape: [3, 1, 2] },
    }),
  },
  "mrope.cache": { row: "dims", positions: [1, 2, 3] },
  mropePositions: {
    segments: [{ text: 3 }],
    mergeSize: 1,
    ...each("preset", models, { segments: [{ text: 1 }, { video: [2, 4, 8] }, { text: 1 }] }),
    ...each("time", "index seconds whole-seconds unrounded", { ...video, tokensPerSecond: 3 }),
    "time frame": also({ ...video, time: "frame" }),
    tokensPerSecond: also({ ...video, tokensPerSecond: 5 }),
    secondsPerChunk: also({ ...video, preset: "qwen2.5-omni", secondsPerChunk: 1 }),
    next: also({ segments: [{ image: [1, 2, 8] }, { text: 2 }], next: "past-extent" }),
  },
  "mropePositions rows": { deltas: "unpadded", padding: "left", paddingPosition: 7, rows: [[{ text: 2 }]] },

  queryTemperature: { ...tokens, slope: 0.5, shift: 0, period: 2 },
  "editKeys shift and divide": {},
  "editKeys move and drop": {},
  "editKeys insert": {},
  "editKeys of lists": {},
  "editKeys of a slice of heads": {},
  "editKeys of points": {},
  "training.evaluate": {},
  "training.evaluate with another encoding": {},
  "training.stretch": {},
  "training.generate": {},
};
