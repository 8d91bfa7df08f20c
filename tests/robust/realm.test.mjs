// What other code on the page may have done to the engine's own objects: the library gives what it gives, or refuses.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "posenc/full";
import { makers, others } from "../api/testing/calls/calls.mjs";
import { Inputs } from "../api/testing/inputs.mjs";
import { hasMethods } from "./calls.mjs";
import { digest } from "./digest.mjs";
import { knownAnswers } from "./known-answers.mjs";

const pe = await load();
const expected = digest(pe);

/** Names of options, of what has a shape, and of none. */
const names = ["unheard", "out", "dtype", "scaling", "bias", "mask", "shape", "data", "type", "positions", "handle"];

/** What is on Object.prototype while `run` runs. */
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

/** A program that changes the engine's objects before it loads the library, and says what it computes. */
function inProcess(before, flags = []) {
  const program = `${before}
    const { load } = await import("posenc/full");
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

/** Everything of an object that can be replaced. */
const functionsOf = (object) =>
  Reflect.ownKeys(object).flatMap((key) => {
    const found = Object.getOwnPropertyDescriptor(object, key);
    const isFunction = typeof found.value === "function" || found.get;
    return found.configurable && isFunction && key !== "constructor" ? [[key, found]] : [];
  });

test("functions of arrays and numbers replaced after it was loaded: no trap, nothing destroyed", () => {
  const answers = knownAnswers(pe);
  const canaries = Array.from({ length: 8 }, () => {
    const canary = pe.buffer(64);
    canary.view.fill(42);
    return canary;
  });
  const calls = Object.entries({ ...makers, ...others }).map(([name, maker]) => {
    const inputs = new Inputs();
    const call = maker(pe, inputs);
    return { name, inputs, call };
  });
  const { defineProperty } = Object;
  let made = 0;
  for (const [where, object] of Object.entries(patched)) {
    for (const [key, found] of functionsOf(object)) {
      for (const [doing, does] of Object.entries(doings)) {
        for (const { name, inputs, call } of calls) {
          let result;
          let thrown;
          defineProperty(object, key, found.get ? { ...found, get: does } : { ...found, value: does });
          try {
            result = call({});
          } catch (error) {
            thrown = error;
          }
          defineProperty(object, key, found);
          inputs.again();
          made += 1;
          const what = `${where}.${String(key)} ${doing}, ${name}`;
          assert.ok(!(thrown instanceof WebAssembly.RuntimeError), `${what}: ${thrown?.message}`);
          if (typeof result === "object" && result !== null && hasMethods(result)) result.delete?.();
        }
        const what = `${where}.${String(key)} ${doing}`;
        for (const { view } of canaries)
          assert.ok(
            view.every((value) => value === 42),
            what,
          );
        answers.check();
      }
    }
  }
  assert.ok(made > 10_000);
});
