// Random cases: a plan of a known model, what was expected of it, and what came in its place.

import { axesOf, changesOf, familyOf, models, pairsOf } from "./changes.mjs";
import { bitsOf, changed, computation, patterns, simulated, simulatedRates, types } from "./computation.mjs";
import { otherCase } from "./others.mjs";

/** Random numbers, the same for each seed. */
function randomOf(seed) {
  let state = Math.imul(seed, 0x9e3779b1) ^ Math.floor(seed / 2 ** 32);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n) => Math.floor(next() * n);
  const pick = (list) => list[below(list.length)];
  /** Picks a key by its weight. */
  const weighted = (weights) => {
    let rest = next() * Object.values(weights).reduce((a, b) => a + b);
    return Object.keys(weights).find((key) => {
      rest -= weights[key];
      return rest < 0;
    });
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return { next, below, pick, weighted, normal, chance: (p) => next() < p };
}

const count = (n, of = (i) => i) => Array.from({ length: n }, (_, i) => of(i));

const line = (n, first, step = 1) => count(n, (i) => first + step * i);

/** Positions as people sample them. */
const positionsBy = {
  near: (n) => count(n),
  "from 5": (n) => line(n, 5),
  even: (n, r) => line(n, 0, r.pick([2, 16, 100, 1024])),
  far: (n, r) => line(n, r.pick([1000, 4000, 30000, 100000, 1000000 - 100])),
  growing: (n, r) => {
    let last = -1;
    return count(n, () => (last += 1 + Math.floor(2 ** (r.next() * 12) - 1)));
  },
  period: (n) => count(n, (i) => (2 * Math.PI * i) / n),
  single: (n, r) => Array(n).fill(r.pick([0, 1, 7, 100, 5000])),
  documents: (n, r) => {
    const cut = 1 + r.below(n);
    return count(n, (i) => (i < cut ? i : i - cut));
  },
};

const inputsBy = {
  normal: (r) => () => r.normal(),
  "16 bits": (r) => () => types.bfloat16.round(r.normal()),
  integers: (r) => () => r.below(17) - 8,
  ones: () => () => 1,
  range: () => (at) => at / 16,
  "one-hot": (r, dim) => {
    let hot = 0;
    return (at) => {
      if (at % dim === 0) hot = r.below(dim);
      return at % dim === hot ? 1 : 0;
    };
  },
};

/** A model's numbers with few dimensions. */
function planOf(r, kind, isSmall) {
  const model = r.pick(
    models.filter(({ sections, rule }) => kind === "vectors" || !(sections || (kind === "table" && rule))),
  );
  const { base, rule, share = 1, length = 0, layout = "half", other, sections, atEnd } = model;
  const sizes = isSmall ? { 0: 1, 1: 2, 2: 1 } : { 0: 1, 1: 3, 2: 4, 3: 3, 4: 1, 5: 0.5 };
  const dim = 2 ** (2 + Number(r.weighted(sizes))) * (sections || rule?.fraction ? 2 : 1);
  const rotaryDim = kind === "vectors" ? Math.max(2, share * dim) : dim;
  const pairs = rotaryDim / 2;
  const isOdd = kind === "vectors" && r.chance(0.05);
  const plan = computation({
    ...{ dim, rotaryDim, base, length, rule: typeof rule === "function" ? rule(pairs) : (rule ?? { type: "default" }) },
    ...(kind === "table"
      ? { reads: "half", writes: r.pick(["sines-first", "sines-first-interleaved", "half"]) }
      : { reads: kind === "vectors" ? layout : "half", writes: kind === "vectors" && !isOdd ? layout : "half" }),
    first: atEnd && kind === "vectors" ? dim - rotaryDim : 0,
    inverse: kind !== "frequencies" && kind !== "table" && r.chance(0.04),
    ...(kind === "vectors" && r.chance(0.04) && { offset: 2 }),
    ...(kind === "vectors" && r.chance(0.03) && { scale: 0.5 }),
  });
  const others = other ? [other] : [];
  if (!sections) return { plan, others };
  const own = [pairs / 2, pairs / 4, pairs / 4];
  return { plan: { ...plan, sections: own, order: model.order, axes: axesOf(own, model.order, pairs) }, others };
}

const orderNames = { "sines-first": "split", "sines-first-interleaved": "interleaved", half: "cosines-first" };

/** The expectation as the library takes it. */
function publicPlan(c, kind, others) {
  const { dim, base } = c;
  if (kind === "table") return { type: "sinusoidal", dim, base, order: orderNames[c.writes] };
  const rule = c.rule.type === "default" ? {} : { scaling: c.rule };
  const own = {
    dim,
    base,
    ...rule,
    ...(c.length && { length: c.length }),
    ...(c.rotaryDim < dim && { rotaryDim: c.rotaryDim }),
  };
  if (kind === "frequencies") return own;
  const layout = c.reads === c.writes ? c.reads : "deinterleaved";
  return {
    ...own,
    ...(kind === "vectors" && { layout, ...(c.first && { firstDim: c.first }) }),
    ...(c.inverse && { inverse: true }),
    ...(c.offset && { offset: c.offset }),
    ...(c.scale !== 1 && { positionScale: c.scale }),
    ...(!c.isFree && { arithmetic: c.arithmetic }),
    ...(c.axes && { mrope: { sections: c.sections, order: c.order } }),
    ...(others.length && {
      others: others.map((each) => ({ dim, layout, base: each.base, scaling: each.rule, rotaryDim: c.rotaryDim })),
    }),
  };
}

/** Positions of tokens that are not those given, by a pattern with its numbers. */
function patterned(r, [list]) {
  const [n, top] = [list.length, Math.max(...list)];
  const at = 1 + r.below(n - 1);
  const made = {
    "positions-modulo": () => patterns["positions-modulo"](2 + r.below(Math.max(2, top / 2))),
    "positions-clamped": () => patterns["positions-clamped"](1 + r.below(Math.max(2, top))),
    "positions-constant": () => patterns["positions-constant"](r.pick([1, 7, 300])),
    "offset-from": () => patterns["offset-from"](1 + r.below(100), at),
    "positions-restarted": () => patterns["positions-restarted"](at),
    "positions-joined": () => patterns["positions-joined"](),
  };
  const name = r.pick(Object.keys(made));
  return { name, pattern: made[name]() };
}

/** Damage: { name, apply(after, sample, right) }, each more than roundings. */
const damages = {
  "one value moved":
    (r) =>
    (after, { type }) => {
      const at = r.below(after.length);
      const size = Math.max(...after.map(Math.abs), 1e-3);
      after[at] += (r.chance(0.5) ? 1 : -1) * size * Math.max(60 * types[type].unit, 2 ** -12) * 2 ** r.below(9);
    },
  "noise on all":
    (r) =>
    (after, { type }) => {
      const size = Math.max(...after.map(Math.abs), 1e-3) * Math.max(60 * types[type].unit, 1e-3);
      for (let at = 0; at < after.length; ++at) after[at] += size * (1 + r.next()) * (r.chance(0.5) ? 1 : -1);
    },
  "two of them mixed":
    (r) =>
    (after, { heads, dim }, others) => {
      const by = r.pick(["token", "head", "pair"]);
      for (let at = 0; at < after.length; ++at) {
        const [token, head, pair] = [Math.floor(at / dim / heads), Math.floor(at / dim) % heads, at % (dim / 2)];
        if ({ token, head, pair }[by] % 2 === 1) after[at] = others[at];
      }
    },
};

/** Values as an array of the library's callers, of one of the containers that a type has. */
function tensorOf(type, container, numbers, shape) {
  if (type === "float64") return { data: Float64Array.from(numbers), shape };
  if (type === "float32") return { data: Float32Array.from(numbers), shape };
  if (container === "bits") return { data: bitsOf(type, numbers), shape, dtype: type };
  return { data: Float32Array.from(numbers), shape, ...(container === "stated" && { dtype: type }) };
}

/** The cosines and sines [rows, 2 n] in a form. */
const forms = {
  onnx: (n) => [count(n), count(n, (i) => n + i)],
  huggingface: (n) => [count(2 * n, (i) => i % n), count(2 * n, (i) => n + (i % n))],
  "huggingface-interleaved": (n) => [count(2 * n, (i) => i >> 1), count(2 * n, (i) => n + (i >> 1))],
  ggml: (n) => [count(2 * n, (i) => (i >> 1) + (i % 2) * n)],
  joined: (n) => [count(2 * n)],
};

function cacheOf(form, { tokens, dim }, after, tensor) {
  const parts = forms[form](dim / 2).map((columns) =>
    tensor(
      count(tokens).flatMap((t) => columns.map((k) => after[t * dim + k])),
      form === "ggml" ? [tokens, dim / 2, 2] : [tokens, columns.length],
    ),
  );
  return parts.length === 2 ? { cos: parts[0], sin: parts[1] } : { cosSin: parts[0] };
}

/** What came: the plan, changes of it, another of the family, or damage; `names` of the mistakes, where it is listed. */
function done(r, plan, kind, facts, positions) {
  const way = r.weighted({
    right: 3,
    single: 4,
    pair: 2.5,
    family: 1.5,
    damage: 2.5,
    tokens: kind === "vectors" ? 1 : 0,
  });
  const singles = changesOf(plan, kind, facts);
  if (way === "single") {
    const { name, made } = r.pick(singles);
    return { way, made, names: [name] };
  }
  if (way === "pair") {
    const all = [...pairsOf(count(8, () => r.pick(singles)))];
    return all.length === 0 ? { way: "right", made: plan, names: [] } : { way, ...r.pick(all) };
  }
  if (way === "family" && kind !== "frequencies") return { way, made: r.pick(familyOf(plan, kind)) };
  if (way === "tokens" && positions[0].length > 3) {
    const { name, pattern } = patterned(r, positions);
    if (positions[0].every((p, t) => pattern(positions[0])[t] === p)) return { way: "right", made: plan, names: [] };
    return { way, made: { ...plan, pattern }, names: [name] };
  }
  if (way !== "damage") return { way: "right", made: plan, names: [] };
  const name = r.pick(Object.keys(damages));
  const made = r.chance(0.6) ? plan : r.pick(singles).made;
  return { way: name, made, damage: damages[name](r), other: r.pick([...singles, { made: plan }]).made };
}

/**
 * The case of a seed: { kind, way, samples and expected as the library takes them; the sample as the judge has it; what
 * was `meant` (or undefined), what was `done` (undefined where damaged), and the `names` of its mistakes where listed }.
 * Small ones have a head of at most 16 dimensions and 2 to 6 tokens; others are no rotations of a line.
 */
export function caseOf(seed, { isSmall = false, isOther = false } = {}) {
  const r = randomOf(seed);
  if (isOther) return { seed, ...otherCase(r, { inputsBy, tensorOf }) };
  const kind = r.weighted({ vectors: 7, cache: 1.5, table: 1, frequencies: 1 });
  const isOutputs = kind === "vectors" && r.chance(0.1);
  let type = r.weighted({ float32: 5, bfloat16: 3, float16: 1.5, float64: 1 });
  const container = r.pick(["bits", "bits", "stated", "stated", "unstated"]);
  let { plan, others } = planOf(r, kind, isSmall);
  if (kind !== "frequencies" && kind !== "table" && r.chance(0.15))
    plan = changed(plan, { arithmetic: r.pick(["exact", "float32", "bfloat16"]), isFree: false });
  const tokens =
    kind === "frequencies"
      ? 1
      : isSmall
        ? 2 + r.below(5)
        : Math.min(64, Math.floor(2 ** (r.next() * (plan.dim > 64 ? 4 : 6.02))) + (kind === "vectors" ? 0 : 3));
  const heads = kind === "vectors" && !isSmall ? Number(r.weighted({ 1: 5, 2: 3, 4: 1, 8: 0.5 })) : 1;
  const isGiven = kind === "vectors" || r.chance(0.4);
  const where = isGiven ? r.pick(Object.keys(positionsBy)) : "near";
  const positions = [positionsBy[where](tokens, r)];
  if (plan.axes)
    for (let axis = 1; axis < 3; ++axis)
      positions.push(r.chance(0.2) ? positions[0] : count(tokens, () => r.below(60)));
  const { dim } = plan;
  const inputs = r.weighted({ normal: 4, "16 bits": 1.5, integers: 1, ones: 0.7, range: 0.7, "one-hot": 0.7 });
  const before =
    kind === "vectors"
      ? Float64Array.from(count(tokens * heads * dim), inputsBy[inputs](r, dim)).map((x) => types[type].round(x))
      : null;
  const sample = { tokens, heads, dim, before, positions, type };
  const facts = { positions: kind === "frequencies" ? [] : positions, heads, first: positions[0][0], others };
  let { way, made, names, damage, other } = done(r, plan, kind, facts, positions);
  if (kind === "frequencies" && (type === "bfloat16" || type === "float16")) {
    // A list in 16 bits is one that was cast, and once.
    if (made.stored) type = "float32";
    else {
      names = names && [...names, `frequencies-${type}`];
      made = changed(made, { stored: type });
    }
  }

  // Where nothing is expected, positions are what is known.
  const isNamed = isOutputs || r.chance(0.75) || made.pattern !== undefined;
  const simulate = (c) => {
    if (kind === "frequencies") return simulatedRates(c, type);
    const step = r.pick(type === "float64" ? ["once"] : ["once", "each", "float32"].slice(0, before ? 3 : 1));
    const own = c.isFree
      ? {
          arithmetic: r.pick([
            "exact",
            "float32",
            ...(c.stored || c.reciprocal || c.rule.type !== "default" || c.dim > 32 ? [] : ["product"]),
          ]),
          isFree: false,
        }
      : {};
    return simulated({ ...c, ...own }, sample, type, step);
  };
  let after = simulate(made);
  // Angles that a type does not have are none of an implementation.
  if (after.some(Number.isNaN)) {
    [way, made, names, damage] = ["right", changed(plan, { stored: made.stored }), [], undefined];
    if (made.stored) names = [`frequencies-${made.stored}`];
    after = simulate(made);
  }
  damage?.(
    after,
    kind === "frequencies" ? { ...sample, heads: 1, dim: after.length } : sample,
    way.includes("mixed") ? simulate(other) : undefined,
  );
  for (let at = 0; at < after.length; ++at) after[at] = types[type].round(after[at]);
  if (kind === "frequencies") sample.rates = after;
  else sample.after = after;

  const tensor = (numbers, shape) => tensorOf(type, container, numbers, shape);
  const list = plan.axes ? { data: positions.flat(), shape: [3, tokens] } : positions[0];
  const isTransposed = kind === "vectors" && r.chance(0.25);
  const vectors = (numbers) => {
    if (!isTransposed) return tensor(numbers, [tokens, heads, dim]);
    const order = Float64Array.from(numbers, (_, at) => {
      const [head, token, k] = [Math.floor(at / dim / tokens), Math.floor(at / dim) % tokens, at % dim];
      return numbers[(token * heads + head) * dim + k];
    });
    return tensor(order, [heads, tokens, dim]);
  };
  const given = isGiven ? { positions: list } : {};
  const seqAxis = isTransposed ? 1 : 0;
  let samples;
  let form;
  if (isOutputs) {
    const a = vectors(simulate(plan));
    samples = { a, b: vectors(after), before: vectors(before), seqAxis, ...given };
  } else if (kind === "vectors") samples = { before: vectors(before), after: vectors(after), seqAxis, ...given };
  else if (kind === "table") samples = { table: tensor(after, [tokens, dim]), ...given };
  else if (kind === "frequencies") samples = { frequencies: tensor(after, [after.length]) };
  else {
    form = r.pick(Object.keys(forms));
    samples = { ...cacheOf(form, sample, after, tensor), ...given };
  }
  const isUnstated = container === "unstated" && (type === "bfloat16" || type === "float16");
  return {
    ...{
      seed,
      kind: isOutputs ? "outputs" : kind,
      type,
      way: isNamed ? way : `${way}, nothing expected`,
      samples,
      sample,
      form,
    },
    expected: isNamed ? publicPlan(plan, kind, others) : undefined,
    meant: isNamed ? plan : undefined,
    done: damage ? undefined : made,
    names: isNamed ? names : undefined,
    ...{ facts, plan, isUnstated, where, inputs, container },
  };
}
