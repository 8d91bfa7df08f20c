// Random vectors and caches of one axis, and vectors of several (M-RoPE): made with mistakes, other positions, mixtures.

import { allowance, explained, looseAngle, roundings, worst } from "./chance.mjs";

const other = (layout) => (layout === "half" ? "interleaved" : "half");
const places = (layout, i, dim) => (layout === "half" ? [i, i + dim / 2] : [2 * i, 2 * i + 1]);

/** Each mistake changes what is done. */
const mistakes = {
  base: (done, { pick }) => ({ ...done, base: pick([10000, 500000, 1e6, 1234, 9876.5]) }),
  layout: (done) => ({ ...done, layout: other(done.layout), writes: other(done.layout) }),
  permuted: (done) => ({ ...done, writes: other(done.layout) }),
  sign: (done) => ({ ...done, sign: -1 }),
  "first-position": (done, { pick }) => ({ ...done, offset: pick([1, -1, 7, 0.5]) }),
  "factor-other": (done, { pick }) => ({ ...done, factor: pick([1.25, 0.5, 1.0001]) }),
  exponent: (done, { pick }) => ({ ...done, exponent: pick([0.5, 2]) }),
  "position-scale": (done, { pick }) => ({ ...done, scale: pick([0.5, 0.25, 2, 3]) }),
  reciprocal: (done) => ({ ...done, exponent: -1 }),
  exchanged: (done) => ({ ...done, exchanged: true }),
  float32: (done) => ({ ...done, rounds: Math.fround }),
};

/** The names that a mistake may have. */
export const names = {
  layout: ["layout", "permuted"],
  permuted: ["layout", "permuted"],
  exponent: ["exponent-doubled", "exponent-halved", "base"],
  float32: [],
};

/** Changes of the positions. */
const patterns = {
  "positions-modulo": (positions) => positions.map((p) => p % (positions.length >> 1 || 1)),
  "positions-clamped": (positions) => positions.map((p) => Math.min(p, positions[positions.length >> 1])),
  "offset-from": (positions) => positions.map((p, t) => (t < positions.length >> 1 ? p : p + 9)),
  "positions-restarted": (positions) => positions.map((p, t) => (t % 7 === 3 ? positions[0] + (t % 7) - 3 : p)),
  "positions-reversed": (positions) => [...positions].reverse(),
  "positions-constant": (positions) => positions.map(() => 7),
  "positions-other": (positions, { below }) => positions.map(() => below(300)),
};

/** Calls `use` for each pair of each token with its angle and rate, and the indices that are read and written. */
function forPairs(done, axes, use) {
  const { dim, base, layout, writes = layout, sign = 1, offset = 0, exponent = 1, scale = 1 } = done;
  const { rounds = (x) => x, axisOfPair, heads = 1, head = dim, first = 0 } = done;
  for (let row = 0; row < axes[0].length * heads; ++row)
    for (let i = 0; i < dim / 2; ++i) {
      const rate = rounds(done.rates ? done.rates[i] : base ** ((-2 * exponent * i) / dim));
      const at = (of) => places(of, i, dim).map((dimension) => row * head + first + dimension);
      const position = axes[axisOfPair?.[i] ?? 0][Math.floor(row / heads)] * scale + offset;
      use(sign * rounds(position * rate), at(layout), at(writes), rate);
    }
}

const turn = ({ factor = 1, exchanged = false }, angle) => {
  const both = [Math.cos(angle) * factor, Math.sin(angle) * factor];
  return exchanged ? both.reverse() : both;
};

function rotated(before, done, axes) {
  const after = Float64Array.from(before);
  forPairs(done, axes, (angle, [p, q], [u, v]) => {
    const [c, s] = turn(done, angle);
    after[u] = before[p] * c - before[q] * s;
    after[v] = before[p] * s + before[q] * c;
  });
  return after;
}

/** The input of a rotation, from its output. */
export const rotatedBack = (after, done, axes) => {
  const { layout, writes = layout, sign = 1, factor = 1 } = done;
  return rotated(after, { ...done, layout: writes, writes: layout, sign: -sign, factor: 1 / factor }, axes);
};

/**
 * How far vectors are from what a rotation makes, in what roundings and float32 angles may leave; where the input was
 * computed back from an output, that output's roundings of a vector's largest value, too.
 */
function departure(before, after, done, axes, dtype, isBack = false) {
  const width = done.head ?? done.dim;
  const largest = (at) => Math.max(...before.subarray(at - (at % width), at - (at % width) + width).map(Math.abs));
  const own = (size, at) => allowance(dtype, size) + (isBack ? 2 * allowance(dtype, largest(at)) : 0);
  const rotates = new Set();
  let most = 0;
  forPairs(done, axes, (angle, [p, q], [u, v], rate) => {
    rotates.add(u).add(v);
    const [x, y] = [before[p], before[q]];
    const [c, s] = turn(done, angle);
    const right = [x * c - y * s, x * s + y * c];
    const size = Math.max(Math.hypot(...right), Math.hypot(after[u], after[v]));
    const allowed = own(size, u) + explained * looseAngle(angle, rate) * Math.hypot(...right);
    most = Math.max(
      most,
      worst(2, (i) => Math.abs(after[i === 0 ? u : v] - right[i]) / allowed),
    );
  });
  const still = (at) => Math.abs(after[at] - before[at]) / own(before[at], at);
  return Math.max(
    most,
    worst(before.length, (at) => (rotates.has(at) ? 0 : still(at))),
  );
}

/** Does what an explanation says; undefined where this cannot compute it: rules. */
function doneOf(found, heads, layout) {
  const { plan, reads = layout, writes = layout, factor, offset, positionScale, inverse, exchanged } = found;
  const { base = 10000, rotaryDim: dim = plan.dim, exponentDim = dim, exponent = "paper" } = plan;
  const { scaling = { type: "default" } } = plan;
  const isSimple = exponent === "paper" && found.arithmetic === "exact";
  const { type, factor: divisor = 1, frequencies: rates } = scaling;
  if (!isSimple || !["default", "given", "linear"].includes(type)) return undefined;
  if (found.reciprocal && rates) return undefined;
  const times = type !== "linear" ? 1 : found.reciprocal ? divisor : 1 / divisor;
  return {
    dim,
    heads,
    head: plan.dim,
    first: found.firstDim,
    base,
    exponent: ((found.reciprocal ? -1 : 1) * dim) / exponentDim,
    layout: reads,
    writes,
    factor,
    offset: offset * times,
    scale: positionScale * times,
    sign: inverse ? -1 : 1,
    exchanged,
    rates,
    axisOfPair: found.axisOfPair,
  };
}

/** Names of what is no one rotation of all: of the rest alone it is said what was done. */
const isPart = ({ mistakes: all }) => all.some((name) => /^(zero|heads|cache-form|exponent-by-dim)/.test(name));

export function remade(explanation, before, after, axes, dtype, { heads = 1, layout, isBack } = {}) {
  const { found } = explanation;
  const done = doneOf(found, heads, layout);
  if (!done || isPart(explanation)) return undefined;
  const values = found.positions?.values;
  const own = values ? axes.map((_, k) => values.slice(k * axes[0].length, (k + 1) * axes[0].length)) : axes;
  return departure(before, after, done, own, dtype, isBack);
}

/** Draws what is done in place of what is meant: up to two mistakes. */
function doneBy(meant, chance, known) {
  const made = new Set(Array.from({ length: chance.below(3) }, () => chance.pick(known)));
  let done = meant;
  for (const name of made) done = mistakes[name](done, chance);
  return { done, made: [...made] };
}

const dtypes = ["float32", "float32", "bfloat16", "float16"];

export function vectors(chance) {
  const { pick, below, rarely } = chance;
  const plan = { dim: pick([16, 32, 64]), base: pick([10000, 500000, 1e6]), layout: pick(["half", "interleaved"]) };
  const [heads, still] = [pick([1, 1, 2, 3]), rarely(4) ? 16 : 0];
  const meant = { ...plan, heads, head: plan.dim + still, first: still && rarely(2) ? still : 0 };
  const { done, made } = doneBy(meant, chance, Object.keys(mistakes));
  const [tokens, start] = [pick([1, 2, 3, 8, 20, 70, 130]), pick([0, 0, 5, 1000, 100000])];
  const given = Array.from({ length: tokens }, (_, i) => start + i);
  const pattern = rarely(3) && tokens >= 8 ? pick(Object.keys(patterns)) : "none";
  const positions = pattern === "none" ? given : patterns[pattern](given, chance);
  const dtype = pick(dtypes);
  const before = roundings[dtype](chance.values(tokens * heads * meant.head));
  const exact = rotated(before, done, [positions]);
  // A mixture: some tokens, or some dimensions, by another rule.
  const mixture = rarely(6) ? pick(["tokens", "dimensions", "mean"]) : "none";
  if (mixture !== "none") {
    const more = rotated(before, doneBy(meant, chance, Object.keys(mistakes)).done, [given]);
    const cut = below(exact.length);
    for (let at = 0; at < exact.length; ++at) {
      if (mixture === "mean") exact[at] = (exact[at] + more[at]) / 2;
      else if (mixture === "tokens" ? at > cut : at % meant.head > cut % meant.head) exact[at] = more[at];
    }
  }
  const after = roundings[dtype](exact);
  const tensor = (data) => ({ data, shape: [tokens, ...(heads > 1 ? [heads] : []), meant.head], dtype });
  return {
    samples: { before: tensor(before), after: tensor(after), positions: given },
    expected: still ? { ...plan, dim: meant.head, rotaryDim: plan.dim, firstDim: meant.first } : plan,
    damaged: after,
    width: meant.head,
    made: pattern === "none" ? made : [...made, pattern],
    mixture,
    departs: () => departure(before, after, meant, [given], dtype),
    remade: (explanation) => remade(explanation, before, after, [given], dtype, { heads }),
    about: { meant, tokens, start, dtype, mixture },
  };
}

export function caches(chance) {
  const { pick, rarely } = chance;
  const meant = { dim: pick([16, 32, 64]), base: pick([10000, 500000, 1e6]) };
  const known = Object.keys(mistakes).filter((name) => !/layout|permuted/.test(name));
  const { done, made } = doneBy(meant, chance, known);
  const [tokens, start] = [pick([2, 3, 8, 20, 70, 130]), pick([0, 0, 5, 1000, 100000])];
  const given = Array.from({ length: tokens }, (_, i) => start + i);
  const pattern = rarely(3) && tokens >= 8 ? pick(Object.keys(patterns)) : "none";
  const positions = pattern === "none" ? given : patterns[pattern](given, chance);
  const dtype = pick(dtypes);
  const pairs = meant.dim / 2;
  const before = Float32Array.from({ length: tokens * meant.dim }, (_, at) => (at % meant.dim < pairs ? 1 : 0));
  const after = roundings[dtype](rotated(before, { ...done, layout: "half" }, [positions]));
  const isFirst = (at) => at % meant.dim < pairs;
  const part = (first) => ({ data: after.filter((_, at) => isFirst(at) === first), shape: [tokens, pairs], dtype });
  const [cos, sin] = [part(true), part(false)];
  const whole = () =>
    Float32Array.from(after, (_, at) => {
      const [token, k] = [Math.floor(at / meant.dim), at % meant.dim];
      return (k < pairs ? cos : sin).data[token * pairs + (k % pairs)];
    });
  return {
    samples: { cos, sin, positions: given },
    expected: meant,
    damaged: pick([cos, sin]).data,
    width: pairs,
    made: pattern === "none" ? made : [...made, pattern],
    departs: () => departure(before, whole(), { ...meant, layout: "half" }, [given], dtype),
    remade: (explanation) => remade(explanation, before, whole(), [given], dtype, { layout: "half" }),
    about: { meant, tokens, start, dtype },
  };
}

const orders = {
  chunked: (sections) => sections.flatMap((count, axis) => new Array(count).fill(axis)),
  interleaved: (sections) => {
    const pairs = sections.reduce((a, b) => a + b);
    return Array.from({ length: pairs }, (_, pair) => (Math.floor(pair / 3) < sections[pair % 3] ? pair % 3 : 0));
  },
};

/** Vectors at positions of three axes. */
export function mrope(chance) {
  const { pick, below, rarely } = chance;
  const sections = pick([
    [2, 3, 3],
    [4, 2, 2],
    [6, 5, 5],
  ]);
  const pairs = sections.reduce((a, b) => a + b);
  const order = pick(Object.keys(orders));
  const meant = { dim: 2 * pairs, base: pick([10000, 500000]), layout: pick(["half", "interleaved"]) };
  const own = { ...meant, axisOfPair: orders[order](sections) };
  const changes = {
    none: (map) => map,
    sections: () => orders[order]([...sections].reverse()),
    "section-order": () => orders[order === "chunked" ? "interleaved" : "chunked"](sections),
    "axes-order": (map) => map.map((axis) => [0, 2, 1][axis]),
    "axis-missing": (map) => map.map(() => 0),
  };
  const change = rarely(2) ? pick(Object.keys(changes)) : "none";
  const { done, made } = doneBy(
    { ...own, axisOfPair: changes[change](own.axisOfPair) },
    chance,
    Object.keys(mistakes).filter((name) => name !== "float32"),
  );
  if (rarely(8)) {
    const counts = [0, 0, 0];
    done.rates = own.axisOfPair.map((axis) => done.base ** (-counts[axis]++ / sections[axis]));
  }
  const [tokens, columns] = [pick([4, 9, 20, 60]), pick([2, 3, 5])];
  const isText = rarely(8);
  const given = [0, 1, 2].map((axis) =>
    Array.from({ length: tokens }, (_, t) =>
      isText || axis === 0
        ? isText
          ? t
          : 3 + Math.floor(t / 12)
        : 3 + (axis === 1 ? Math.floor(t / columns) : t % columns),
    ),
  );
  const positions = rarely(6) ? given.map((axis) => axis.map((p, t) => (t < tokens / 2 ? p : p + 9))) : given;
  const dtype = pick(dtypes);
  const before = roundings[dtype](chance.values(tokens * meant.dim));
  const after = roundings[dtype](rotated(before, done, positions));
  const tensor = (data) => ({ data, shape: [tokens, meant.dim], dtype });
  return {
    samples: {
      before: tensor(before),
      after: tensor(after),
      positions: { data: given.flat(), shape: [3, tokens] },
    },
    expected: { ...meant, mrope: { sections, order } },
    damaged: after,
    width: meant.dim,
    made: change === "none" ? made : [...made, change],
    departs: () => departure(before, after, own, given, dtype),
    remade: (explanation) => remade(explanation, before, after, given, dtype),
    about: { meant, sections, order, tokens, isText, dtype, below: below(2) },
  };
}
