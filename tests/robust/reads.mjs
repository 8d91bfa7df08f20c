// Arguments whose every read is counted, and one of which something else can answer: options and lists are wrapped in
// proxies; arrays and the library's own objects, which a proxy cannot stand for, get getters.

import { hasMethods } from "./calls.mjs";

/** Properties by which a caller may shadow a typed array's own getters. */
const keysOfArrays = [
  ...["length", "byteLength", "byteOffset", "buffer", "constructor", "set", "slice", "subarray"],
  ...[Symbol.toStringTag, Symbol.iterator],
];

const isTyped = ArrayBuffer.isView;
const isPlain = (value) => Array.isArray(value) || value?.constructor === Object;

/** Traps of one wrapped object; the traps that the library has no business with note that it wrote. */
function trapsOf(reads, path) {
  const read = (trap) => (target, key) => reads.read(trap, path, target, key, () => Reflect[trap](target, key));
  const write = (trap) => (target, key) => {
    reads.written ??= `${trap} of ${path}.${String(key)}`;
    return Reflect[trap](target, key);
  };
  return {
    get: read("get"),
    has: read("has"),
    ownKeys: read("ownKeys"),
    getOwnPropertyDescriptor: read("getOwnPropertyDescriptor"),
    getPrototypeOf: read("getPrototypeOf"),
    set: write("set"),
    defineProperty: write("defineProperty"),
    deleteProperty: write("deleteProperty"),
    preventExtensions: write("preventExtensions"),
    setPrototypeOf: write("setPrototypeOf"),
  };
}

export class Reads {
  /** How many there were. */
  count = 0;
  /** Functions that answer a read, by its number, given { trap, path, target, key, answer }. */
  acts = new Map();
  /** The reads by name, where they are wanted. */
  log;
  /** The first write of the library's to an object of the caller's. */
  written;
  #isOn = false;
  #known = new WeakSet();

  /** Makes a call, with `acts` in place of some of its reads. */
  during(call, acts = new Map()) {
    Object.assign(this, { count: 0, acts, written: undefined });
    this.#isOn = true;
    try {
      return call();
    } finally {
      this.#isOn = false;
    }
  }

  read(trap, path, target, key, answer) {
    if (!this.#isOn) return answer();
    const index = this.count++;
    this.log?.push(`${trap} ${path}${key === undefined ? "" : `.${String(key)}`}`);
    const act = this.acts.get(index);
    if (!act) return answer();
    this.#isOn = false;
    try {
      return act({ trap, path, target, key, answer });
    } finally {
      this.#isOn = true;
    }
  }

  #getter(object, path, key, answer) {
    const get = () => this.read("get", path, object, key, answer);
    Object.defineProperty(object, key, { get, configurable: true });
  }

  /** Returns the arguments, wrapped. */
  wrap(value, path) {
    if (typeof value !== "object" || value === null) return value;
    if (isTyped(value)) {
      const prototype = Object.getPrototypeOf(value);
      for (const key of keysOfArrays) this.#getter(value, path, key, () => Reflect.get(prototype, key, value));
      return value;
    }
    if (isPlain(value)) {
      const wrapped = Array.isArray(value) ? [] : {};
      for (const key of Object.keys(value)) wrapped[key] = this.wrap(value[key], `${path}.${key}`);
      return new Proxy(wrapped, trapsOf(this, path));
    }
    if (hasMethods(value)) this.#watch(value, path);
    return value;
  }

  /** An object of the library's: it outlives a call. */
  #watch(object, path) {
    if (this.#known.has(object)) return;
    this.#known.add(object);
    const prototype = Object.getPrototypeOf(object);
    for (const key of Object.keys(object)) {
      const value = object[key];
      this.#getter(object, path, key, () => value);
    }
    if ("view" in prototype) this.#getter(object, path, "view", () => Reflect.get(prototype, "view", object));
  }
}
