// Random wrong values in calls of every function: each call ends with a right-shaped result or an error that names an
// argument, writes nothing when it is refused, and leaves other memory alone.
//
//   npm run test:fuzz -- --calls 1000000 --seed 7
//
// A failure is printed with what makes it happen again: --seed 7 --from 123 --calls 1.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { parseArgs } from "node:util";
import { hasMethods, placesIn, seedsOf } from "../api/testing/recorded-calls.mjs";
import { librariesOf, load } from "../api/testing/whole-library.mjs";
import { knownAnswers } from "./known-answers.mjs";
import { random } from "./random.mjs";

/** The names that the published types have: a message begins with one of them. */
function publishedNames() {
  const folder = new URL("../../dist/types/", import.meta.url);
  const texts = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), "utf8"));
  // `gradients.bias` is what the core calls the gradient of a bias whose shape does not fit.
  const names = texts.flatMap((text) => Array.from(text.matchAll(/([A-Za-z]\w*)(?=\??:|\(|<)/g), ([name]) => name));
  return new Set(["gradients", ...names]);
}

const detached = (array) => {
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
};

function cyclic() {
  const made = { data: [], shape: [1] };
  made.data.push(made);
  return made;
}

/** Wrong values of every kind, and some that are right somewhere; new ones each time. */
const strange = [
  ...[Number.NaN, Number.POSITIVE_INFINITY, -0, -1, 0, 1, 2, 3, 4, 8, 0.5, 1e300, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53],
  ...[
    undefined,
    null,
    true,
    false,
    0n,
    2n ** 70n,
    Symbol("s"),
    "",
    "x",
    "half",
    "full",
    "exact",
    "\u202e\n",
    "x".repeat(1e4),
  ],
  ...["__proto__", "constructor", "float16", "yarn"],
].map((value) => () => value);
const objects = [
  ...[
    () => ({}),
    () => [],
    () => [Number.NaN, -1, 2 ** 60],
    () => ["x", null],
    () => Array(5),
    () => [[1], [2]],
    cyclic,
  ],
  ...[
    () => () => 1,
    () => new Map(),
    () => new Date(0),
    () => /x/,
    () => ({ type: "yarn", factor: 2 }),
    () => ({ type: "x" }),
  ],
  ...[() => new Proxy([1, 2, 3], {}), () => new Proxy(new Float32Array(6), {}), () => Object.create(null)],
  ...[Float32Array, Float64Array, Int32Array, Uint16Array, Uint8Array, BigInt64Array].map((Kind) => () => new Kind(6)),
  ...[() => new Float32Array(0), () => new DataView(new ArrayBuffer(8)), () => new ArrayBuffer(8)],
  ...[Float32Array, Int32Array].map((Kind) => () => new Kind(new SharedArrayBuffer(24))),
  ...[Float32Array, Uint16Array, Int32Array, Float64Array].map((Kind) => () => detached(new Kind(6))),
  ...[[2, 3], [6], [3, 3], [-2, -3], "x"].map((shape) => () => ({ data: new Float32Array(6), shape })),
  ...[() => ({ data: new Float32Array(0), shape: [0, 2 ** 53 - 1] }), () => ({ data: [1, 2, 3], shape: [3] })],
  ...[() => ({ data: detached(new Float32Array(6)), shape: [2, 3] }), () => ({ shape: [2, 3] })],
  () => ({ data: new Uint16Array(4), dims: [4], type: "bfloat16" }),
];

/** Values in a library's own memory and of its own making: alive, disposed, emptied by growth, in nobody's buffer. */
function ownValues(pe) {
  const [canary, other, gone] = [pe.buffer(64), pe.buffer(64), pe.buffer(64)];
  const half = pe.buffer?.length > 1 ? pe.buffer(64, { dtype: "float16" }) : other;
  canary.view.fill(42);
  const old = gone.view;
  const { byteOffset } = old;
  gone.delete();
  const emptied = other.view;
  pe.buffer(emptied.buffer.byteLength / 4).delete(); // the memory grows
  const memory = () => other.view.buffer;
  const rotary = () => pe.rotary?.({ dim: 4, layout: "half" });
  const dead = rotary();
  dead?.delete();
  const values = [
    ...[
      () => other,
      () => other.view,
      () => other.view.subarray(3, 9),
      () => half.view,
      () => half.view.subarray(1, 7),
    ],
    ...[() => gone, () => old, () => emptied, () => dead, rotary, () => ({ ...pe })],
    ...[64, 1024, byteOffset, 0].map((at) => () => new Float32Array(memory(), at, 6)),
    () => new Float32Array(memory(), other.view.byteOffset - 8, 6),
    () => new Int32Array(memory(), other.view.byteOffset, 6),
    () => ({ data: other.view.subarray(0, 6), shape: [2, 3] }),
    () => ({ data: old, shape: [8, 8] }),
  ];
  return { canary, values };
}

const outs = [1, 5, 6, 12, 15, 24].flatMap((size) => [
  () => new Float32Array(size).fill(7),
  () => new Int32Array(size),
  () => ({ cos: new Float32Array(size), sin: new Float32Array(size) }),
]);

/** What is wrong with the error of a refusal; undefined for one as it must be. A size too large is a product of names. */
function wrongError(error, names) {
  if (!(error instanceof TypeError || error instanceof RangeError)) return "neither TypeError nor RangeError";
  const [, argument = ""] = /^([\w.[\] *()/+-]+): .*, expected ./s.exec(error.message) ?? [];
  if (!argument.split(" * ").some((factor) => names.has(factor.match(/[A-Za-z_]\w*/)?.[0])))
    return "it names no argument";
  return error.message.length > 2000 ? `a message of ${error.message.length} characters` : undefined;
}

/** Throws unless each tensor of a result has as many values as its shape has. */
function checkTensors(value, path = "result") {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
  if (ArrayBuffer.isView(value.data) && Array.isArray(value.shape)) {
    const size = value.shape.reduce((all, extent) => all * extent, 1);
    const { length, buffer } = value.data;
    // A view of the library's memory is empty once that has grown.
    assert.ok(length === size || (length === 0 && buffer.byteLength === 0), `${path}: ${length} for [${value.shape}]`);
    return;
  }
  for (const [key, part] of Object.entries(value)) {
    assert.notEqual(part, undefined, `${path}.${key}`);
    checkTensors(part, `${path}.${key}`);
  }
}

export class Fuzz {
  static async make() {
    return new Fuzz(await load());
  }

  constructor(pe) {
    this.seeds = seedsOf(pe);
    this.optionNames = [...new Set(this.seeds.flatMap((seed) => placesIn(seed.next().args).map(({ key }) => key)))];
    this.names = new Set([...publishedNames(), ...this.optionNames]);
    this.own = new Map(librariesOf(pe).map((home) => [home, ownValues(home)]));
    this.answers = knownAnswers(pe);
    this.refusals = 0;
  }

  /** Changes one value among the arguments, leaves it out, or adds one. */
  #change(args, next, { values }) {
    const kinds = [strange, objects, values];
    const value = () => {
      const list = kinds[next(3)];
      return list[next(list.length)]();
    };
    const places = placesIn(args);
    const { holder, key } = places[next(places.length)] ?? { holder: args, key: 0 };
    const how = next(10);
    if (how < 6) holder[key] = value();
    else if (how === 6 && !Array.isArray(holder)) delete holder[key];
    else if (how === 7) args.push(value());
    else if (how === 8 && !Array.isArray(holder)) holder.out = next(2) ? outs[next(outs.length)]() : value();
    else if (!Array.isArray(holder)) holder[this.optionNames[next(this.optionNames.length)]] = value();
  }

  /** The call of a number; throws where it does not end as it must. */
  one(seed, number) {
    const next = random(seed, number);
    const chosen = this.seeds[next(this.seeds.length)];
    const { args, call, end } = chosen.next();
    const own = this.own.get(chosen.home);
    for (let changes = next(4); changes > 0; --changes) this.#change(args, next, own);
    const pool = Buffer.from(chosen.inputs.pool);
    const before = Buffer.from(pool);
    try {
      const result = call(args);
      if (!args.includes(result)) checkTensors(result);
      if (hasMethods(result)) result.delete?.();
    } catch (error) {
      this.refusals += 1;
      const isConfig = /^(hubConfig|model)$/.test(chosen.function);
      const members = isConfig && typeof args[0] === "object" && args[0] !== null ? Object.keys(args[0]) : [];
      const wrong = wrongError(error, members.length > 0 ? new Set([...this.names, ...members]) : this.names);
      assert.equal(wrong, undefined, `${chosen.name}: ${error.stack}`);
      assert.ok(before.equals(pool), `${chosen.name}: half-written: ${error.message}`);
      if (error.message.includes("deleted one")) chosen.anew();
    }
    end();
    if (number % 20 !== 0) return;
    this.answers.check();
    for (const { canary } of this.own.values())
      assert.ok(
        canary.view.every((value) => value === 42),
        "a canary",
      );
  }

  /** Makes `calls` calls; a failure says how to make it again. */
  async run({ calls, seed, from = 0 }) {
    for (let number = from; number < from + calls; ++number) {
      try {
        this.one(seed, number);
      } catch (error) {
        error.message = `again: npm run test:fuzz -- --seed ${seed} --from ${number} --calls 1\n${error.message}`;
        throw error;
      }
      if (number % 1000 === 999) await setImmediate(); // what is forgotten is collected between tasks
    }
  }
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const options = { calls: { type: "string", default: "1000000" }, seed: { type: "string" }, from: { type: "string" } };
  const { values } = parseArgs({ options });
  const task = {
    calls: Number(values.calls),
    seed: Number(values.seed ?? Date.now() % 2 ** 31),
    from: Number(values.from ?? 0),
  };
  if (!Object.values(task).every(Number.isSafeInteger))
    throw new Error("expected whole numbers for --calls, --seed and --from");
  console.log(`seed ${task.seed}`);
  const fuzz = await Fuzz.make();
  await fuzz.run(task);
  console.log(`${task.calls} calls of ${fuzz.seeds.length} kinds, ${fuzz.refusals} refused`);
}
