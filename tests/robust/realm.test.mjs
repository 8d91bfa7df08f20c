// Other code on the page may have changed the engine's own objects: results are the same, or calls are refused.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { whole } from "../api/testing/calls/calls.mjs";
import { Inputs } from "../api/testing/inputs.mjs";
import { hasMethods } from "./calls.mjs";
import { digest } from "./digest.mjs";
import { knownAnswers } from "./known-answers.mjs";
import { load } from "./whole-library.mjs";

const pe = await load();
const expected = digest(pe);

/** Names of options, of a tensor's fields, and one that nothing has. */
const names = ["unheard", "out", "dtype", "scaling", "bias", "mask", "shape", "data", "type", "positions", "handle"];

/** Runs `run` while Object.prototype has the property. */
function polluted(name, descriptor, run) {
  Object.defineProperty(Object.prototype, name, { configurable: true, enumerable: true, ...descriptor });
  try {
    return run();
  } finally {
    delete Object.prototype[name];
  }
}

for (const name of names) {
  test(`Object.prototype.${name}, enumerable: the same results, or a refusal that names it`, () => {
    const values = { "a value": { value: "x", writable: true }, "a getter": { get: () => "x", set() {} } };
    for (const [what, descriptor] of Object.entries(values)) {
      try {
        const made = polluted(name, descriptor, () => digest(pe));
        assert.equal(made, expected, what);
      } catch (error) {
        if (name === "unheard" || !error.message.startsWith(`${name}: "x", expected `)) throw error;
      }
    }
  });
}

/** Runs a program that changes the engine's objects before it loads the library; returns a digest of its results. */
function inProcess(before, flags = []) {
  const program = `${before}
    const { load } = await import("./tests/robust/whole-library.mjs");
    const { digest } = await import("./tests/robust/digest.mjs");
    process.stdout.write(digest(await load()));`;
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  return execFileSync(process.execPath, [...flags, "--input-type=module", "-e", program], { cwd, encoding: "utf8" });
}

test("loaded where Object.prototype has a property", () => {
  const descriptor = '{ value: "x", writable: true, enumerable: true, configurable: true }';
  assert.equal(inProcess(`Object.defineProperty(Object.prototype, "unheard", ${descriptor});`), expected);
});

test("loaded where the engine's objects are frozen", () => {
  assert.equal(inProcess("", ["--frozen-intrinsics", "--no-warnings"]), expected);
});

const typedPrototype = Object.getPrototypeOf(Uint8Array.prototype);

/** Where a program may have put functions of its own. */
const patched = {
  Array,
  "Array.prototype": Array.prototype,
  "TypedArray.prototype": typedPrototype,
  TypedArray: Object.getPrototypeOf(Uint8Array),
  ArrayBuffer,
  "ArrayBuffer.prototype": ArrayBuffer.prototype,
  Number,
  Math,
  "String.prototype": String.prototype,
  "RegExp.prototype": RegExp.prototype,
  "Map.prototype": Map.prototype,
  "WeakMap.prototype": WeakMap.prototype,
  JSON,
};

const raise = () => {
  throw new TypeError("patched: called, expected not to be");
};
const doings = { throws: raise, "gives nothing": () => undefined, "gives 0": () => 0, "gives 64": () => 64 };

const { defineProperty } = Object;

/** Everything that can be replaced: functions and getters. */
const places = Object.entries(patched).flatMap(([where, object]) =>
  Reflect.ownKeys(object).flatMap((key) => {
    const found = Object.getOwnPropertyDescriptor(object, key);
    const isFunction = typeof found.value === "function" || found.get;
    if (!found.configurable || !isFunction || key === "constructor") return [];
    return [{ name: `${where}.${String(key)}`, object, key, found }];
  }),
);

const putBack = ({ object, key, found }) => defineProperty(object, key, found);
const replace = ({ object, key, found }, does) =>
  defineProperty(object, key, found.get ? { ...found, get: does } : { ...found, value: does });

/** The properties that a call reads: replacing others cannot change what it does. */
function lookedAt(call) {
  const isLookedAt = places.map(() => false);
  for (let i = 0; i < places.length; ++i) {
    const { object, key, found } = places[i];
    const get = function () {
      isLookedAt[i] = true;
      return found.get ? found.get.call(this) : found.value;
    };
    defineProperty(object, key, { get, configurable: true, enumerable: found.enumerable });
  }
  let result;
  try {
    result = call();
  } finally {
    for (let i = 0; i < places.length; ++i) putBack(places[i]);
  }
  release(result);
  return places.filter((_, i) => isLookedAt[i]);
}

function release(result) {
  if (typeof result === "object" && result !== null && hasMethods(result)) result.delete?.();
}

test("functions of arrays and numbers replaced after it was loaded: no trap, nothing destroyed", (t) => {
  const answers = knownAnswers(pe);
  const canaries = Array.from({ length: 8 }, () => {
    const canary = pe.buffer(64);
    canary.view.fill(42);
    return canary;
  });
  const calls = Object.entries({ ...whole.makers, ...whole.others });
  const seen = new Set();
  let made = 0;
  for (const [name, maker] of calls) {
    const inputs = new Inputs();
    const call = maker(pe, inputs);
    const twice = () => release(call({})) ?? call({}); // the first one may find out what later ones know
    const used = lookedAt(twice);
    for (const place of used) {
      seen.add(place);
      for (const [doing, does] of Object.entries(doings)) {
        inputs.again();
        const what = `${place.name} ${doing}, ${name}`;
        let result;
        let thrown;
        replace(place, does);
        try {
          result = call({});
        } catch (error) {
          thrown = error;
        }
        putBack(place);
        made += 1;
        assert.ok(!(thrown instanceof WebAssembly.RuntimeError), `${what}: ${thrown?.message}`);
        release(result);
        for (const { view } of canaries)
          assert.ok(
            view.every((value) => value === 42),
            what,
          );
      }
    }
    inputs.again();
    answers.check();
  }
  t.diagnostic(`${calls.length} calls look at ${seen.size} of ${places.length} places: ${made} calls`);
  assert.ok(seen.size >= 10, `${seen.size} places are looked at`);
  assert.ok(made >= 4 * calls.length, `${made} calls`);
});
