// Random sinusoidal tables, lists of frequencies, biases of distance, and ids of tokens.

import { allowance, explained, looseAngle, roundings, unit, worst } from "./chance.mjs";

const dtypes = ["float32", "float32", "bfloat16", "float16"];

/** The column of a pair's sine or cosine. */
const columns = {
  interleaved: (pair, isCosine) => 2 * pair + (isCosine ? 1 : 0),
  "interleaved-cosines-first": (pair, isCosine) => 2 * pair + (isCosine ? 0 : 1),
  split: (pair, isCosine, first) => pair + (isCosine ? first : 0),
  "cosines-first": (pair, isCosine, first) => pair + (isCosine ? 0 : first),
};

/** A table, and what float32 angles may leave of each value. */
function tableOf({ rows, dim, base, exponent = 1, order, amplitude = 1, offset = 0, scale = 1, sign = 1, ...rest }) {
  const [data, loose] = [new Float64Array(rows * dim), new Float64Array(rows * dim)];
  const first = Math.ceil(dim / 2);
  for (let at = 0; at < rows * Math.ceil(dim / 2); ++at) {
    const [row, pair] = [Math.floor(at / first), at % first];
    if (row === rest.padding) continue;
    const rate = base ** ((-2 * exponent * pair) / dim);
    const angle = ((rest.positions?.[row] ?? row) * scale + offset) * rate;
    for (const isCosine of 2 * pair + 1 < dim ? [false, true] : [false]) {
      const isOdd = 2 * pair + 1 === dim;
      if (isOdd && rest.zeroColumn) continue;
      const column =
        isOdd && order.startsWith("interleaved")
          ? dim - 1
          : columns[order](pair, isCosine, isOdd ? 0 : rest.zeroColumn && dim % 2 ? first - 1 : first);
      data[row * dim + column] = amplitude * (isCosine ? Math.cos(angle) : sign * Math.sin(angle));
      loose[row * dim + column] = amplitude * looseAngle(angle, rate);
    }
  }
  return { data, loose };
}

export function tables(chance) {
  const { pick, rarely } = chance;
  const [rows, dim] = [pick([2, 3, 8, 40, 100]), pick([6, 16, 32, 15])];
  const orders = dim % 2 === 1 ? ["interleaved"] : ["interleaved", "split", "cosines-first"];
  const meant = { rows, dim, base: pick([10000, 10000, 500]), order: pick(orders) };
  const changes = {
    base: () => ({ base: pick([10000, 500000, 1234]) }),
    arrangement: () => ({ order: pick(dim % 2 === 1 ? orders : Object.keys(columns)) }),
    amplitude: () => ({ amplitude: pick([2, Math.sqrt(dim), 0.37, 1000]) }),
    "first-position": () => ({ offset: pick([1, -1, 100, 0.5]) }),
    "position-scale": () => ({ scale: pick([0.5, 2, 1000]) }),
    "padding-row": () => ({ padding: pick([0, 1]) }),
    sign: () => ({ sign: -1 }),
    exponent: () => ({ exponent: pick([2, 0.5]) }),
  };
  const made = Array.from({ length: chance.below(3) }, () => pick(Object.keys(changes)));
  const done = Object.assign({}, meant, ...made.map((name) => changes[name]()));
  const dtype = pick(dtypes);
  const damaged = roundings[dtype](tableOf(done).data);
  const far = (as) => {
    const { data, loose } = tableOf(as);
    const { amplitude = 1 } = as;
    return worst(data.length, (at) => {
      const allowed = allowance(dtype, Math.max(Math.abs(amplitude), Math.abs(damaged[at]))) + explained * loose[at];
      return Math.abs(damaged[at] - data[at]) / allowed;
    });
  };
  const remade = ({ found, mistakes }) => {
    const { plan, arrangement, amplitude, offset, positionScale, arithmetic, zeroColumn, positions } = found;
    const { base = 10000, exponentDim = dim, exponent = "paper", scaling = { type: "default" } } = plan;
    if (arithmetic !== "exact" || exponent !== "paper" || scaling.type !== "default") return undefined;
    const as = {
      rows,
      dim,
      base,
      exponent: dim / exponentDim,
      order: arrangement,
      amplitude,
      zeroColumn,
      positions: positions?.values,
    };
    Object.assign(as, { offset, scale: positionScale, sign: (found.inverse ?? mistakes.includes("sign")) ? -1 : 1 });
    if (!found.paddingRow) return far(as);
    return Math.min(...Array.from({ length: rows }, (_, padding) => far({ ...as, padding })));
  };
  const { rows: _, ...options } = meant;
  return {
    samples: { table: { data: damaged, shape: [rows, dim], dtype } },
    expected: { type: "sinusoidal", ...options },
    damaged,
    width: dim,
    made,
    departs: () => far(meant),
    remade,
    about: { meant, dtype, once: rarely(2) },
  };
}

export function frequencies(chance) {
  const { pick, below, rarely } = chance;
  const pairs = pick([4, 16, 32, 64]);
  const divided = rarely(3) ? pick([2, 8]) : 1;
  const meant = { base: pick([10000, 500000]), divisor: divided };
  const changes = {
    base: () => ({ base: pick([10000, 1e6, 777]) }),
    exponent: () => ({ exponent: pick([2, 0.5]) }),
    reciprocal: () => ({ of: (rate) => 1 / rate }),
    wavelengths: () => ({ of: (rate) => (2 * Math.PI) / rate }),
    sign: () => ({ of: (rate) => -rate }),
    scaling: () => ({ divisor: pick([1, 3, 4]) }),
    zeros: () => ({ rotating: below(pairs) }),
  };
  const made = Array.from({ length: below(3) }, () => pick(Object.keys(changes)));
  const done = Object.assign({}, meant, ...made.map((name) => changes[name]()));
  const rates = ({ base, exponent = 1, divisor = 1, rotating = pairs, of = (rate) => rate }) =>
    Float64Array.from({ length: pairs }, (_, i) =>
      i < rotating ? of(base ** ((-exponent * i) / pairs) / divisor) : 0,
    );
  const dtype = pick(dtypes);
  const damaged = roundings[dtype](rates(done));
  const far = (right) =>
    worst(pairs, (i) => Math.abs(damaged[i] - right[i]) / (allowance(dtype, right[i]) + 2 ** -48 * Math.abs(right[i])));
  const units = { radians: (r) => r, reciprocals: (r) => 1 / r, wavelengths: (r) => (2 * Math.PI) / r };
  const remade = ({ found: { plan, unit: name } }) => {
    const { base = 10000, exponentDim = 2 * pairs, exponent = "paper", scaling = { type: "default" } } = plan;
    if (exponent !== "paper" || !["default", "linear"].includes(scaling.type)) return undefined;
    const own = { base, exponent: (2 * pairs) / exponentDim, divisor: scaling.factor ?? 1 };
    const sign = damaged.reduce((sum, value) => sum + Math.sign(value), 0) < 0 ? -1 : 1;
    return far(rates(own).map((rate) => sign * units[name](rate)));
  };
  return {
    samples: { frequencies: { data: damaged, shape: [pairs], dtype } },
    expected: {
      dim: 2 * pairs,
      base: meant.base,
      ...(divided > 1 && { scaling: { type: "linear", factor: divided } }),
    },
    damaged,
    width: 1,
    made,
    // A list may be of frequencies or of wavelengths: neither is a mistake.
    departs: () => Math.min(far(rates(meant)), far(rates(meant).map(units.wavelengths))),
    remade,
    about: { meant, pairs, dtype },
  };
}

/** Slopes of the paper: a geometric series of the largest power of two, and of twice as many every second one. */
function slopesOf(heads) {
  const lower = 2 ** Math.floor(Math.log2(heads));
  return Array.from(
    { length: heads },
    (_, h) => 2 ** (h < lower ? (-8 * (h + 1)) / lower : (-8 * (2 * (h - lower) + 1)) / (2 * lower)),
  );
}

const reaches = { symmetric: (x) => -Math.abs(x), linear: (x) => x, flat: (x) => Math.min(x, 0) };

export function biases(chance) {
  const { pick, rarely } = chance;
  const heads = pick([1, 4, 8, 12, 16]);
  const [queries, keys] = pick([
    [1, 6],
    [5, 5],
    [12, 12],
    [3, 20],
  ]);
  const causal = rarely(2);
  const meant = { slopes: slopesOf(heads), reach: "symmetric", first: keys - queries, causal };
  const changes = {
    slopes: () => ({ slopes: slopesOf(2 * heads).slice(0, heads) }),
    repeated: () => ({ slopes: meant.slopes.map((_, h) => meant.slopes[h % Math.max(1, heads >> 1)]) }),
    sign: () => ({ slopes: meant.slopes.map((slope) => -slope) }),
    factor: () => ({ slopes: meant.slopes.map((slope) => 0.125 * slope) }),
    "first-position": () => ({ first: pick([0, keys - queries + 1]) }),
    distance: () => ({ reach: pick(["linear", "flat"]) }),
    causal: () => ({ causal: !causal }),
    random: () => ({ slopes: meant.slopes.map(() => chance.next()) }),
  };
  const made = Array.from({ length: chance.below(3) }, () => pick(Object.keys(changes)));
  const done = Object.assign({}, meant, ...made.map((name) => changes[name]()));
  const dtype = pick(dtypes);
  const biasAt = ({ slopes, reach, first, causal: masks }, at) => {
    const [h, q, k] = [Math.floor(at / queries / keys), Math.floor(at / keys) % queries, at % keys];
    const x = k - q - first;
    return masks && x > 0 ? Number.NEGATIVE_INFINITY : slopes[h] * reaches[reach](x) + 0;
  };
  const size = heads * queries * keys;
  const damaged = roundings[dtype](Float64Array.from({ length: size }, (_, at) => biasAt(done, at)));
  // Slopes of float32 powers, and of a type of 16 bits before they are multiplied; products of slopes with the positions
  // of key and query, which are rounded before they are subtracted, in the value and in what it is compared with.
  const farthest = 2 * 3 * unit[dtype] * (keys + queries + Math.abs(keys - queries));
  const allowed = (value, slope = 0) =>
    allowance(dtype, value) + (2 * unit[dtype] + 2 * 16 * 2 ** -24) * Math.abs(value) + farthest * Math.abs(slope);
  // A constant of each row does not count where an explanation says so: softmax does not see it.
  const far = (as, upToRows = false) =>
    worst(size, (at) => {
      const row = at - (at % keys);
      const by = upToRows ? damaged[row] - biasAt(as, row) : 0;
      const [own, right] = [damaged[at], biasAt(as, at) + by];
      if (own <= -9984 && right <= -9984) return 0;
      const slope = as.slopes[Math.floor(at / queries / keys)];
      return Math.abs(own - right) / (allowed(Math.max(Math.abs(own), Math.abs(right)), slope) + allowed(by));
    });
  const remade = ({ found }) => {
    if (!["alibi", "linear"].includes(found.bias)) return undefined;
    const reach = found.distance || "linear";
    return far({ slopes: found.slopes, reach, first: found.firstQuery, causal: found.causal }, found.upToRows);
  };
  return {
    samples: { bias: { data: damaged, shape: [heads, queries, keys], dtype } },
    expected: { type: "alibi", causal },
    damaged,
    width: keys,
    made,
    departs: (explanation) => far(meant, explanation.found.upToRows),
    remade,
    about: { heads, queries, keys, causal, dtype },
  };
}

/** Ids, by the library's own rules: they are whole, and equal or not. */
export function ids(chance, pe) {
  const { pick, below, rarely } = chance;
  const presets = ["qwen2-vl", "qwen2.5-vl", "qwen3-vl", "glm4v", "ernie4.5-vl"];
  const segments = Array.from({ length: 1 + below(4) }, () =>
    pick([
      () => ({ text: 1 + below(6) }),
      () => ({ image: [1, 2 * (1 + below(3)), 2 * (1 + below(3))] }),
      () => ({
        video: [2 * (1 + below(3)), 2 * (1 + below(2)), 2 * (1 + below(3))],
        secondsPerGrid: pick([0.5, 1, 1.5]),
      }),
    ])(),
  );
  const meant = { preset: pick(presets) };
  const make = (more) => {
    try {
      return pe.mropePositions({ ...meant, segments, ...more }).positions;
    } catch {
      return undefined;
    }
  };
  const right = make({});
  if (!right) return undefined;
  const change = pick([{}, {}, { preset: pick(presets) }, { time: "whole-seconds" }, { next: "past-extent" }]);
  const made = make(change);
  if (!made || made.data.length !== right.data.length) return undefined;
  const tokens = right.shape[1];
  const offset = rarely(4) ? pick([1, -1, 0.5, 2 ** 32]) : 0;
  const modulus = rarely(6) ? 1 + below(12) : 0;
  const damaged = Float64Array.from(made.data, (id) => (modulus ? id % modulus : id) + offset);
  // Without a rule named, what any version does goes on rightly.
  const allowed = ["past-maximum", "past-extent"].map((next) => make({ next })).filter((each) => each);
  const equal = (to, more = 0) => to.data.every((id, at) => damaged[at] === id + more);
  return {
    samples: { ids: { data: damaged, shape: [3, tokens] }, segments },
    expected: { type: "ids", ...meant },
    damaged,
    width: tokens,
    made: Object.keys(change),
    departs: () => ([right, ...allowed].some((each) => equal(each)) ? 0 : 2),
    remade: ({ found }) => {
      if (found.positions) return found.positions.values.every((id, at) => id === damaged[at]) ? 0 : 2;
      const { preset, time, next, tokensPerSecond } = found;
      const whole = [{}, { tokensPerSecond }]
        .map((rate) => make({ preset, time, next, ...rate }))
        .filter((each) => each);
      const axes = (each) => ({
        data: found.axes.flatMap((axis) =>
          Array.from({ length: tokens }, (_, t) => (axis < 0 ? t : each.data[axis * tokens + t])),
        ),
      });
      return whole.length === 0 ? undefined : whole.some((each) => equal(axes(each), found.offset)) ? 0 : 2;
    },
    about: { meant, segments, change, offset, modulus },
  };
}
