// node tests/api/diagnosis/random-cases.mjs [seed] [count]: rotations and caches with random mistakes, positions, damage and
// rounding. An answer is wrong if it says "as expected" of what is not, or is certain of an explanation that does not
// make the numbers again, computed here from what it says. Prints a table, how often what was done is named first, and
// the wrong cases.

import { load } from "posenc/tools";
import { bfloat16 } from "./rotations.mjs";

const [seed = 1, count = 1000] = process.argv.slice(2).map(Number);
const pe = await load();
let state = seed >>> 0;

function next() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}
const below = (end) => Math.floor(next() * end);
const pick = (list) => list[below(list.length)];
const other = (layout) => (layout === "half" ? "interleaved" : "half");

/** What each mistake makes of what is done, and the names that it may have. */
const mistakes = {
  base: (done) => ({ ...done, base: pick([10000, 500000, 1e6, 1234]) }),
  layout: (done) => ({ ...done, layout: other(done.layout), writes: other(done.layout) }),
  writes: (done) => ({ ...done, writes: other(done.layout) }),
  sign: (done) => ({ ...done, sign: -1 }),
  offset: (done) => ({ ...done, offset: pick([1, -1, 7, 0.5]) }),
  factor: (done) => ({ ...done, factor: pick([1.25, 0.5, 1.0001]) }),
  exponent: (done) => ({ ...done, exponent: pick([0.5, 2]) }),
};
const names = {
  base: ["base"],
  layout: ["layout", "permuted"],
  writes: ["permuted", "layout"],
  sign: ["sign"],
  offset: ["first-position"],
  factor: ["factor-other"],
  exponent: ["exponent-doubled", "exponent-halved", "base"],
};

/** What is done to the positions, and the names that it may have. */
const patterns = {
  "positions-modulo": (positions) => positions.map((p) => p % (positions.length >> 1 || 1)),
  "positions-clamped": (positions) => positions.map((p) => Math.min(p, positions[positions.length >> 1])),
  "offset-from": (positions) => positions.map((p, t) => (t < positions.length >> 1 ? p : p + 9)),
  "positions-restarted": (positions) => positions.map((p, t) => (t % 7 === 3 ? positions[0] + (t % 7) - 3 : p)),
  "positions-reversed": (positions) => [...positions].reverse(),
  "positions-other": (positions) => positions.map(() => below(300)),
};

/** Ways in which vectors are damaged, at an index. */
const damages = {
  none: () => {},
  one: (data, at) => {
    data[at] += 0.3;
  },
  stretch: (data, at) => data.fill(0.7, at, at + 3),
  zeros: (data, at, dim) => data.fill(0, at - (at % dim)),
  noise: (data) => {
    for (let i = 0; i < data.length; ++i) data[i] += 0.01 * (next() - 0.5);
  },
  token: (data, at, dim) => data.copyWithin(at - (at % dim), 0, dim),
};

/** A float16 of numbers from -2 to 2, rounded to nearest, as a number: ties are rare here. */
const float16 = (x) => {
  const step = Math.abs(x) < 2 ** -14 ? 2 ** -24 : 2 ** (Math.floor(Math.log2(Math.abs(x))) - 10);
  return Math.round(x / step) * step;
};
const roundings = {
  float32: (numbers) => numbers,
  bfloat16: (numbers) => new Float32Array(Uint32Array.from(bfloat16(numbers), (bits) => bits << 16).buffer),
  float16: (numbers) => numbers.map(float16),
};
const allowance = { float32: 2 ** -20, bfloat16: 2 ** -5, float16: 2 ** -8 };

const places = (layout, i, dim) => (layout === "half" ? [i, i + dim / 2] : [2 * i, 2 * i + 1]);

/** Calls `use` for each pair of each token with its angle, and the indices that are read and written. */
function forPairs(done, positions, use) {
  const { dim, base, layout, writes = layout, sign = 1, offset = 0, exponent = 1, scale = 1, pairs = dim / 2 } = done;
  for (const [token, position] of positions.entries())
    for (let i = 0; i < pairs; ++i) {
      const rate = done.rates ? done.rates[i] : base ** ((-exponent * i) / pairs);
      const at = (of) => places(of, i, 2 * pairs).map((dimension) => token * dim + dimension);
      use(sign * (position * scale + offset) * rate, at(layout), at(writes));
    }
}

function rotated(before, done, positions) {
  const after = Float32Array.from(before);
  const { factor = 1 } = done;
  forPairs(done, positions, (angle, [p, q], [u, v]) => {
    const [c, s] = [Math.cos(angle) * factor, Math.sin(angle) * factor];
    after[u] = before[p] * c - before[q] * s;
    after[v] = before[p] * s + before[q] * c;
  });
  return after;
}

/** How far vectors are from what a rotation makes, in what roundings may leave. */
function departure(before, after, done, positions, dtype) {
  const { factor = 1 } = done;
  let worst = 0;
  forPairs(done, positions, (angle, [p, q], [u, v]) => {
    const [x, y] = [before[p], before[q]];
    const allowed = Math.hypot(x, y) * factor * (allowance[dtype] + Math.abs(angle) * 2 ** -21);
    const [c, s] = [Math.cos(angle) * factor, Math.sin(angle) * factor];
    worst = Math.max(worst, Math.max(Math.abs(after[u] - x * c + y * s), Math.abs(after[v] - x * s - y * c)) / allowed);
  });
  return worst;
}

/** What an explanation says was done; undefined where this cannot compute it: rotated dimensions beside others, rules. */
function doneOf({ found }, dim) {
  const { plan, reads, writes, factor, offset, positionScale, inverse, exchanged, reciprocal, arithmetic, firstDim } =
    found;
  const { base = 10000, exponentDim = dim, exponent = "paper", rotaryDim = dim, scaling } = plan;
  const isSimple = !exchanged && !reciprocal && firstDim === 0 && rotaryDim === dim && exponent === "paper";
  if (!isSimple || arithmetic !== "exact" || (scaling && scaling.type !== "default" && scaling.type !== "given"))
    return undefined;
  const rates = scaling?.type === "given" ? scaling.frequencies : undefined;
  const sign = inverse ? -1 : 1;
  return {
    dim,
    base,
    exponent: dim / exponentDim,
    layout: reads,
    writes,
    factor,
    offset,
    scale: positionScale,
    sign,
    rates,
  };
}

const table = {};
const wrong = [];
let [named, nameable, remade] = [0, 0, 0];
for (let n = 0; n < count; ++n) {
  const own = state;
  const meant = { dim: pick([16, 32, 64]), base: pick([10000, 500000, 1e6]), layout: pick(["half", "interleaved"]) };
  const made = new Set(Array.from({ length: below(3) }, () => pick(Object.keys(mistakes))));
  let done = meant;
  for (const name of made) done = mistakes[name](done);
  const [tokens, start] = [pick([1, 2, 3, 8, 20, 70, 130]), pick([0, 0, 5, 1000, 100000])];
  const given = Array.from({ length: tokens }, (_, i) => start + i);
  const pattern = below(3) === 0 && tokens >= 8 ? pick(Object.keys(patterns)) : "none";
  const positions = pattern === "none" ? given : patterns[pattern](given);
  const dtype = pick(["float32", "float32", "bfloat16", "float16"]);
  const isCache = below(5) === 0;
  const width = meant.dim;
  const before = isCache
    ? Float32Array.from({ length: tokens * width }, (_, at) =>
        places(meant.layout, 0, 2)[0] === 0 && isFirst(at) ? 1 : 0,
      )
    : roundings[dtype](Float32Array.from({ length: tokens * width }, () => 2 * next() - 1));
  function isFirst(at) {
    return meant.layout === "half" ? at % width < width / 2 : at % 2 === 0;
  }
  const asCache = { ...done, layout: meant.layout, writes: meant.layout };
  if (isCache) for (const name of ["layout", "writes"]) made.delete(name);
  const after = roundings[dtype](rotated(before, isCache ? asCache : done, positions));
  const damage = below(4) === 0 ? pick(Object.keys(damages)) : "none";
  damages[damage](after, below(after.length), width);
  const tensor = (data) => ({ data, shape: [tokens, width], dtype });
  const part = (which) => ({
    data: after.filter((_, at) => isFirst(at) === (which === 0)),
    shape: [tokens, width / 2],
    dtype,
  });
  const samples = isCache
    ? { cos: part(0), sin: part(1), positions: given }
    : { before: tensor(before), after: tensor(after), positions: given };
  let answer;
  try {
    answer = pe.diagnose(samples, { expected: isCache ? { dim: meant.dim, base: meant.base } : meant });
  } catch (error) {
    if (!(isCache && tokens < 2)) wrong.push({ state: own, error: error.message });
    continue;
  }
  const { verdict, explanations } = answer;
  const isRight = verdict === "certain" && explanations[0].mistakes.length === 0;
  const key = `${isCache ? "cache" : "vectors"}, damage ${damage}`;
  table[key] ??= { cases: 0, certain: 0, "as expected": 0, likely: 0, ambiguous: 0, none: 0, "too-little": 0 };
  table[key].cases += 1;
  table[key][isRight ? "as expected" : verdict] += 1;
  const note = (what) =>
    wrong.push({
      what,
      state: own,
      meant,
      made: [...made],
      pattern,
      damage,
      tokens,
      start,
      dtype,
      isCache,
      mistakes: explanations[0]?.mistakes,
    });
  if (isRight && departure(before, after, meant, given, dtype) > 1) note("called as expected");
  if (verdict === "certain" && !isRight) {
    const said = doneOf({ found: { reads: meant.layout, writes: meant.layout, ...explanations[0].found } }, width);
    const at = explanations[0].found.positions?.values ?? given;
    const isPart = explanations[0].mistakes.some((name) =>
      /^(zero|heads|cache-form|exponent-by-dim|angles)/.test(name),
    );
    if (said && !isPart) {
      remade += 1;
      if (departure(before, after, said, at, dtype) > 1) note("certain of what does not make the numbers");
    }
  }
  if (damage !== "none" || !["certain", "likely"].includes(verdict)) continue;
  nameable += 1;
  const wanted = [...made].map((name) => names[name]).concat(pattern === "none" ? [] : [[pattern]]);
  const said = explanations[0].mistakes;
  if (
    said.length <= wanted.length &&
    wanted.filter((any) => any.some((name) => said.includes(name))).length >= said.length - 1
  )
    named += 1;
}
console.log(`seed ${seed}, ${count} cases: ${wrong.length} wrong; ${remade} certain ones computed again`);
console.log(`of ${nameable} undamaged ones with an answer, ${named} named as made or by a shorter name`);
console.table(table);
for (const each of wrong.slice(0, 20)) console.log(JSON.stringify(each));
process.exitCode = wrong.length === 0 ? 0 : 1;
