// Invalid arguments for fuzzed calls. A change is four numbers: which value, what is done to it, and
// two to choose with. fast-check generates and shrinks them; their meaning is here.

import { types } from "node:util";

/** Numbers on the edges of what is allowed. None makes a large result: it is small, or too much for any memory. */
const numbers = [
  ...[0, -0, 1, -1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 31, 0.5, -0.5, 1.5, 1e-300, 5e-324, -1e-9, 100, 1e4],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, -1e300, 3.5e38, 65520],
  ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 32 + 1, 2 ** 40, 2 ** 44, 2 ** 52, 2 ** 53 - 1, 2 ** 53],
  ...[-(2 ** 53), 2 ** 54, 2 ** 63, 2 ** 64, Number.MAX_VALUE],
];

const names = [
  ...["half", "interleaved", "deinterleaved", "paper", "mpt", "compact", "full", "mask", "keep", "float16", "bfloat16"],
  ...["float32", "onnx", "ggml", "huggingface", "split", "cosines-first", "rff", "diffusers", "code", "yarn", "linear"],
  ...[
    "",
    " ",
    "half ",
    "HALF",
    "__proto__",
    "constructor",
    "toString",
    "\0",
    "half\0",
    "\ud800",
    "\u{1f600}",
    "位置",
    "1",
  ],
  ...["x".repeat(5000), "%s%n", "null", "undefined", "NaN"],
];

/** The error that the caller's own getters throw. */
class Own extends RangeError {}

const raise = (what) => {
  throw new Own(`thrown by ${what}`);
};

/** Whether an error is the caller's own: a getter's, or the engine's about a revoked proxy. */
export const isOwn = (error) => error instanceof Own || /proxy that has been revoked$/.test(error?.message);

function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function detached(array) {
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

/** A cyclic config. */
function cyclic() {
  const object = { model_type: "llama", list: [1] };
  object.self = object;
  object.list.push(object, object.list);
  return object;
}

function cyclicArray() {
  const list = [1, 2];
  list.push(list);
  return list;
}

function shrinking() {
  const buffer = new ArrayBuffer(32, { maxByteLength: 64 });
  const array = new Float32Array(buffer, 8, 6);
  buffer.resize(16);
  return array;
}

/** Claims to be a typed array, but is none. */
const impostor = (tag, length, more = {}) => ({ [Symbol.toStringTag]: tag, length, byteLength: 4 * length, ...more });

/** A list whose length is another each time. */
function restless() {
  let i = 0;
  return new Proxy([1, 2, 3], {
    get: (list, key) => (key === "length" ? [3, 64, 2, 4096][i++ % 4] : (list[key] ?? 1)),
  });
}

/** Everything else, made new each time. */
const others = [
  () => undefined,
  () => null,
  () => true,
  () => false,
  () => 0n,
  () => 10n ** 30n,
  () => Symbol("s"),
  () => Symbol.iterator,
  () => () => 1,
  () => class {},
  () => new Date(Number.NaN),
  () => /x/,
  () => new Map([[1, 2]]),
  () => Promise.resolve(1),
  () => new Error("e"),
  () => Object.create(null),
  () => Object.freeze({}),
  () => ({}),
  () => [],
  () => [1, 2, 3],
  () => [[1, 2], [3]],
  () => ["1"],
  () => Object.assign([1, 2], { length: 3 }),
  () => [Symbol("s")],
  () => [Object.create(null)],
  () => new Array(2 ** 32 - 1),
  () => Object.freeze([1, 2]),
  () => [Number.NaN, Number.POSITIVE_INFINITY, -0],
  () => [2 ** 31, 2 ** 31, 4],
  () => [2 ** 53 - 1, 2],
  () => [0, 0],
  () => [0, 2 ** 53 - 1],
  () => Object.assign([1, 2], { buffer: 5, byteOffset: -1 }),
  cyclic,
  cyclicArray,
  restless,
  () => revoked({}),
  () => revoked([]),
  () => new Proxy([1, 2, 3], {}),
  () => new Proxy(new Float32Array(6), {}),
  () => new Proxy({}, { get: () => raise("get"), ownKeys: () => raise("ownKeys"), has: () => raise("has") }),
  () => ({ valueOf: () => 3, toString: () => "half" }),
  () => ({ valueOf: () => raise("valueOf"), toString: () => raise("toString"), toJSON: () => raise("toJSON") }),
  () => ({ [Symbol.toPrimitive]: () => raise("toPrimitive") }),
  () => Object.defineProperty({}, Symbol.toStringTag, { get: () => raise("toStringTag") }),
  () => new Number(4),
  () => new String("half"),
  () => new Float32Array(0),
  () => new Float32Array(6).fill(1),
  () => new Float32Array([Number.NaN, Number.POSITIVE_INFINITY, -0, 1e-45]),
  () => new Float64Array(6).fill(0.5),
  () => new Int32Array([0, -1, 2 ** 31 - 1]),
  () => new Uint16Array(6).fill(0x7c01),
  () => new Uint8Array(6).fill(255),
  () => new BigInt64Array(3),
  () => new DataView(new ArrayBuffer(8)),
  () => new ArrayBuffer(8),
  () => new Float32Array(new SharedArrayBuffer(24)),
  () => new Int32Array(new SharedArrayBuffer(24)),
  () => detached(new Float32Array(6)),
  () => detached(new Int32Array(6)),
  shrinking,
  () => impostor("Float32Array", 6),
  () => impostor("Float32Array", 2 ** 40),
  () => impostor("Float32Array", -1),
  () => impostor("Uint16Array", 6),
  () => impostor("Int32Array", "6"),
  () => impostor("Float16Array", 6),
  () => impostor("Uint8Array", 6),
  () => ({ data: new Float32Array(6), shape: [2, 3] }),
  () => ({ data: new Float32Array(6), shape: [6] }),
  () => ({ data: new Float32Array(6), shape: [3, 3] }),
  () => ({ data: new Float32Array(0), shape: [0, 2 ** 53 - 1] }),
  () => ({ data: new Float32Array(6), shape: [-2, -3] }),
  () => ({ data: [1, 2, 3], shape: [3] }),
  () => ({ data: new Int32Array([1, 9, -4]), shape: [3] }),
  () => ({ data: new Uint16Array(4), shape: [4], dtype: "bfloat16" }),
  () => ({ shape: [2, 3] }),
  () => ({ data: detached(new Float32Array(6)), shape: [2, 3] }),
];

/** Strange values; `library` gives those of the library itself, `known` names of options and values seen so far. */
export function strange(a, b, library) {
  switch (a % 8) {
    case 0:
    case 1:
    case 2:
      return numbers[b % numbers.length];
    case 3:
      return names[b % names.length];
    case 4: {
      const { values } = library;
      return values[b % values.length]();
    }
    default:
      return others[b % others.length]();
  }
}

const isContainer = (value) =>
  typeof value === "object" &&
  value !== null &&
  !types.isProxy(value) &&
  !ArrayBuffer.isView(value) &&
  !(value instanceof ArrayBuffer);
const isPlain = (value) => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

/** Every value in the arguments: the object that has it, and its key. */
function placesIn(args) {
  const places = [];
  const walk = (holder, depth) => {
    for (const key of Object.keys(holder)) {
      places.push({ holder, key });
      const { value } = Object.getOwnPropertyDescriptor(holder, key);
      if (depth < 4 && isContainer(value) && isPlain(value)) walk(value, depth + 1);
    }
  };
  walk(args, 0);
  return places;
}

const getter = (holder, key, get) => Object.defineProperty(holder, key, { get, enumerable: true, configurable: true });

/** The changes, by number. Each gets a function that chooses a value, the arguments and the library. */
const changes = [
  ...Array(8).fill(({ holder, key }, value) => {
    holder[key] = value();
  }),
  ({ holder, key }) => {
    if (Array.isArray(holder)) holder.length = Number(key);
    else delete holder[key];
  },
  ({ holder, key }) => getter(holder, key, () => raise("a getter")),
  // Another value each time it is read.
  ({ holder, key }, value) => {
    const kept = holder[key];
    let times = 0;
    getter(holder, key, () => (times++ % 2 === 0 ? kept : value()));
  },
  // Valid when checked, another value when used.
  ({ holder, key }, value, { b }) => {
    const kept = holder[key];
    let times = 0;
    getter(holder, key, () => (times++ <= b % 4 ? kept : value()));
  },
  // A getter in the middle of the call frees, allocates, or calls the library.
  ({ holder, key }, _, { b, library, target }) => {
    const kept = holder[key];
    getter(holder, key, () => {
      library.disturb(b, target);
      return kept;
    });
  },
  ({ holder, key }) => {
    const value = holder[key];
    if (isContainer(value)) holder[key] = new Proxy(value, {});
  },
  ({ holder }) => Object.freeze(holder),
  ({ holder, key }) => {
    if (isContainer(holder[key]) && isPlain(holder[key])) holder[key] = Object.assign(Object.create(null), holder[key]);
  },
  ({ holder, key }, _, { args }) => {
    holder[key] = args;
  },
  // One object is in two places.
  ({ holder, key }, _, { a, places }) => {
    const other = places[a % places.length];
    holder[key] = other.holder[other.key];
  },
  // The numbers are in an array of another sort, or elsewhere.
  ({ holder, key }, _, { b, library }) => {
    const value = holder[key];
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) holder[key] = library.elsewhere(value, b);
    else if (Array.isArray(value)) holder[key] = new Proxy(value, {});
  },
  // An option that was not given.
  ...Array(3).fill(({ holder }, value, { a, library }) => {
    const known = library.optionNames;
    if (!Array.isArray(holder)) holder[known[a % known.length]] = value();
  }),
  ({ holder }, value, { library, a, b }) => {
    if (!Array.isArray(holder)) holder.out = a % 2 === 0 ? library.outs[b % library.outs.length]() : value();
  },
  // One more argument.
  (_, value, { args }) => args.push(value()),
];

/** Changes the arguments, each change a list of four numbers. */
export function spoil(args, target, list, library) {
  for (const [at, how, a, b] of list) {
    const places = placesIn(args);
    if (places.length === 0) continue;
    const place = places[at % places.length];
    try {
      changes[how % changes.length](place, () => strange(a, b, library), { a, b, args, places, library, target });
    } catch {
      // Frozen by a change before, or a getter of one before that throws.
    }
  }
  return args;
}

/** All options in arguments, also those inside others, as { holder, key }. */
export const optionPlaces = (args) => placesIn(args).filter(({ holder }) => !Array.isArray(holder));
