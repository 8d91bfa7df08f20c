// Wrong calls of every function, made from the descriptions and from the table of valid calls, are refused before anything
// is written: values of another kind, numbers just outside the ranges of the core, and what a function's own rule refuses.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { options as tried, variantsOf } from "../testing/calls/options.mjs";
import { rules } from "../testing/calls/rules.mjs";
import { descriptions } from "../testing/descriptions.mjs";
import { functionsOf, seedsOf } from "../testing/recorded-calls.mjs";
import { load } from "../testing/whole-library.mjs";

const symbol = Symbol("wrong");

/**
 * Wrong values of each kind: the value, the error's class, its code, what follows in the argument. A name that there is not
 * is refused by the core, or by what it does not go with.
 */
const wrongOf = {
  number: [["3", TypeError, "number"]],
  whole: [
    ["3", TypeError, "number"],
    [1.5, RangeError, "whole"],
    [Number.NaN, RangeError, "whole"],
    [2 ** 53, RangeError, "whole"],
  ],
  flag: [
    [1, TypeError, "flag"],
    ["true", TypeError, "flag"],
  ],
  word: [[5, TypeError], ["x".repeat(257), RangeError, "characters"], ["no such name"]],
  extents: [[5, TypeError, "array_of"]],
  array: [[true, TypeError]],
  tensor: [
    [5, TypeError],
    [{ data: [], shape: 5 }, TypeError],
    [{ shape: [1] }, TypeError],
  ],
  tensors: [
    [5, TypeError],
    [[5], TypeError, "tensor", "[0]"],
  ],
  stored: [[new Int8Array(4), TypeError]],
  storedTensor: [
    [5, TypeError, "typed_tensor"],
    [{ data: new Int8Array(4), shape: [4] }, TypeError, "type", ".data"],
    [{ data: new Float32Array(4), shape: [5] }, RangeError, "values", ".data"],
  ],
  positions: [
    ["3", TypeError],
    [["3"], TypeError, "number", "[0]"],
    [{ data: [1, 2], shape: [3] }, RangeError, "values", ".data"],
  ],
  handle: [[{}, TypeError, "made_by"]],
  group: [
    [5, TypeError],
    [{ zzz: 1 }, TypeError],
  ],
  groups: [
    [5, TypeError, "array_of"],
    [[5], TypeError, undefined, "[0]"],
  ],
  wholes: [
    ["x", TypeError, "array_of"],
    [0.5, RangeError, "whole"],
    [[1, 0.5], RangeError, "whole", "[1]"],
  ],
  rule: [
    [5, TypeError, "rule"],
    [{ type: 5 }, TypeError, "string", ".type"],
    [{ type: "no such rule" }, RangeError, undefined, ".type"],
  ],
};

/** A value of a kind, for what is read before. */
const validOf = { number: 2, whole: 2, flag: true, word: "x", array: [1], extents: [1] };

/** Wrong values of a kind, and those of its parts; `present` is what a valid call has. */
function* casesOf({ is, isOptional, fields, rules }, present) {
  yield [symbol, TypeError];
  yield [null, TypeError];
  if (!isOptional && is !== "groups") yield [undefined, TypeError];
  if (isOptional && is === "number") yield [Number.NaN, RangeError];
  if (isOptional && is === "word") yield ["", RangeError, "name_if_given"];
  yield* wrongOf[is];
  if (fields && present?.constructor === Object) yield* partsOf(fields, present);
  for (const [type, options] of Object.entries(rules ?? {})) {
    const before = Object.entries(options).map(([name, kind]) => [name, validOf[kind.is]]);
    yield* partsOf(options, { ...Object.fromEntries(before), type });
    yield [{ ...Object.fromEntries(before), type, zzz: 1 }, TypeError, "option", ".zzz"];
  }
}

function* partsOf(fields, present) {
  for (const [name, kind] of Object.entries(fields))
    for (const [value, Type, code, rest = ""] of casesOf(kind, present[name]))
      yield [{ ...present, [name]: value }, Type, code, `.${name}${rest}`];
}

/** What messages call an option, or what its values are a part of, where that is not its path. */
const calledOtherwise = /^(positions|dtype|axes|[\w.]*(shape|dims|data))\b/;

/** Which numbers an option may be, as the core says; several where functions differ. */
const ranges = readFileSync(new URL("../../../build/wasm/bindings/ranges.json", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** What a call throws with an option. */
function refusal(seed, at, name, value) {
  const { args, call, end } = seed.next();
  args[at] = { ...args[at], [name]: value };
  try {
    call(args);
    end();
  } catch (error) {
    return error;
  }
}

/** The numbers just outside an option's range, which is that whose sentence its error has; none for a rule of its own. */
function outside(seed, at, name, { is }) {
  if (is !== "number" && is !== "whole") return [];
  const { expected } = refusal(seed, at, name, is === "whole" ? 2 ** 53 - 1 : Number.POSITIVE_INFINITY) ?? {};
  const range = ranges.find(({ option, sentence }) => option === name && sentence === expected);
  if (!range) return [];
  met.add(range);
  const { least, most, whole } = range;
  const step = (bound) => (whole ? 1 : Math.max(Number.MIN_VALUE, Math.abs(bound) * 2 ** -52));
  const values = [least - step(least), Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (most < 2 ** 53) values.push(most + step(most));
  values.push(whole ? least + 0.5 : Number.NaN);
  return values.map((value) => [value, RangeError]);
}

/** Makes a call that has to be refused because of `argument`, before anything is written. */
function refuse(seed, change, argument, [value, Type, code]) {
  const { args, call, end } = seed.next();
  const before = Buffer.from(seed.inputs.pool.slice(0));
  const what = `${seed.name}, ${argument}: ${String(value)}`;
  change(args);
  assert.throws(
    () => call(args),
    (error) => {
      assert.ok(Type ? error.constructor === Type : /^(Type|Range)Error$/.test(error.name), `${what}: ${error.stack}`);
      if (code) assert.equal(error.code, code, `${what}: ${error.message}`);
      const path = argument.split(".");
      const { argument: named } = error;
      const isEnd = path.some((_, i) => named.startsWith(path.slice(i).join(".")));
      const isNamed = isEnd || argument.startsWith(`${named}.`);
      assert.ok(isNamed || calledOtherwise.test(error.argument), `${what}: ${error.message}`);
      assert.ok(error.message.startsWith(`${error.argument}: ${error.shown}, expected `), what);
      assert.ok(error.message.includes(error.expected), what);
      if (error.argument === argument && typeof value !== "object") assert.equal(error.value, value, what);
      return true;
    },
    what,
  );
  assert.ok(before.equals(Buffer.from(seed.inputs.pool)), `${what}: half-written`);
  end();
}

/** Where a function's options are among its arguments, what messages call them, and the names that there are. */
function optionsOf(seed) {
  const { length } = seed.next().args;
  for (let at = length; at >= 0; --at) {
    const { args, call, end } = seed.next();
    if (at < length && (typeof args[at] !== "object" || Array.isArray(args[at]))) continue;
    args[at] = { ...args[at], zzz: 1 };
    try {
      call(args);
    } catch ({ code, argument, parameters }) {
      if (code === "option" && argument.endsWith(".zzz"))
        return { at, where: argument.slice(0, -4), names: parameters.names };
    }
    end();
  }
  return undefined;
}

const keyOf = ({ name, where = name, options = {}, results }) =>
  `${where}: ${[...Object.keys(options), ...(results ? ["out"] : [])].join(", ")}`;
const described = new Map(descriptions.map((description) => [keyOf(description), description]));
const used = new Set();
/** The ranges that were met, and the options that no stored call has. */
const met = new Set();
const untried = [];

/** Those of the small entry, whose kinds are those of the full one; and what other functions call. */
const apart = [
  ...["attention", "editedKeys", "keyEdits", "modelLayerMake", "positionalEncoding"],
  ...["rotaryApply", "rotaryCache", "rotaryMake", "sinusoidal", "trainingGenerate"],
];

const pe = await load();
const seeds = seedsOf(pe);
for (const seed of seeds) {
  const found = optionsOf(seed);
  const description = found && described.get(`${found.where}: ${found.names}`);
  if (!description || used.has(description)) continue;
  used.add(description);
  const { at, where } = found;
  const stored = Object.entries(tried)
    .filter(([name]) => name.split(" ")[0] === seed.function)
    .flatMap(([, entries]) => variantsOf(entries).flatMap(([, more]) => Object.keys(more)));
  const present = [...stored, ...Object.keys(seed.next().args[at] ?? {})];
  const others = Object.keys(description.options ?? {}).filter((name) => !present.includes(name));
  untried.push(...others.map((name) => `${seed.function}: ${name}`));
  test(`${seed.name} refuses options of a wrong kind, by name, and writes nothing`, () => {
    const { inputs = {}, options = {} } = description;
    for (const value of [symbol, 5, null])
      refuse(seed, (args) => args.splice(at, 1, value), where, [value, TypeError, "options"]);
    const given = seed.next().args[at] ?? {};
    for (const [name, kind] of Object.entries(options))
      for (const wrong of [...casesOf(kind, given[name]), ...outside(seed, at, name, kind)]) {
        const change = (args) => {
          args[at] = { ...args[at], [name]: wrong[0] };
        };
        refuse(seed, change, `${name}${wrong[3] ?? ""}`, wrong);
      }
    // A method's own object is an input of the core's alone.
    const own = Object.entries(inputs).filter(([, kind]) => kind.is !== "handle");
    if (own.length !== at) return;
    for (const [i, [name, kind]] of own.entries())
      for (const wrong of casesOf(kind, seed.next().args[i]))
        refuse(seed, (args) => args.splice(i, 1, wrong[0]), `${name}${wrong[3] ?? ""}`, wrong);
  });
}

for (const [name, cases] of Object.entries(rules))
  test(`${name} refuses options that do not fit together, and writes nothing`, () => {
    const seed = seeds.find((one) => one.name === name);
    for (const [more, start] of cases) {
      const { args, call } = seed.next(more);
      const changed = args.map((arg, i) => more[i] ?? arg);
      const options = changed.at(-1);
      for (const i of changed.keys()) delete options[i];
      const before = Buffer.from(seed.inputs.pool.slice(0));
      const begins = (error) => assert.equal(String(error).slice(0, start.length), start) ?? true;
      assert.throws(() => call(changed), begins, `${name}, ${start}`);
      assert.ok(before.equals(Buffer.from(seed.inputs.pool)), `${name}, ${start}: half-written`);
    }
  });

test("most ranges are met by a call of the table", () => {
  assert.ok(met.size >= 25, `${met.size} ranges met`);
});

test("every option is in a call whose result is stored, but for the hub's, of diagnoses and of trainings", () => {
  const others = /^(buffer|diagnose|fixtures|mistakes|model\.layer\.\w+|training\.\w+): /;
  assert.deepEqual(
    untried.filter((option) => !others.test(option)),
    [],
  );
});

test("every function is in the table of calls, and every one with options was gone through", () => {
  const called = new Set(seeds.map((seed) => seed.function));
  assert.deepEqual(
    functionsOf(pe).filter((name) => !called.has(name)),
    [],
  );
  const others = descriptions.filter((one) => one.options && !used.has(one)).map(({ name }) => name);
  assert.deepEqual(others.sort(), apart);
});
