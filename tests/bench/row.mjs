// A row of the report: one call of the library, into a buffer, beside a plain JavaScript loop for the same values.

import { inLibrary, inScript } from "./inputs.mjs";

const LIBRARY = "posenc";
const OWN = "posenc, arrays of one's own";
export const SCALAR = "posenc without SIMD";
export const SCRIPT = "JavaScript";

/** No slower but for noise: of two that wait for memory alike, one is a little slower in half of all runs. */
export const WITHOUT_SIMD = { of: SCALAR, against: SCRIPT, must: 0.95 };

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

/** Refuses to race contestants whose results differ. */
export function checkSame(name, mine, theirs, tolerance = 1e-5) {
  for (const key of Object.keys(theirs)) {
    const apart = difference(mine[key], theirs[key]);
    if (!(apart <= tolerance)) throw new Error(`${name}: ${key} is off by ${apart} of the largest value`);
  }
}

/**
 * A workload of a description:
 *
 * - `name`.
 * - `inputs`, `out`: { name: description } (inputs.mjs). Without `out` the first input is changed in place.
 * - `library(pe)`: what is called with `inputs` and `out`, as tensors in the library's memory; `script` with arrays.
 *   `more`: the same as `library` for other ways to call it, { name: library }, whose results are not compared. `own`:
 *   also on arrays of JavaScript's, as most people call it, where it may be no slower than the script.
 * - `onSame(loops, tensors)`: loops on the tensors that the library has, { name: run }.
 * - `beside(yardsticks, arrays)`: further contestants, { name: run or { run, results } }.
 * - `must`: how many times as fast as JavaScript, if that is promised. `goals`: what else.
 * - `tolerance`: how far apart results may be; `same(mine, theirs)`: in place of comparing them.
 */
export function row({ name, must = 1, goals = [], ...description }) {
  const { script, own } = description;
  return {
    name,
    goals: [
      { of: LIBRARY, against: SCRIPT, must },
      WITHOUT_SIMD,
      ...(own ? [{ of: OWN, against: SCRIPT, must: 1 }] : []),
      ...goals,
    ],
    scripts: { [SCRIPT]: () => inThread(description, script) },
    make: (modules) => contestantsOf({ name, ...description }, modules),
  };
}

const arraysOf = (described) => Object.fromEntries(Object.entries(described).map(([key, one]) => [key, inScript(one)]));

/** The results among all arrays or tensors, as arrays. */
const shown = ({ inputs, out }, results, dataOf) =>
  Object.fromEntries(
    Object.keys(out ?? inputs)
      .slice(0, out ? undefined : 1)
      .map((key) => [key, dataOf(results[key])]),
  );

/** Makes a loop in JavaScript on arrays of its own. */
function inThread({ inputs, out }, script) {
  const arrays = arraysOf(inputs);
  const results = out ? arraysOf(out) : arrays;
  const run = () => script(arrays, results);
  return {
    run,
    results() {
      run();
      return shown({ inputs, out }, results, (data) => data);
    },
  };
}

function contestantsOf({ name, inputs, out, library, own, more = {}, ...rest }, { full, scalar, yardsticks, loops }) {
  const { beside = () => ({}), onSame = () => ({}), tolerance, same } = rest;
  const arrays = arraysOf(inputs);
  const buffers = [];
  /** Makes a library's call on memory of its own; it has run once. */
  const placedIn = (pe, call) => {
    const tensors = inLibrary(pe, inputs, buffers, arrays);
    const results = out ? inLibrary(pe, out, buffers) : tensors;
    const made = call(pe);
    const run = () => made(tensors, results);
    run();
    return { run, tensors, results: () => shown({ inputs, out }, results, ({ data }) => data) };
  };
  const [mine, plain] = [placedIn(full, library), placedIn(scalar, library)];
  const check = (who, theirs) =>
    same ? same(mine.results(), theirs) : checkSame(`${name}: ${who}`, theirs, mine.results(), tolerance);
  check(SCALAR, plain.results());
  const beyond = Object.entries(beside(yardsticks, arrays));
  for (const [who, { run, results }] of beyond) {
    run?.();
    if (results) check(who, results());
  }
  const loopsOnSame = onSame(loops, mine.tensors);
  const refill = () => {
    for (const [key, values] of Object.entries(arrays)) mine.tensors[key].data.set(values);
  };
  const expected = Object.fromEntries(Object.entries(mine.results()).map(([key, data]) => [key, data.slice()]));
  for (const [who, run] of Object.entries(loopsOnSame)) {
    refill();
    run();
    checkSame(`${name}: ${who}`, mine.results(), expected, tolerance);
  }
  if (Object.keys(loopsOnSame).length > 0) {
    refill();
    mine.run();
  }
  const shaped = (described, of) =>
    Object.fromEntries(Object.entries(of).map(([key, data]) => [key, { data, shape: described[key].shape }]));
  const owned = shaped(inputs, arrays);
  const ownResults = out ? shaped(out, arraysOf(out)) : owned;
  const ways = Object.entries(more).map(([way, call]) => [way, placedIn(full, call).run]);
  return {
    check,
    contestants: {
      ...Object.fromEntries(beyond.map(([loop, one]) => [loop, one.run ?? one])),
      ...loopsOnSame,
      [LIBRARY]: mine.run,
      [SCALAR]: plain.run,
      ...(own && { [OWN]: () => library(full)(owned, ownResults) }),
      ...Object.fromEntries(ways),
    },
    release() {
      for (const buffer of buffers) buffer.dispose();
    },
  };
}
