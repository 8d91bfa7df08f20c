// Valid calls of every function of the API, recorded and not yet made: other tests change their arguments.
import { lab, whole } from "./calls/calls.mjs";
import { Inputs } from "./inputs.mjs";
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
  const recorded =
    (target, run) =>
    (...args) => {
      if (!written.isOn) return ready(run(...args));
      written.last = { args, target, call: (changed) => run(...changed) };
      return {};
    };
  const wrapped = (target) => {
    for (const [name, method] of methodsOf(target)) {
      const value = recorded(target, (...args) => method.apply(target, args));
      Object.defineProperty(target, name, { value, configurable: true, enumerable: false });
    }
    return target;
  };
  const library = Object.fromEntries(Object.entries(pe).map(([name, make]) => [name, recorded(undefined, make)]));
  return { library, written };
}

/** Copies lists and options, since makers share some. */
function copied(value) {
  if (Array.isArray(value)) return value.map(copied);
  if (value?.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copied(item)]));
}

/** A training remembers every step: each has one of its own. */
const changing = ["training.step"];

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

export const seedsOf = (pe) => Object.entries({ ...makers, ...others }).map(([name, maker]) => seedOf(pe, name, maker));

/**
 * Not what calls with arguments can spoil (robust/leaks.test.mjs has them), what the published types do not have, and what
 * starts threads (learning/run-ends.test.mjs has that).
 */
const apart = ["delete", "dispose", "train"];

/** The names of all functions. */
export function functionsOf(pe) {
  const ofObjects = Object.entries(handles).flatMap(([name, make]) =>
    [...methodsOf(make(pe)).keys()].map((method) => `${name}.${method}`),
  );
  return [...Object.keys(pe), ...ofObjects].filter((name) => !apart.includes(name.split(".").at(-1)));
}

const isPlain = (value) => Array.isArray(value) || (value && Object.getPrototypeOf(value) === Object.prototype);

/** Every value in the arguments: the object that has it, and its key. */
export function placesIn(args) {
  const places = [];
  const walk = (holder, depth) => {
    for (const key of Object.keys(holder)) {
      places.push({ holder, key });
      if (depth < 4 && isPlain(holder[key])) walk(holder[key], depth + 1);
    }
  };
  walk(args, 0);
  return places;
}

/** All options in arguments, also those inside others. */
export const optionPlaces = (args) => placesIn(args).filter(({ holder }) => !Array.isArray(holder));
