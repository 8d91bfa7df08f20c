// Calls of every function in which the caller's own getters, traps and iterators do something: one call for each
// behaviour at each read.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { canaryValue } from "./behaviours.mjs";
import { hasMethods, seedsOf } from "./calls.mjs";
import { optionNames, shapesOf } from "./fuzz.mjs";
import { knownAnswers } from "./known-answers.mjs";
import { Reads } from "./reads.mjs";
import { isGivenBack, partsOf, wrongError } from "./verdict.mjs";
import { librariesOf } from "./whole-library.mjs";

const isTyped = ArrayBuffer.isView;
const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);

/** Everything in a result that can be compared; of an object of the library's its properties. */
function contentOf(value) {
  if (isTyped(value)) return [value.constructor.name, Buffer.from(bytesOf(value))];
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value).map(([key, part]) => [key, typeof part === "function" ? "function" : contentOf(part)]);
}

/** The `out` that may take a result; where there is one array by a name, with its name or without. */
function outsOf(result) {
  if (isTyped(result)) return [result.slice()];
  if (isTyped(result?.data)) return [result.data.slice()];
  if (typeof result !== "object" || result === null) return [];
  const outs = Object.entries(result).flatMap(([key, part]) => {
    const array = isTyped(part) ? part : part?.data;
    return isTyped(array) ? [[key, array.slice()]] : [];
  });
  return [Object.fromEntries(outs), ...(outs.length === 1 ? [outs[0][1]] : [])];
}

/** Places a call's arrays: each in an ArrayBuffer of its own, or in the library's memory where that is possible. */
function placedIn(run, isInside, value) {
  if (typeof value !== "object" || value === null) return value;
  if (isTyped(value)) {
    const isFloat = value instanceof Float32Array;
    if (isInside && value.length > 0 && (isFloat || value.constructor.name === "Uint16Array")) {
      const made = run.home.buffer(value.length, isFloat ? undefined : { dtype: "bfloat16" });
      made.view.set(value);
      run.buffers.push(made);
      run.places.push({ made, before: contentOf(made.view) });
      return made.view;
    }
    const { byteLength } = value;
    // The engine takes longer to allocate than most calls take, and longest for resizable memory.
    const memory = run.isResizable
      ? new ArrayBuffer(byteLength, { maxByteLength: 2 * byteLength + 64 })
      : (spareOf(byteLength).pop() ?? new ArrayBuffer(byteLength));
    const array = new value.constructor(memory, 0, value.length);
    array.set(value);
    run.arrays.push(array);
    run.places.push({ array, before: contentOf(array) });
    return array;
  }
  if (hasMethods(value)) {
    run.objects.push(value);
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => placedIn(run, isInside, item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, placedIn(run, isInside, item)]));
}

/** Memory that calls had which are over, by its size. */
const spare = new Map();

function spareOf(byteLength) {
  if (!spare.has(byteLength)) spare.set(byteLength, []);
  return spare.get(byteLength);
}

/** The contents of a call's array now; undefined where it is gone. */
function nowAt({ made, array }) {
  if (array) return array.length === 0 && array.buffer.byteLength === 0 ? undefined : contentOf(array);
  try {
    return contentOf(made.view);
  } catch {
    return undefined;
  }
}

const variants = [
  { name: "arrays", isInside: false, hasOut: false },
  { name: "buffers", isInside: true, hasOut: true },
  { name: "arrays and out", isInside: false, hasOut: true },
];

/** One seed's calls, with its arrays in one kind of memory. */
class Unit {
  reads = new Reads();
  constructor(fuzz, seed, variant) {
    Object.assign(this, { fuzz, seed, variant });
    this.name = `${seed.name}, ${variant.name}`;
    this.more = {};
  }

  /** Fresh arguments, and a call with them. */
  #fresh(isResizable = false) {
    const { args, target, call, end } = this.seed.next(this.more);
    const run = {
      end,
      pe: this.fuzz.pe,
      home: this.seed.home,
      isResizable,
      buffers: [],
      arrays: [],
      objects: [],
      places: [],
      occupants: [],
      made: [],
      thrown: undefined,
      hasThrown: false,
      mayThrow: false,
    };
    const placed = args.map((value) => placedIn(run, this.variant.isInside, value));
    if (target) run.objects.push(target);
    run.again = () => {
      const other = this.seed.next(this.more);
      this.#release(other.call(other.args));
      other.end();
    };
    return {
      run,
      call: () => {
        run.given = placed.map((value, i) => this.reads.wrap(value, `argument ${i + 1}`));
        return call(run.given);
      },
      plain: () => call(placed),
      target,
    };
  }

  #release(result) {
    if (result !== undefined && hasMethods(result)) result.delete?.();
  }

  #end(run) {
    for (const made of [...run.buffers, ...run.occupants, ...run.made]) made.dispose();
    run.end();
    for (const { buffer } of run.arrays)
      if (!buffer.resizable && buffer.byteLength > 0) spareOf(buffer.byteLength).push(buffer);
  }

  #takes(out) {
    const { args, call } = this.seed.next({ out });
    try {
      this.#release(call(args));
      return true;
    } catch {
      return false;
    }
  }

  /** Finds what the undisturbed call gives, and its reads; false where there is no such variant. */
  prepare() {
    const first = this.#fresh();
    const plain = first.plain();
    const content = contentOf(plain);
    const outs = this.variant.hasOut && this.seed.isMaker ? outsOf(plain) : [];
    const hasInside = first.run.buffers.length > 0;
    this.#release(plain);
    this.#end(first.run);
    const out = outs.find((candidate) => this.#takes(candidate));
    if (out !== undefined) this.more = { out };
    else if (this.variant.hasOut && !(this.variant.isInside && hasInside)) return false;
    const { run, call, target } = this.#fresh();
    if (target) this.reads.wrap(target, "the object");
    this.reads.log = [];
    const result = this.reads.during(call);
    this.log = this.reads.log;
    this.reads.log = undefined;
    assert.equal(this.reads.written, undefined, `${this.name}: it writes to what it is given`);
    assert.deepEqual(contentOf(result), content, `${this.name}: the same through proxies`);
    this.expected = content;
    this.expectedPlaces = run.places.map(nowAt);
    this.kinds = { buffers: run.buffers.length, arrays: run.arrays.length, objects: run.objects.length };
    this.#release(result);
    this.#end(run);
    return true;
  }

  /** Reads at which an accessor of an option runs that is the caller's own: each option's first. */
  get accessors() {
    const isFirst = (read, at) => read.startsWith("get argument") && this.log.indexOf(read) === at;
    return this.log.flatMap((read, at) => (isFirst(read, at) ? at : []));
  }

  /** Each of `behaviours` at each of `reads`: [the read, the behaviour, which of its objects]. */
  *cases(behaviours, reads = this.log.keys()) {
    for (const at of reads) {
      for (const behaviour of behaviours) {
        const times =
          behaviour.times?.({
            buffers: { length: this.kinds.buffers },
            arrays: { length: this.kinds.arrays },
            objects: { length: this.kinds.objects },
          }) ?? 1;
        for (let which = 0; which < times; ++which) yield { at, behaviour, which };
      }
    }
  }

  /** Makes one call, in which one or several behaviours happen; returns what is wrong with its end, or undefined. */
  run(...cases) {
    const { fuzz } = this;
    const isResizable = cases.some(({ behaviour }) => behaviour.resizes);
    const { run, call, target } = this.#fresh(isResizable);
    const has = (what) => cases.some(({ behaviour }) => behaviour.name.startsWith(what));
    // An array that shrinks and grows again has lost its values.
    const isEmptied = cases.filter(({ behaviour }) => behaviour.resizes).length > 1;
    const keeps = !isEmptied && cases.every(({ behaviour }) => behaviour.keeps);
    const acts = new Map(cases.map(({ at, behaviour, which }) => [at, (read) => behaviour.act(run, which, read)]));
    if (target) this.reads.wrap(target, "the object");
    let result;
    let wrong;
    fuzz.calls += 1;
    const start = performance.now();
    try {
      result = this.reads.during(call, acts);
      if (run.hasThrown) wrong = "it gives a result where a getter threw";
    } catch (error) {
      fuzz.refusals += 1;
      const isOwn = (run.hasThrown || run.mayThrow) && error === run.thrown;
      if (!isOwn) {
        // After another behaviour the read may be one for the message of a refusal.
        wrong = run.hasThrown && cases.length === 1 ? "another error than the getter's" : wrongError(error, fuzz.names);
        if (error?.message?.length > fuzz.longest.length) fuzz.longest = error.message;
        if (wrong) wrong += `: ${error?.name}: ${error?.message}`;
      }
      if (!wrong && !has("change") && !isEmptied && run.places.some((place) => this.#isChanged(place, place.before)))
        wrong = `half-written: ${error.message}`;
      result = undefined;
      run.failed = true;
    }
    const time = performance.now() - start;
    if (time > fuzz.slowest.time) fuzz.slowest = { time, name: this.name };
    wrong ??= this.reads.written && `it writes: ${this.reads.written}`;
    if (!wrong && !run.failed) wrong = keeps ? this.#otherThanExpected(run, result) : this.#wrongShape(run, result);
    wrong ??= fuzz.damage(run);
    this.#release(result);
    this.#end(run);
    if (has("dispose an object")) this.seed.anew();
    return wrong;
  }

  #isChanged(place, wanted) {
    const now = nowAt(place);
    return now !== undefined && now[1].length === wanted[1].length && !now[1].equals(wanted[1]);
  }

  #otherThanExpected(run, result) {
    if (!isDeepStrictEqual(contentOf(result), this.expected)) return "another result";
    const i = run.places.findIndex(
      (place, j) => this.expectedPlaces[j] && this.#isChanged(place, this.expectedPlaces[j]),
    );
    return i < 0 ? undefined : `other values in array ${i} of its arguments`;
  }

  #wrongShape(run, result) {
    if (isGivenBack(run.given, result)) return undefined;
    try {
      return this.fuzz.shapes
        .get(this.seed.function)
        .wrong(result === undefined ? new Map([["result", "nothing"]]) : partsOf(result));
    } catch (error) {
      return error.message;
    }
  }
}

export class BehaviourFuzz {
  calls = 0;
  refusals = 0;
  slowest = { time: 0, name: "" };
  longest = "";
  #answers;
  #canaries;
  #table;

  /** For an instance's short life, `only` one seed, and the `shapes` that another knows. */
  constructor(pe, names, { only, shapes } = {}) {
    const seeds = seedsOf(pe, only);
    this.pe = pe;
    this.names = new Set([...names, ...optionNames(seeds)]);
    this.shapes = shapes ?? shapesOf(seeds);
    this.units = seeds.flatMap((seed) => variants.map((variant) => new Unit(this, seed, variant)));
    this.#answers = knownAnswers(pe);
    // The gaps between them are for the arrays of calls.
    const holes = [];
    this.#canaries = librariesOf(pe).flatMap((library) =>
      Array.from({ length: 24 }, (_, i) => {
        const canary = library.buffer(64);
        canary.view.fill(canaryValue);
        holes.push(library.buffer([24, 48, 96, 12][i % 4]));
        return canary;
      }),
    );
    for (const hole of holes) hole.dispose();
    this.#table = Buffer.from(bytesOf(this.#tableNow()));
  }

  #tableNow() {
    return this.pe.sinusoidal({ length: 3, dim: 4, offset: 5 }).data;
  }

  /** Returns what a call has destroyed outside its own arrays, or undefined. */
  damage({ occupants }) {
    for (const { view } of [...this.#canaries, ...occupants])
      for (let i = 0; i < view.length; ++i) if (view[i] !== canaryValue) return `a canary is ${view[i]}`;
    return bytesOf(this.#tableNow()).equals(this.#table) ? undefined : "a known table has other values";
  }

  check() {
    this.#answers.check();
  }
}
