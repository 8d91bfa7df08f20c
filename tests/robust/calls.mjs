// Valid calls of every function of the API, recorded and not yet made: the fuzz test changes their arguments.
import { Inputs, makers, objects } from "../api/out-makers.mjs";

/** Everything with methods. A step belongs to a rotary and a buffer, which it keeps alive. */
const handles = {
  ...objects,
  buffer: (pe) => pe.buffer(24),
  halfBuffer: (pe) => pe.buffer(24, { dtype: "bfloat16" }),
  step: (pe) => pe.rotary({ dim: 4, layout: "half" }).step(pe.buffer(24), { shape: [2, 3, 4] }),
};

const shape = [2, 3, 4];
const scaled = (pe, more) => () => pe.rotary({ dim: 4, layout: "half", ...more });

/** A model's rule with everything that a config may say of it: what a plan may hold is learned from these. */
const configured = (rope_scaling) => (pe) => () =>
  pe.hubConfig({ model_type: "llama", head_dim: 4, rope_theta: 1e4, max_position_embeddings: 8192, rope_scaling });
const trained = { original_max_position_embeddings: 2048 };

/** What tests/api/out-makers.mjs leaves out, because it makes no array or the options are others. */
const others = {
  buffer: (pe) => () => pe.buffer(7),
  "buffer float16": (pe) => () => pe.buffer(7, { dtype: "float16" }),
  hubConfig: (pe) => () =>
    pe.hubConfig({ model_type: "llama", hidden_size: 64, num_attention_heads: 4, rope_theta: 5e5 }),
  "hubConfig default": configured({ rope_type: "default" }),
  "hubConfig linear": configured({ rope_type: "linear", factor: 2 }),
  "hubConfig dynamic": configured({ rope_type: "dynamic", factor: 2 }),
  "hubConfig yarn": configured({
    ...trained,
    rope_type: "yarn",
    factor: 4,
    beta_fast: 32,
    beta_slow: 1,
    truncate: false,
    mscale: 1,
    mscale_all_dim: 0.5,
    attention_factor: 1.1,
  }),
  "hubConfig longrope": configured({
    ...trained,
    rope_type: "longrope",
    factor: 4,
    short_factor: [1, 1.5],
    long_factor: [2, 3],
    attention_factor: 1.2,
  }),
  "hubConfig llama3": configured({
    ...trained,
    rope_type: "llama3",
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 4,
  }),
  "hubConfig proportional": configured({ rope_type: "proportional", factor: 2, partial_rotary_factor: 0.5 }),
  "hubConfig gemma3": (pe) => () =>
    pe.hubConfig({
      model_type: "gemma3_text",
      head_dim: 4,
      rope_parameters: {
        full_attention: { rope_type: "linear", factor: 8, rope_theta: 1e6 },
        sliding_attention: { rope_type: "default", rope_theta: 1e4 },
      },
    }),
  "hubConfig qwen2-vl": (pe) => () =>
    pe.hubConfig({
      model_type: "qwen2_vl",
      hidden_size: 64,
      num_attention_heads: 4,
      rope_theta: 1e6,
      rope_scaling: { type: "mrope", mrope_section: [2, 3, 3], unheard: 1 },
    }),
  "hubConfig phi3": (pe) => () =>
    pe.hubConfig({
      model_type: "phi3",
      head_dim: 4,
      rope_theta: 1e4,
      max_position_embeddings: 64,
      original_max_position_embeddings: 32,
      rope_scaling: { type: "longrope", short_factor: [1, 1.5], long_factor: [2, 3] },
    }),
  mrope: (pe) => () => pe.mrope({ dim: 8, layout: "half", base: 1e6, sections: [2, 1, 1], order: "interleaved" }),
  positionalEncoding: (pe) => () => pe.positionalEncoding({ dModel: 6, dropout: 0.2, maxLen: 9 }),
  rotary: (pe) => () => pe.rotary({ dim: 8, layout: "half", rotaryDim: 4, base: 500, precision: "float32" }),
  "rotary yarn": (pe) =>
    scaled(pe, { scaling: { type: "yarn", factor: 4, originalLength: 64, betaFast: 32, truncate: true } }),
  "rotary longrope": (pe) =>
    scaled(pe, {
      length: 100,
      scaling: { type: "longrope", factor: 2, originalLength: 64, shortFactor: [1, 2], longFactor: [3, 4] },
    }),
  "rotary given": (pe) => scaled(pe, { scaling: { type: "given", frequencies: [1, 0.5] } }),
  "rotary dynamic": (pe) =>
    scaled(pe, { exponentDim: 8, length: 90, scaling: { type: "dynamic", factor: 2, originalLength: 50 } }),
  rotaryGrid: (pe) => () => pe.rotaryGrid({ preset: "axial", dim: 8, axes: 2, layout: "interleaved", base: 100 }),
  "rotaryGrid wan": (pe) => () => pe.rotaryGrid({ preset: "wan", dim: 12, lanes: [4, 4, 4] }),
  "rotaryGrid timm": (pe) => () => pe.rotaryGrid({ preset: "timm", dim: 8, reference: [4, 4] }),
  rotaryMixed: (pe) => () =>
    pe.rotaryMixed({ dim: 4, layout: "half", heads: 2, frequencies: Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8) }),
  xpos: (pe) => () => pe.xpos({ dim: 4, layout: "half", centre: 2, scaleBase: 64 }),
  adamStep: (pe, inputs) => () =>
    pe.adamStep(inputs.numbers(5), {
      gradient: inputs.numbers(5),
      firstMoment: inputs.numbers(5),
      secondMoment: inputs.numbers(5),
      lr: 0.01,
      betas: [0.9, 0.99],
      step: 3,
      weightDecay: 0.1,
      decay: "decoupled",
    }),
  sgdStep: (pe, inputs) => () =>
    pe.sgdStep(inputs.numbers(5), {
      gradient: inputs.numbers(5),
      buffer: inputs.numbers(5),
      lr: 0.01,
      momentum: 0.9,
      nesterov: true,
      step: 2,
    }),
  rotateAgain:
    (pe, inputs, from = objects.rotary(pe), to = objects.rotary(pe)) =>
    () =>
      pe.rotateAgain(inputs.numbers(24), { shape, from, to, offset: 3, seqAxis: 1 }),
  rotateWithCache: (pe, inputs) => () =>
    pe.rotateWithCache(inputs.numbers(24), {
      shape,
      layout: "half",
      form: "onnx",
      cos: inputs.tensor(3, 2),
      sin: inputs.tensor(3, 2),
      seqAxis: 1,
    }),
  "rotateWithCache ggml": (pe, inputs) => () =>
    pe.rotateWithCache(inputs.numbers(24), {
      shape,
      layout: "half",
      form: "ggml",
      cosSin: inputs.tensor(3, 4),
      positions: [2, 0],
      seqAxis: 0,
    }),
  shiftRotated:
    (pe, inputs, rotary = objects.rotary(pe)) =>
    () =>
      pe.shiftRotated(inputs.numbers(24), { shape, rotary, by: 5, seqAxis: 1 }),
  "shiftRotated by a list":
    (pe, inputs, rotary = objects.rotary(pe)) =>
    () =>
      pe.shiftRotated(inputs.numbers(24), { shape, rotary, by: [1, -2] }),
  "rotary.apply":
    (pe, inputs, rotary = objects.rotary(pe)) =>
    () =>
      rotary.apply(inputs.numbers(24), { shape, offset: 3, inverse: true }),
  "rotary.apply float16":
    (pe, inputs, rotary = objects.rotary(pe)) =>
    () =>
      rotary.apply(inputs.halves(2, 3, 4).data, { shape, dtype: "float16", positions: [1, -2] }),
  "rotary.apply batch":
    (pe, inputs, rotary = objects.rotary(pe)) =>
    () =>
      rotary.apply(inputs.numbers(24), {
        shape,
        batchAxis: 0,
        seqAxis: 1,
        dimAxis: 2,
        positions: { data: [0, 1, 2, 3, 4, 5], shape: [2, 3] },
      }),
  "rotary.step":
    (pe, _, rotary = objects.rotary(pe), x = handles.buffer(pe)) =>
    () =>
      rotary.step(x, { shape, inverse: false }),
  "step.apply":
    (pe, _, step = handles.step(pe)) =>
    () =>
      step.apply(5),
  "xpos.apply":
    (pe, inputs, xpos = objects.xpos(pe)) =>
    () =>
      xpos.apply(inputs.numbers(24), { shape, side: "key", offset: 1 }),
  "rotaryGrid.apply":
    (pe, inputs, rope = objects.rotaryGrid(pe)) =>
    () =>
      rope.apply(inputs.numbers(48), { shape: [6, 8], grid: [2, 3] }),
  "rotaryMixed.apply":
    (pe, inputs, rope = objects.rotaryMixed(pe)) =>
    () =>
      rope.apply(inputs.numbers(24), { shape: [3, 2, 4], points: [1, 2, 3, 4, 5, 6] }),
  "mrope.apply":
    (pe, inputs, rope = objects.mrope(pe)) =>
    () =>
      rope.apply(inputs.numbers(16), { shape: [2, 8], positions: inputs.ids(9, 3, 2) }),
  "mropePositions rows": (pe) => () =>
    pe.mropePositions({
      preset: "qwen2.5-vl",
      rows: [[{ text: 2 }, { video: [2, 4, 4], secondsPerGrid: 0.5 }], [{ text: 3 }]],
      padding: "right",
      tokensPerSecond: 2,
    }),
  "attention masked": (pe, inputs) => () =>
    pe.attention({
      query: inputs.tensor(1, 2, 3, 4),
      key: inputs.tensor(1, 1, 5, 4),
      value: inputs.tensor(1, 1, 5, 6),
      mask: { data: new Uint8Array(15).fill(1), shape: [3, 5] },
      keyMask: { data: [true, true, false, true, true], shape: [1, 5] },
      maskMeaning: "attend",
      causal: true,
      queryOffset: 2,
      dropout: { p: 0.1, seed: 3 },
    }),
};

/** Every method of an object, by name, also of what it inherits. */
export function methodsOf(object) {
  const methods = new Map();
  for (let at = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const key of Object.getOwnPropertyNames(at)) {
      const value = Object.getOwnPropertyDescriptor(at, key).value;
      if (typeof value === "function" && key !== "constructor" && !methods.has(key)) methods.set(key, value);
    }
  }
  return methods;
}

export const hasMethods = (value) =>
  typeof value === "object" &&
  value !== null &&
  !ArrayBuffer.isView(value) &&
  !Array.isArray(value) &&
  methodsOf(value).size > 0;

/** The library, and objects it makes, whose functions record a call instead of making it. */
function recorder(pe) {
  const written = { last: undefined, isOn: false };
  const ready = (made) => (hasMethods(made) ? wrapped(made) : made);
  const wrapped = (target) => {
    for (const [name, method] of methodsOf(target)) {
      const value = (...args) => {
        if (!written.isOn) return ready(method.apply(target, args));
        written.last = { args, target, call: (changed) => method.apply(target, changed) };
        return {};
      };
      Object.defineProperty(target, name, { value, configurable: true, enumerable: false });
    }
    return target;
  };
  const library = {};
  for (const [name, make] of Object.entries(pe)) {
    library[name] = (...args) => {
      if (!written.isOn) return ready(make(...args));
      written.last = { args, target: undefined, call: (changed) => make(...changed) };
      return {};
    };
  }
  return { library, written };
}

/** The same with lists and options of its own, since makers have some in common. */
function copied(value) {
  if (Array.isArray(value)) return value.map(copied);
  if (value?.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copied(item)]));
}

/** A seed: `next()` gives arguments, new each time, and what they are for; `anew()` makes its objects again. */
function seedOf(pe, name, maker) {
  const { library, written } = recorder(pe);
  const inputs = new Inputs();
  let make;
  const anew = () => {
    written.isOn = false;
    make = maker(library, inputs.again());
  };
  anew();
  return {
    name,
    function: name.split(" ")[0],
    inputs,
    anew,
    next() {
      inputs.again();
      written.isOn = true;
      written.last = undefined;
      try {
        make({});
      } finally {
        written.isOn = false;
      }
      const { args, target, call } = written.last;
      return { args: args.map(copied), target, call };
    },
  };
}

/** Not what calls with arguments can spoil (leaks.test.mjs has them), and what the published types do not have. */
const apart = ["delete", "dispose", "rotate", "cosinesAndSines", "lendCells"];

/** By name of a function ("alibi", "rotary.cache") and, after a space, the special case. */
export const seedsOf = (pe) => Object.entries({ ...makers, ...others }).map(([name, maker]) => seedOf(pe, name, maker));

/** The names of all functions. */
export function functionsOf(pe) {
  const names = Object.keys(pe);
  for (const [name, make] of Object.entries(handles)) {
    for (const method of methodsOf(make(pe)).keys()) {
      if (!apart.includes(method)) names.push(`${name}.${method}`);
    }
  }
  return names;
}

export { handles };
