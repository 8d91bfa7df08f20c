// A row of the report: one call of the library, into a buffer, beside a plain JavaScript loop for the same values.

import { inLibrary, inScript } from "./inputs.mjs";
import { offered } from "./offered.mjs";
import { limitsFor } from "./yardsticks.mjs";

const LIBRARY = "posenc";
export const EXACT = "posenc, exact";
export const SCALAR = "posenc without SIMD";
export const SCRIPT = "JavaScript";

/** Beyond noise: what is as fast, waiting for memory both, is a little slower in half of all runs. */
const NO_SLOWER = 0.95;

/** The largest difference of two arrays, as a share of the largest value of the second. */
function difference(mine, theirs) {
  if (mine.length !== theirs.length) return Number.POSITIVE_INFINITY;
  let [worst, largest] = [0, 1e-30];
  for (let i = 0; i < mine.length; ++i) {
    const size = Math.abs(theirs[i]);
    if (size > largest && size < Number.POSITIVE_INFINITY) largest = size;
    if (mine[i] === theirs[i]) continue;
    const apart = Math.abs(mine[i] - theirs[i]);
    if (!(apart <= worst)) worst = Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart;
  }
  return worst / largest;
}

/** Refuses to race what does not give the same. */
export function checkSame(name, mine, theirs, tolerance = 1e-5) {
  for (const key of Object.keys(theirs)) {
    const apart = difference(mine[key], theirs[key]);
    if (!(apart <= tolerance)) throw new Error(`${name}: ${key} is off by ${apart} of the largest value`);
  }
}

/**
 * A workload of a description:
 *
 * - `name`, `what`; `of`: the functions that it is the row of, its name by default.
 * - `inputs`, `out`: { name: description } (inputs.mjs). Without `out` the first input is changed in place.
 * - `library(pe)`: what is called with `inputs` and `out`, as tensors in the library's memory; `script` with arrays.
 *   `more`: the same as `library` for other ways to call it, { name: library }, whose results are not compared.
 * - `limits`: names of limits for as many values as there are in `of` float32 values (limitValues).
 * - `beside(yardsticks, arrays)`: further contestants, { name: run or { run, results } }.
 * - `must`: how many times as fast as JavaScript; `or`: [a limit, a share] that does as well. `goals`: what else.
 * - `tolerance`: how far apart results may be; `same(mine, theirs)`: in place of comparing them.
 */
export function row({ name, what = "into a buffer", of = [name], must = 1, or, goals = [], ...description }) {
  const against = { of: LIBRARY, against: SCRIPT, must };
  const [other, share] = or ?? [];
  if (or) against.or = { against: other, must: share };
  const plain = description.script ? [against, { of: SCALAR, against: SCRIPT, must: NO_SLOWER }] : [];
  return {
    name,
    what,
    functions: of,
    limit: description.limit ?? description.limits?.[0] ?? SCRIPT,
    goals: [...plain, ...goals],
    make: (modules) => contestantsOf({ name, ...description }, modules),
  };
}

function contestantsOf({ name, inputs, out, library, script, more = {}, ...rest }, { full, scalar, yardsticks }) {
  const { limits = [], values = 0, beside = () => ({}), tolerance, same } = rest;
  const arrays = Object.fromEntries(Object.entries(inputs).map(([key, one]) => [key, inScript(one)]));
  const buffers = [];
  /** A library's call on memory of its own, and where its results are. */
  const placedIn = (pe, call) => {
    const tensors = inLibrary(pe, inputs, buffers, arrays);
    const results = out ? inLibrary(pe, out, buffers) : tensors;
    const run = call(pe);
    return { run: () => run(tensors, results), results: () => shown(results) };
  };
  const tried = (call) => {
    const { run } = placedIn(full, call);
    return { small: run, run };
  };
  const [inPlace] = Object.keys(inputs);
  const shown = (results) =>
    Object.fromEntries((out ? Object.keys(out) : [inPlace]).map((key) => [key, results[key].data]));
  const compared = { [LIBRARY]: placedIn(full, library), [SCALAR]: placedIn(scalar, library) };
  if (script) {
    const mine = out ? arrays : { ...arrays, [inPlace]: arrays[inPlace].slice() };
    const results = out
      ? Object.fromEntries(Object.entries(out).map(([key, one]) => [key, inScript(one)]))
      : { [inPlace]: mine[inPlace] };
    compared[SCRIPT] = { run: () => script(mine, results), results: () => results };
  }
  const loops = Object.entries(beside(yardsticks, arrays));
  for (const [loop, { run, results }] of loops) if (results) compared[loop] = { run, results };
  for (const { run } of Object.values(compared)) run();
  const mine = compared[LIBRARY].results();
  for (const [who, { results }] of Object.entries(compared)) {
    if (same) same(mine, results());
    else checkSame(`${name}: ${who}`, results(), mine, tolerance);
  }
  const { runs, missing } = offered(Object.fromEntries(Object.entries(more).map(([way, call]) => [way, tried(call)])));
  return {
    missing,
    contestants: {
      ...limitsFor(yardsticks, values, limits),
      ...Object.fromEntries(loops.map(([loop, one]) => [loop, one.run ?? one])),
      ...Object.fromEntries(Object.entries(compared).map(([who, { run }]) => [who, run])),
      ...runs,
    },
    release() {
      for (const buffer of buffers) buffer.dispose();
    },
  };
}
