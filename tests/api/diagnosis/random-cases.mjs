// node tests/api/diagnosis/random-cases.mjs [seed] [count]: rotations with random mistakes, damage and rounding. A verdict is
// wrong if it calls "as expected" what is further from that than roundings explain. Prints a table and the wrong cases.

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

/** What each mistake makes of what is done. */
const mistakes = {
  base: (done) => ({ ...done, base: pick([10000, 500000, 1e6, 1234]) }),
  layout: (done) => ({ ...done, layout: other(done.layout), writes: other(done.layout) }),
  writes: (done) => ({ ...done, writes: other(done.layout) }),
  sign: (done) => ({ ...done, sign: -1 }),
  offset: (done) => ({ ...done, offset: pick([1, -1, 7, 0.5]) }),
  factor: (done) => ({ ...done, factor: pick([1.25, 0.5, 1.0001]) }),
  exponent: (done) => ({ ...done, exponent: pick([0.5, 2]) }),
};

/** Ways in which rotated vectors are damaged, at an index. */
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

const rounded = (numbers, dtype) =>
  dtype === "float32" ? numbers : new Float32Array(Uint32Array.from(bfloat16(numbers), (bits) => bits << 16).buffer);
const places = (layout, i, dim) => (layout === "half" ? [i, i + dim / 2] : [2 * i, 2 * i + 1]);

/** Calls `use` for each pair of each token with its angle, and the indices that are read and written. */
function forPairs({ dim, base, layout, writes = layout, sign = 1, offset = 0, exponent = 1 }, positions, use) {
  for (const [token, position] of positions.entries())
    for (let i = 0; i < dim / 2; ++i) {
      const angle = sign * (position + offset) * base ** ((-exponent * 2 * i) / dim);
      const at = (of) => places(of, i, dim).map((dimension) => token * dim + dimension);
      use(angle, at(layout), at(writes));
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

/** How far vectors are from what was meant, in what roundings may leave. */
function departure(before, after, meant, positions, dtype) {
  let worst = 0;
  forPairs(meant, positions, (angle, [p, q]) => {
    const [x, y] = [before[p], before[q]];
    const allowed = Math.hypot(x, y) * ((dtype === "float32" ? 2 ** -20 : 2 ** -5) + Math.abs(angle) * 2 ** -21);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const far = Math.max(Math.abs(after[p] - x * c + y * s), Math.abs(after[q] - x * s - y * c));
    worst = Math.max(worst, far / allowed);
  });
  return worst;
}

const table = {};
const wrong = [];
for (let n = 0; n < count; ++n) {
  const own = state;
  const meant = { dim: pick([16, 32, 64]), base: pick([10000, 500000, 1e6]), layout: pick(["half", "interleaved"]) };
  const names = new Set(Array.from({ length: below(3) }, () => pick(Object.keys(mistakes))));
  let done = meant;
  for (const name of names) done = mistakes[name](done);
  const [tokens, start] = [pick([1, 2, 3, 8, 20, 70, 130]), pick([0, 0, 5, 1000, 100000])];
  const positions = Array.from({ length: tokens }, (_, i) => start + i);
  const dtype = pick(["float32", "float32", "bfloat16"]);
  const before = rounded(
    Float32Array.from({ length: tokens * meant.dim }, () => 2 * next() - 1),
    dtype,
  );
  const after = rounded(rotated(before, done, positions), dtype);
  const damage = below(4) === 0 ? pick(Object.keys(damages)) : "none";
  damages[damage](after, below(after.length), meant.dim);
  const tensor = (data) => ({ data, shape: [tokens, meant.dim], dtype });
  const { verdict, explanations } = pe.diagnose(
    { before: tensor(before), after: tensor(after), positions },
    { expected: meant },
  );
  const isRight = verdict === "certain" && explanations[0].mistakes.length === 0;
  const key = `${names.size} mistakes, damage ${damage}`;
  table[key] ??= { cases: 0, certain: 0, "as expected": 0, likely: 0, ambiguous: 0, none: 0, "too-little": 0 };
  table[key].cases += 1;
  table[key][isRight ? "as expected" : verdict] += 1;
  if (isRight && departure(before, after, meant, positions, dtype) > 1)
    wrong.push({ state: own, meant, names: [...names], damage, tokens, start, dtype });
}
console.log(`seed ${seed}, ${count} cases, ${wrong.length} called as expected that are not`);
console.table(table);
for (const each of wrong) console.log(JSON.stringify(each));
process.exitCode = wrong.length === 0 ? 0 : 1;
