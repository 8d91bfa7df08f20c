// Valid calls of every function of the API, recorded and not yet made: the fuzz test changes their arguments.
import { lab, whole } from "../api/testing/calls/calls.mjs";
import { Inputs } from "../api/testing/inputs.mjs";
import { librariesOf } from "./whole-library.mjs";

const { handles, makers, others } = whole;

/** Every method of an object, by name, inherited ones too. */
export function methodsOf(object) {
  const methods = new Map();
  for (let at = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const key of Object.getOwnPropertyNames(at)) {
      const value = Object.getOwnPropertyDescriptor(at, key).value;
      if (typeof value === "function" && key !== "constructor" && !methods.has(key)) methods.set(key, value);
    }
  }
  return methods;
}

export const hasMethods = (value) =>
  typeof value === "object" &&
  value !== null &&
  !ArrayBuffer.isView(value) &&
  !Array.isArray(value) &&
  methodsOf(value).size > 0;

/** The library, and objects it makes, whose functions record a call instead of making it. */
function recorder(pe) {
  const written = { last: undefined, isOn: false };
  const ready = (made) => (hasMethods(made) ? wrapped(made) : made);
  const wrapped = (target) => {
    for (const [name, method] of methodsOf(target)) {
      const value = (...args) => {
        if (!written.isOn) return ready(method.apply(target, args));
        written.last = { args, target, call: (changed) => method.apply(target, changed) };
        return {};
      };
      Object.defineProperty(target, name, { value, configurable: true, enumerable: false });
    }
    return target;
  };
  const library = {};
  for (const [name, make] of Object.entries(pe)) {
    library[name] = (...args) => {
      if (!written.isOn) return ready(make(...args));
      written.last = { args, target: undefined, call: (changed) => make(...changed) };
      return {};
    };
  }
  return { library, written };
}

/** Copies lists and options, since makers share some. */
function copied(value) {
  if (Array.isArray(value)) return value.map(copied);
  if (value?.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copied(item)]));
}

/** A history remembers every edit, a training every step: each has one of its own. */
const changing = ["keyHistory.edit", "training.step", "training.update"];

/** Which library a call of this name is of. */
function homeOf(pe, name) {
  const [tools, ofLab] = librariesOf(pe);
  return name in lab.makers || name in lab.others ? ofLab : tools;
}

/**
 * A seed: `home` is the library whose function it calls; `next()` gives arguments, new each time, and what they are for,
 * with `more` options where it takes some; `anew()` makes its objects again.
 */
function seedOf(pe, name, maker) {
  const { library, written } = recorder(pe);
  const inputs = new Inputs();
  let make;
  const anew = () => {
    written.isOn = false;
    make = maker(library, inputs.again());
  };
  anew();
  return {
    name,
    function: name.split(" ")[0],
    home: homeOf(pe, name),
    isMaker: name in makers, // it takes `out`
    inputs,
    anew,
    next(more = {}) {
      if (changing.includes(name)) anew();
      inputs.again();
      written.isOn = true;
      written.last = undefined;
      try {
        make(more);
      } finally {
        written.isOn = false;
      }
      const { args, target, call } = written.last;
      const end = () => {
        if (changing.includes(name)) target.delete();
      };
      return { args: args.map(copied), target, call, end };
    },
  };
}

/**
 * Not what calls with arguments can spoil (leaks.test.mjs has them), what the published types do not have, and what starts
 * threads (tests/api/learning/run-ends.test.mjs has that).
 */
const apart = ["delete", "dispose", "train"];

/** All seeds, or the one of a name. */
export const seedsOf = (pe, only) =>
  Object.entries({ ...makers, ...others }).flatMap(([name, maker]) =>
    only === undefined || name === only ? [seedOf(pe, name, maker)] : [],
  );

/** The names of all functions. */
export function functionsOf(pe) {
  const names = Object.keys(pe).filter((name) => !apart.includes(name));
  for (const [name, make] of Object.entries(handles)) {
    for (const method of methodsOf(make(pe)).keys()) {
      if (!apart.includes(method)) names.push(`${name}.${method}`);
    }
  }
  return names;
}
