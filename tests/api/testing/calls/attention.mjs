import { objects as rotaries } from "./rotary.mjs";

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

/** One rope of each library: a cache does not free its own. */
const ropes = new WeakMap();
const ropeOf = (pe) => ropes.get(pe) ?? ropes.set(pe, rotaries.rotary(pe)).get(pe);

export const objects = {
  kvCache: (pe) => pe.kvCache({ heads: 1, capacity: 6, dim: 4, seqAxis: 1, rope: ropeOf(pe) }),
  positionalEncoding: (pe) => pe.positionalEncoding({ dModel: 4, maxLen: 5 }),
};

export const makers = {
  add: (pe, inputs) => (more) => pe.add(inputs.tensor(2, 3, 4), inputs.tensor(5, 4), { seqAxis: 1, ...more }),
  addBackward: (pe, inputs) => (more) => pe.addBackward(inputs.tensor(2, 3, 4), { rows: 5, seqAxis: 0, ...more }),
  linear: (pe, inputs) => (more) => pe.linear(inputs.tensor(3, 4), inputs.tensor(5, 4), more),
  "linear with a bias": (pe, inputs) => (more) =>
    pe.linear(inputs.tensor(3, 4), inputs.tensor(5, 4), { bias: inputs.tensor(5), ...more }),
  linearBackward: (pe, inputs) => (more) =>
    pe.linearBackward({
      x: inputs.tensor(3, 4),
      weight: inputs.tensor(5, 4),
      gradient: inputs.tensor(3, 5),
      ...more,
    }),
  attention: (pe, inputs) => (more) => pe.attention({ ...inputs.attention(), weights: true, ...more }),
  "kvCache.attend": (pe, inputs, cache = pe.kvCache({ heads: 1, capacity: 6, dim: 4, seqAxis: 1 })) => {
    cache.append(inputs.tensor(3, 1, 4), inputs.tensor(3, 1, 4));
    return (more) => cache.attend(inputs.tensor(2, 1, 4), { weights: true, ...more });
  },
  attentionBackward: (pe, inputs) => (more) =>
    pe.attentionBackward({
      ...inputs.attention(),
      bias: inputs.tensor(2, 3, 5),
      biasScaled: false,
      gradient: inputs.tensor(2, 3, 6),
      ...more,
    }),
  multiHeadAttention: (pe, inputs) => (more) => pe.multiHeadAttention({ ...multiHead(inputs), weights: true, ...more }),
  multiHeadBackward: (pe, inputs) => (more) => {
    const options = multiHead(inputs);
    const saved = {
      query: inputs.tensor(2, 3, 3),
      key: inputs.tensor(2, 5, 3),
      value: inputs.tensor(2, 5, 3),
      context: inputs.tensor(3, 6),
    };
    return pe.multiHeadBackward({ ...options, saved, gradient: inputs.tensor(3, 5), ...more });
  },
  splitHeads: (pe, inputs) => (more) => pe.splitHeads(inputs.tensor(3, 4), { heads: 2, ...more }),
  mergeHeads: (pe, inputs) => (more) => pe.mergeHeads(inputs.tensor(2, 3, 4), more),
  linearAttention:
    (pe, inputs, rotary = rotaries.rotary(pe)) =>
    (more) =>
      pe.linearAttention({ ...inputs.attention(), rotary, ...more }),
  softmax: (pe, inputs) => (more) => pe.softmax(inputs.tensor(3, 4), more),
  softmaxBackward: (pe, inputs) => (more) =>
    pe.softmaxBackward({ weights: inputs.tensor(3, 4), gradient: inputs.tensor(3, 4), ...more }),
  dropout: (pe, inputs) => (more) => pe.dropout(inputs.tensor(3, 4), { p: 0.5, seed: 7, ...more }),
  "positionalEncoding.forward": (pe, inputs) => {
    const encoding = objects.positionalEncoding(pe);
    return (more) => encoding.forward(inputs.tensor(2, 3, 4), { training: true, seed: 3, seqAxis: 1, ...more });
  },
};

export const others = {
  "kvCache.truncate":
    (pe, _, cache = objects.kvCache(pe)) =>
    () =>
      cache.truncate(0),
  "kvCache.drop":
    (pe, _, cache = objects.kvCache(pe)) =>
    () =>
      cache.drop({ to: 0, keepPositions: true }),
  "kvCache.reset":
    (pe, _, cache = objects.kvCache(pe)) =>
    () =>
      cache.reset(),
  kvCache:
    (pe, _, rope = rotaries.rotary(pe)) =>
    () =>
      pe.kvCache({
        batch: 2,
        heads: 1,
        capacity: 6,
        dim: 4,
        valueDim: 3,
        dtype: "bfloat16",
        seqAxis: 2,
        rope,
      }),
  "kvCache.append":
    (pe, inputs, cache = objects.kvCache(pe)) =>
    () =>
      cache.append(inputs.tensor(1, 1, 4), inputs.tensor(1, 1, 4), { sequences: [0], positions: [5] }),
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
      weights: true,
      precision: "exact",
    }),
  positionalEncoding: (pe) => () => pe.positionalEncoding({ dModel: 6, dropout: 0.2, maxLen: 9 }),
};

export const refusals = {
  add: (pe, inputs) => (more) => pe.add(inputs.tensor(2, 3, 4), inputs.tensor(2, 4), { seqAxis: 1, ...more }),
  attention: (pe, inputs) => (more) => pe.attention({ ...inputs.attention(), scale: Number.NaN, ...more }),
  softmax: (pe) => (more) =>
    pe.softmax({ data: Float32Array.from({ length: 12 }, () => Number.NaN), shape: [3, 4] }, more),
  dropout: (pe, inputs) => (more) => pe.dropout(inputs.tensor(3, 4), { p: 2, seed: 7, ...more }),
  "positionalEncoding.forward": (pe, inputs) => {
    const encoding = pe.positionalEncoding({ dModel: 4, maxLen: 2 });
    return (more) => encoding.forward(inputs.tensor(2, 3, 4), { training: false, seqAxis: 1, ...more });
  },
};
