// Fuzzed calls of one instance of the library.
import assert from "node:assert/strict";
import fc from "fast-check";
import { functionsOf, hasMethods, seedsOf } from "./calls.mjs";
import { knownAnswers } from "./known-answers.mjs";
import { libraryValues } from "./library.mjs";
import { isOwn, optionPlaces, spoil } from "./spoil.mjs";
import { isGivenBack, partsOf, Shapes, wrongError } from "./verdict.mjs";
import { librariesOf } from "./whole-library.mjs";

/** Calls of one run of fast-check: making a run costs as much as a few calls. */
export const callsARun = 20;

const number = fc.nat(0xffff);
/** The seed's number, and the changes to its arguments. */
const call = fc.tuple(number, fc.array(fc.tuple(number, number, number, number), { maxLength: 3, size: "max" }));
const run = fc.array(call, { minLength: callsARun, maxLength: callsARun });

/** The shapes that results of a function may have: those of right calls, also with one or two options left out. */
export function shapesOf(seeds) {
  const shapes = new Map();
  for (const seed of seeds) {
    const known = shapes.get(seed.function) ?? new Shapes();
    shapes.set(seed.function, known);
    const add = (...without) => {
      const { args, call } = seed.next();
      const places = optionPlaces(args);
      for (const at of without) delete places[at].holder[places[at].key];
      let result;
      try {
        result = call(args);
      } catch {
        assert.notEqual(without.length, 0, `${seed.name}: its right call throws`);
        return;
      }
      known.learn(parts(result));
      if (hasMethods(result)) result.delete?.();
    };
    const { length } = optionPlaces(seed.next().args);
    add();
    for (let i = 0; i < length; ++i) {
      add(i);
      for (let j = i + 1; j < length; ++j) add(i, j);
    }
  }
  return shapes;
}

/** The names of the options of calls, also of those inside others. */
export const optionNames = (seeds) => [
  ...new Set(seeds.flatMap((seed) => optionPlaces(seed.next().args).map(({ key }) => key))),
];

/** The keys of a config, the first argument: messages about it name one of them. */
function membersOf(args) {
  try {
    const [config] = args;
    return typeof config === "object" && config !== null ? Object.keys(config) : [];
  } catch {
    return []; // the caller's own getter threw
  }
}
const readsConfig = (seed) => seed.function === "hubConfig" || seed.function === "model";

/** step.apply gives nothing back. */
const parts = (result) => (result === undefined ? new Map([["result", "nothing"]]) : partsOf(result));

export class Fuzz {
  #pe;
  #seeds;
  #shapes;
  /** The values that calls get from the library whose function they call. */
  #libraries;
  #answers;
  #before = Buffer.alloc(1 << 13);
  #names;
  calls = 0;
  refusals = 0;
  slowest = { time: 0, name: "" };
  longest = "";

  constructor(pe, names) {
    this.#pe = pe;
    this.#seeds = seedsOf(pe);
    const known = optionNames(this.#seeds);
    this.#names = new Set([...names, ...known]);
    const valuesOf = ({ buffer }) => libraryValues({ ...pe, buffer }, known);
    this.#libraries = new Map(librariesOf(pe).map((home) => [home, valuesOf(home)]));
    for (const { canary } of this.#libraries.values()) canary.view.fill(42);
    this.#shapes = shapesOf(this.#seeds);
    this.#answers = knownAnswers(pe);
  }

  /** Functions of the API that no seed calls. */
  get missing() {
    const known = new Set(this.#seeds.map((seed) => seed.function));
    return functionsOf(this.#pe).filter((name) => !known.has(name));
  }

  get functions() {
    return this.#shapes.size;
  }

  /** One call; throws when it does not end as it must. */
  one([which, changes]) {
    const seed = this.#seeds[which % this.#seeds.length];
    const { args, target, call } = seed.next();
    const pool = Buffer.from(seed.inputs.pool);
    pool.copy(this.#before);
    spoil(args, target, changes, this.#libraries.get(seed.home));
    const between = !this.#before.equals(pool);
    this.calls += 1;
    const start = performance.now();
    let result;
    let given = args;
    try {
      // A getter among the arguments themselves answers here, once: the library sees values.
      if (Array.isArray(args)) given = Array.from(args);
      result = call(given);
    } catch (error) {
      this.refusals += 1;
      const names = readsConfig(seed) ? new Set([...this.#names, ...membersOf(args)]) : this.#names;
      const wrong = isOwn(error) ? undefined : wrongError(error, names);
      if (wrong) throw new Error(`${seed.name}: ${wrong}: ${error?.message}`, { cause: error });
      if (!between && !this.#before.equals(pool)) throw new Error(`${seed.name}: half-written: ${error.message}`);
      result = undefined;
      if (error.message.length > this.longest.length) this.longest = error.message;
      if (error.message.includes("deleted one")) seed.anew();
      return;
    } finally {
      const time = performance.now() - start;
      if (time > this.slowest.time) this.slowest = { time, name: seed.name };
    }
    this.#judge(seed, result, given);
  }

  #judge(seed, result, args) {
    const wrong = isGivenBack([args].flat(), result) ? undefined : this.#shapes.get(seed.function).wrong(parts(result));
    if (wrong) throw new Error(`${seed.name}: ${wrong}`);
    if (result !== undefined && hasMethods(result)) result.delete?.();
  }

  /** The library works, and no memory was written that must not be. */
  check() {
    this.#answers.check();
    for (const { canary } of this.#libraries.values()) assert.ok(canary.view.every((value) => value === 42));
  }

  /** Runs `calls` of them; throws fast-check's report of the first that fails, shrunk. */
  run({ calls, seed, path }) {
    const property = fc.property(run, (list) => {
      for (const one of list) this.one(one);
      this.check();
    });
    fc.assert(property, { numRuns: Math.ceil(calls / callsARun), seed, path, maxSkipsPerRun: 0 });
  }
}
