// What JavaScript itself refuses of options that do not fit together: options more, or others, in calls of this folder
// (a number is that of an argument beside them), and how the error begins. What the core refuses is proven in core.

import { flags, tensor } from "./options.mjs";

const none = { length: undefined, offset: undefined, positions: undefined };
const places = [
  [none, "TypeError: length: undefined, expected a whole number, or positions in its place"],
  [{ positions: [1], length: 1 }, "TypeError: length: 1, expected nothing beside positions"],
  [{ length: undefined, positions: [1], offset: 2 }, "TypeError: offset: 2, expected nothing beside positions"],
  [{ ...none, length: -1 }, "RangeError: length: -1, expected a whole number >= 0"],
  [{ ...none, positions: { data: [1], shape: [1, 1, 1] } }, "RangeError: positions.shape: [1, 1, 1], expected [sequ"],
];
const moved = [
  [{ shape: [-2, 3, 4] }, "RangeError: shape[0]: -2, expected a whole number >= 0"],
  [{ positions: { data: [1], shape: [1, 1, 1] } }, "RangeError: positions.shape: [1, 1, 1], expected [sequence] or"],
  [{ positions: [1], offset: 2 }, "TypeError: offset: 2, expected nothing beside positions"],
];

const tensors = [
  [{ key: tensor(2, 5, 3) }, "RangeError: key.shape: [2, 5, 3], expected [2, keys, 4], as wide as query"],
  [{ value: tensor(2, 4, 6) }, "RangeError: value.shape: [2, 4, 6], expected [2, 5, dv], as long as key"],
  [{ query: tensor(4) }, "RangeError: query.shape: [4], expected two or three axes"],
];
const shaw = [
  ...tensors,
  [{ keyTable: tensor(5, 3) }, "RangeError: keyTable.shape: [5, 3], expected [2 * maxDistance + 1, 4]"],
  [{ valueTable: tensor(5, 5) }, "RangeError: valueTable.shape: [5, 5], expected [2 * maxDistance + 1, 6]"],
];

/** For two heads of three queries and five keys; `bias` makes one that fits. */
const terms = [
  [
    { bias: tensor(3, 5), biasScaled: undefined },
    "TypeError: biasScaled: undefined, expected true or false; it has no",
  ],
  [{ bias: undefined, biasScaled: true }, "TypeError: biasScaled: true, expected nothing without a bias"],
  [{ bias: undefined, biasScaled: undefined, biasForm: "compact" }, 'TypeError: biasForm: "compact", expected nothing'],
  [{ bias: tensor(1, 1, 1, 3, 5), biasScaled: true }, "RangeError: bias.shape: [1, 1, 1, 3, 5], expected at most four"],
  [{ mask: flags(1, 1, 1, 3, 5) }, "RangeError: mask.shape: [1, 1, 1, 3, 5], expected at most four axes"],
  [{ mask: { data: [1, 0], shape: [1, 2] } }, "TypeError: mask.data: [1, 0], expected"],
  [{ mask: [true] }, "TypeError: mask.0: true, expected one of data, shape"],
  [{ keyMask: flags(4) }, "RangeError: keyMask.shape: [4], expected [5]"],
  [{ dropout: { p: 0.5 } }, "TypeError: dropout.seed: undefined, expected a number"],
];
const masked = [
  ...terms,
  [{ query: tensor(4) }, "RangeError: query.shape: [4], expected two to four axes"],
  [{ key: tensor(5, 4) }, "RangeError: key.shape: [5, 4], expected 3 axes, as query"],
  [{ key: tensor(2, 5, 3) }, "RangeError: key.shape: [2, 5, 3], expected [kvHeads, keys, 4]"],
  [{ value: tensor(1, 5, 6) }, "RangeError: value.shape: [1, 5, 6], expected [2, 5, dv]"],
];
const capacities = [
  [{ cache: { length: 6 } }, "RangeError: cache.length: 6, expected at most the capacity, 5"],
  [{ cache: { length: -1 } }, "RangeError: cache.length: -1, expected a whole number >= 0"],
  [{ cache: { seqAxis: 2 } }, "RangeError: cache.seqAxis: 2, expected -2, as in [..., seq, d] or -3"],
  [{ cache: { seqAxis: -1 } }, "RangeError: cache.seqAxis: -1, expected -2, as in [..., seq, d] or -3"],
];

const layer = (out, width) => ({ weight: tensor(out, width) });
const layers = { query: layer(6, 4), key: layer(6, 4), value: layer(6, 4), out: layer(5, 6) };
const wrongBias = { ...layers, query: { weight: tensor(6, 4), bias: tensor(5) } };
const multiHead = [
  ...terms,
  [{ heads: 4 }, "RangeError: heads: 4, expected a divisor of 6, the rows of layers.query.weight"],
  [{ heads: 0 }, "RangeError: heads: 0, expected a divisor of 6"],
  [{ kvHeads: 4 }, "RangeError: kvHeads: 4, expected a divisor of 6, the rows of layers.value.weight"],
  [{ query: tensor(3, 5) }, "RangeError: query.shape: [3, 5], expected [[batch,] rows, 4], as wide as layers.query"],
  [{ key: tensor(1, 5, 4) }, "RangeError: key.shape: [1, 5, 4], expected [rows, 4]"],
  [{ query: tensor(1, 3, 4) }, "RangeError: key.shape: [5, 4], expected [batch, rows, 4]"],
  [{ layers: wrongBias }, "RangeError: layers.query.bias.shape: [5], expected [6]"],
];

const perceptron = (size) => ({ weight1: tensor(4, size), bias1: tensor(4), weight2: tensor(2, 4) });
const perceptrons = (size) => [
  [
    { perceptron: { ...perceptron(size), weight1: tensor(4, 3) } },
    `RangeError: weight1.shape: [4, 3], expected [4, ${size}]`,
  ],
  [
    { perceptron: { ...perceptron(size), weight2: tensor(2, 3) } },
    "RangeError: weight2.shape: [2, 3], expected [2, 4]",
  ],
  [{ perceptron: { ...perceptron(size), bias2: tensor(3) } }, "RangeError: bias2.shape: [3], expected [2]"],
];
const form = [[{ form: "compat" }, 'RangeError: form: "compat", expected "compact" (or one of "full"']];

const points = [
  [{ points: undefined, grid: undefined }, "TypeError: grid: undefined, expected an array of extents, "],
  [{ points: [0, 0], grid: [1, 1] }, "TypeError: points: [0, 0], expected nothing beside grid"],
];
const segment = (one, error) => [{ segments: [{ text: 1 }, one] }, `TypeError: segments[1]${error}`];

const edit = (one, error) => [{ edits: [one] }, error];
const inserted = { type: "insert", at: 0, keys: new Float32Array(24) };

const rows = [
  [{ ids: { data: [1, 2], shape: [3] } }, "RangeError: ids.data: 2, expected 3 values"],
  [{ ids: [0], seqAxis: 1 }, "RangeError: ids.shape: [1], expected [3], or [2, 3], an id for each token of"],
  [
    { ids: { data: Array(6).fill(0), shape: [3, 2] }, seqAxis: undefined },
    "RangeError: ids.shape: [3, 2], expected [2, 3]",
  ],
  [
    { ids: { data: Array(6).fill(0), shape: [2, 3] }, seqAxis: 1 },
    "TypeError: seqAxis: 1, expected nothing beside ids",
  ],
];

export const rules = {
  sinusoidal: [
    ...places,
    [{ ...none, length: 2 ** 40 }, "RangeError: length * dim: 6597069766656, expected as many"],
    [{ precision: "fast", dtype: "float16" }, 'RangeError: precision: "fast", expected "exact" be'],
  ],
  shift: [[{ dim: 8 }, "RangeError: table.shape: [3, 4], expected 8 (dim)"]],
  packedPositions: [[{ 0: [0, 1.5] }, "RangeError: boundaries: 1.5, expected a whole number"]],
  maskPositions: [
    [{ 0: { data: [1, 2], shape: [2] } }, "RangeError: mask.data: 2, expected one of 0, 1, true, false"],
    [{ 0: { data: [1, true], shape: [2] } }, "TypeError: mask.data[1]: true, expected a number"],
    [{ 0: { data: [1], shape: [1, 1, 1] } }, "RangeError: mask.shape: [1, 1, 1], expected [sequence] or [batch, seq"],
  ],
  "rotary.cache": places,
  "rotary.apply": moved,
  rotateAgain: moved,
  rotaryCache: places,
  "xpos.scales": places,
  "xpos.apply": moved,
  fope: [...places, [{ sines: tensor(2, 1, 1) }, "RangeError: sines.shape: [2, 1, 1], expected [2, 1, 2]"]],
  convertLayout: [
    [{ axis: 2 }, "RangeError: axis: 2, expected an axis of x: from -2 to 1"],
    [{ dim: 3 }, "RangeError: x.shape: [4, 8], expected a multiple of 3 (dim) as the extent of axis -1"],
  ],
  rotateWithCache: [
    ...moved,
    [{ sin: tensor(1, 2) }, "RangeError: sin.shape: [1, 2], expected [3, 2]"],
    [{ cos: tensor(6), sin: tensor(6) }, "RangeError: cos.shape: [6], expected two or three axes"],
    [{ cosSin: tensor(3, 4) }, "TypeError: rotateWithCache.cosSin: an object, expected one of shape"],
    [
      { cos: tensor(2, 3, 2), sin: tensor(2, 3, 2), batchAxis: 0, positions: [0, 1, 2] },
      "TypeError: positions: [0, 1, 2], expected nothing beside a cache of several batches",
    ],
  ],
  "rotateWithCache ggml": [[{ cos: tensor(3, 2) }, "TypeError: rotateWithCache.cos: an object, expected cosSin"]],
  certify: [
    [{ 0: { dim: 128, theta: 1 } }, "TypeError: plan.theta: 1, expected base"],
    [{ exceeds: { dims: 1 } }, "TypeError: exceeds.dims: 1, expected dimension"],
    [{ arithmetic: { preset: "ggml" } }, "TypeError: arithmetic: an object, expected"],
  ],

  add: [
    [{ 1: tensor(5, 3) }, "RangeError: table.shape: [5, 3], expected [rows, 4]"],
    [{ 0: { data: new Float32Array(5), shape: [2, 3] } }, "RangeError: x.data: 5, expected 6 values for shape [2, 3]"],
  ],
  linear: [[{ 1: tensor(5, 3) }, "RangeError: weight.shape: [5, 3], expected [out, 4]"]],
  "linear with a bias": [[{ bias: tensor(4) }, "RangeError: bias.shape: [4], expected [5]"]],
  linearBackward: [[{ gradient: tensor(3, 4) }, "RangeError: gradient.shape: [3, 4], expected [3, 5]"]],
  softmaxBackward: [[{ gradient: tensor(4, 3) }, "RangeError: gradient.shape: [4, 3], expected [3, 4]"]],
  dropout: [[{ seed: undefined }, "TypeError: dropout.seed: undefined, expected a number"]],
  attention: [...masked, ...capacities],
  attentionBackward: [...masked, [{ gradient: tensor(3, 6) }, "RangeError: gradient.shape: [3, 6], expected 3 axes"]],
  multiHeadAttention: multiHead,
  multiHeadBackward: [
    ...multiHead,
    [{ gradient: tensor(3, 4) }, "RangeError: gradient.shape: [3, 4], expected [3, 5]"],
  ],
  splitHeads: [
    [{ heads: 3 }, "RangeError: heads: 3, expected a divisor of 4, the width of x"],
    [{ heads: 0 }, "RangeError: heads: 0, expected a divisor of 4, the width of x"],
    [{ 0: tensor(4) }, "RangeError: x.shape: [4], expected [..., rows, heads * dim]"],
  ],
  mergeHeads: [[{ 0: tensor(3, 4) }, "RangeError: x.shape: [3, 4], expected [..., heads, rows, dim]"]],
  linearAttention: tensors,
  "positionalEncoding.forward": [
    [{ training: undefined }, "TypeError: training: undefined, expected true or false"],
    [{ seed: undefined }, "TypeError: dropout.seed: undefined, expected a number"],
  ],

  alibi: [
    ...form,
    [{ queries: 2 ** 20, keys: 2 ** 20 }, "RangeError: heads * queries * keys: 3298534883328, expected"],
  ],
  relativeOffsets: form,
  fire: perceptrons(1),
  swinLogCpb: perceptrons(2),
  relativeExpandIds: [
    [{ 0: { data: new Int32Array(7), shape: [7, 1] } }, "RangeError: compact.shape: [7, 1], expected [7], one axis"],
  ],
  cope: [
    [{ logits: tensor(3, 5) }, "RangeError: logits.shape: [3, 5], expected [2, 3, keys]"],
    [{ embedding: tensor(6, 3) }, "RangeError: embedding.shape: [6, 3], expected [positions, 4]"],
  ],
  shawAttention: shaw,
  shawBackward: [...shaw, [{ gradient: tensor(2, 3, 5) }, "RangeError: gradient.shape: [2, 3, 5], expected [2, 3, 6]"]],
  transformerXl: [
    ...tensors,
    [{ relative: tensor(2, 6, 4) }, "RangeError: relative.shape: [2, 6, 4], expected [2, 7, 4]"],
    [{ contentBias: tensor(4) }, "RangeError: contentBias.shape: [4], expected 2 axes"],
    [{ positionBias: tensor(2, 3) }, "RangeError: positionBias.shape: [2, 3], expected [2, 4]"],
  ],

  learnedTable: [[{ std: 1, bound: 1 }, "TypeError: bound: 1, expected nothing beside std"]],
  lookupRows: [
    [{ ids: undefined }, "TypeError: length: undefined, expected a whole number, or ids in its place"],
    [{ length: 1 }, "TypeError: length: 1, expected nothing beside ids"],
    [{ ids: [0, 2 ** 32] }, "RangeError: ids[1]: 4294967296, expected a whole number"],
  ],
  addRows: [...rows, [{ 1: tensor(7, 3) }, "RangeError: table.shape: [7, 3], expected [rows, 4]"]],
  rowsGradient: rows,
  tableBiasBackward: [[{ gradient: tensor(2, 5, 3) }, "RangeError: gradient.shape: [2, 5, 3], expected [2, 3, 5]"]],
  resizeGrid: [[{ from: [6] }, "RangeError: from: [6], expected [height, width]"]],
  reformerAxial: [[{ ids: [1], length: 1 }, "TypeError: length: 1, expected nothing beside ids"]],
  reformerAxialGradient: [[{ dims: [] }, "RangeError: dims: 0, expected 2 numbers"]],
  adamStep: [[{ betas: [0.9] }, "RangeError: betas: [0.9], expected two numbers"]],

  sinusoidalGrid: [[{ mask: flags(2, 2) }, "RangeError: mask.shape: [2, 2], expected [2, 3], the grid's"]],
  "rotaryGrid.cache": points,
  "rotaryGrid.apply": points,
  "mrope.apply": [[{ positions: [0, 1] }, "RangeError: positions: 2, expected a multiple of 3"]],
  mropePositions: [
    [{ rows: [] }, "TypeError: segments: [an object, an object], expected nothing beside rows"],
    [{ segments: {} }, "TypeError: segments: an object, expected an array of segments"],
    [{ segments: undefined, rows: {} }, "TypeError: rows: an object, expected an array of arrays of segments"],
    segment({}, ": an object, expected one of text, image, video"),
    segment({ text: 1, image: [1, 2, 2] }, ": an object, expected one of text, image, video"),
    segment({ words: 1 }, ".words: 1, expected one of text, image, video"),
    segment({ image: [2, 2] }, ".image: [2, 2], expected [t, h, w], three numbers"),
    segment({ text: 1, audio: 2 }, ".audio: 2, expected nothing: of videos alone"),
  ],
  "mropePositions rows": [[{ padding: undefined }, 'TypeError: padding: undefined, expected one of "left", "right"']],

  "editKeys shift and divide": [
    [{ 0: [1, 2] }, "TypeError: keys: [1, 2], expected a Float32Array, Float16Array, Uint16Array or Uint8Array"],
    [{ 0: new Uint16Array(24) }, "TypeError: dtype: undefined, expected the type of the bits in keys"],
    [
      { 0: new Uint16Array(24), dtype: "q8_0" },
      "TypeError: keys: [object Uint16Array], expected a Uint8Array, of q8_0",
    ],
    [
      { 0: new Uint8Array(34), dtype: "float16" },
      'TypeError: dtype: "float16", expected "q8_0", or nothing beside a Uin',
    ],
    [{ edits: undefined }, "TypeError: edits: undefined, expected an array of edits"],
    [{ rotary: {} }, "TypeError: rotary: an object, expected what rotary(), xpos(), mrope(), rotaryGrid() or"],
    [{ slots: [0] }, "TypeError: editKeys.slots: [0], expected"],
    [{ offset: 1 }, "TypeError: offset: 1, expected nothing beside positions"],
    [
      { positions: { data: [1, 2, 3], shape: [1, 1, 1, 3] } },
      "RangeError: positions.shape: [1, 1, 1, 3], expected one to",
    ],
    [{ out: new Float32Array(3) }, "RangeError: out: 3, expected 24 values"],
    [{ out: new Uint8Array(3) }, "TypeError: out: [object Uint8Array], expected"],
    edit({ type: "turn" }, 'RangeError: edits[0].type: "turn", expected one of "shift"'),
    edit({ type: "shift" }, "TypeError: edits[0].by: undefined, expected an array of numbers"),
    edit({ type: "shift", by: 1, at: 2 }, "TypeError: edits[0].at: 2, expected"),
    edit({ type: "drop", from: 2, to: 9 }, "RangeError: edits[0].to: 9"),
    edit({ type: "convert", dtype: "int4" }, 'RangeError: edits[0].dtype: "int4"'),
    edit(inserted, "TypeError: edits[0].shape: undefined, expected"),
    edit({ ...inserted, shape: [3, 1, 8], seqAxis: 0 }, "RangeError: edits[0].shape: 8"),
  ],
};
