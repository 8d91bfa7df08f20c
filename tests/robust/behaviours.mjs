// A caller's getter, trap or iterator may do these things in the middle of a call. Each behaviour says how often it can be had of
// a call (`times`, by default once), what it does, and whether values stay as they were: the call must then give the
// same result as undisturbed, or refuse.

import { lab as calls } from "../api/testing/calls/calls.mjs";
import { librariesOf } from "./whole-library.mjs";

/** Unless it is already. Engines of 2024 and later have `transfer` for it. */
function detach({ buffer }) {
  if (buffer.byteLength > 0) structuredClone(buffer, { transfer: [buffer] });
}

const quietly = (call) => {
  try {
    call();
  } catch {
    // Refused, which is one of the things that it may be.
  }
};

/** Allocates where something was disposed; the contents must stay as they are filled here. */
function occupy(run, length) {
  const made = run.home.buffer(length);
  made.view.fill(canaryValue);
  run.occupants.push(made);
}

export const canaryValue = 42;

/** Thrown by a getter: the call has to end with this very error. */
class Thrown extends Error {}

const throwing = (what) => ({
  name: `throw ${what}`,
  keeps: false,
  act: (run) => {
    run.thrown = what === "an Error" ? new Thrown("thrown by a getter") : what === "undefined" ? undefined : what;
    run.hasThrown = true;
    throw run.thrown;
  },
});

const aBuffer = ({ buffers }) => buffers.length;
const anArray = ({ arrays }) => arrays.length;
const anObject = ({ objects }) => objects.length;

/** Something happens, and the read is answered as if it had not. */
const happening = (name, act, times) => ({
  name,
  times,
  keeps: true,
  act: (run, which, { answer }) => {
    act(run, which);
    return answer();
  },
});
/** It happens after the read was answered. */
const after = (name, act, times) => ({
  name,
  times,
  keeps: true,
  act: (run, which, { answer }) => {
    const answered = answer();
    act(run, which);
    return answered;
  },
});

/** Answers otherwise; in an own property's descriptor the value is another. */
const answering = (name, value) => ({
  name: `answer ${name}`,
  keeps: false,
  act: (run, _, { trap, target, answer }) => {
    if (trap === "get") return value(run);
    if (trap === "has") return !answer();
    if (trap === "ownKeys") return Array.isArray(target) ? ["length"] : [];
    if (trap === "getPrototypeOf") return null;
    const found = answer();
    return found?.configurable ? { ...found, value: value(run) } : found;
  },
});

function replaceBuffer(run, which) {
  const { length } = run.buffers[which];
  run.buffers[which].dispose();
  occupy(run, length);
}

const disposals = [
  happening("dispose a buffer", ({ buffers }, which) => buffers[which].dispose(), aBuffer),
  happening("dispose a buffer, its place taken", replaceBuffer, aBuffer),
  after("dispose a buffer after the read, its place taken", replaceBuffer, aBuffer),
  happening("dispose all buffers", ({ buffers }) => {
    for (const made of buffers) made.dispose();
  }),
  happening("dispose an object", ({ objects }, which) => objects[which].dispose?.(), anObject),
  happening(
    "dispose an object, its place taken",
    (run, which) => {
      run.objects[which].dispose?.();
      for (let i = 0; i < 3; ++i) run.made.push(run.pe.rotary({ dim: 4, layout: "interleaved", base: 7 }));
      for (const length of [4, 12, 24, 48]) occupy(run, length);
    },
    anObject,
  ),
];

const resizing = (name, sizeOf) => ({
  ...happening(
    name,
    ({ arrays }, which) => {
      const { buffer } = arrays[which];
      if (buffer.byteLength > 0) buffer.resize(sizeOf(buffer)); // not where another behaviour has detached it
    },
    anArray,
  ),
  resizes: true,
});

const arrays = [
  happening("detach an array", ({ arrays }, which) => detach(arrays[which]), anArray),
  after("detach an array after the read", ({ arrays }, which) => detach(arrays[which]), anArray),
  resizing("shrink an array", () => 4),
  resizing("empty an array", () => 0),
  resizing("grow an array", ({ maxByteLength }) => maxByteLength),
];

const reentries = [
  happening("the same call", (run) => run.again()),
  happening("a table", ({ pe }) => pe.sinusoidal({ length: 5, dim: 6 })),
  happening("a table in a buffer of its own", ({ pe }) => {
    const made = pe.buffer(30);
    pe.sinusoidal({ length: 5, dim: 6, out: made.view });
    made.dispose();
  }),
  happening("a call that is refused", ({ pe }) => quietly(() => pe.sinusoidal({ length: 5, dim: 6, base: -1 }))),
  happening("a call with many options", ({ pe }) =>
    quietly(() => pe.add({ data: new Float32Array(1), shape: new Array(700).fill(1) }, { data: [], shape: [] })),
  ),
  happening("a rotary made, used and disposed", ({ pe }) => {
    const rope = pe.rotary({ dim: 4, layout: "half" });
    const x = pe.buffer(8);
    rope.step(x, { shape: [2, 4] }).apply(3);
    rope.apply(x.view, { shape: [2, 4], offset: 1 });
    x.dispose();
    rope.dispose();
  }),
];

/** A list changes its length or its items; an option goes, or comes. */
const changes = {
  "the last goes": (target) => {
    if (Array.isArray(target)) target.pop();
    else delete target[Object.keys(target).at(-1)];
  },
  "all go": (target) => {
    if (Array.isArray(target)) target.length = 0;
    else for (const key of Object.keys(target)) delete target[key];
  },
  "one comes": (target) => {
    if (Array.isArray(target)) target.push(1);
    else target.unheard = 1;
  },
  "all are others": (target) => {
    for (const key of Object.keys(target)) target[key] = Number.NaN;
  },
};

const changing = ([name, change]) => ({
  name: `change: ${name}`,
  keeps: false,
  act: (_, __, { target, answer }) => {
    if (isList(target)) change(target);
    return answer();
  },
});

/** Options or a list: no typed array, and nothing of the library's. */
const isList = (target) => Array.isArray(target) || target.constructor === Object;

/** Iterators, and objects that claim to be something else. */
const impostors = {
  undefined: () => undefined,
  null: () => null,
  NaN: () => Number.NaN,
  "-1": () => -1,
  "2^32": () => 2 ** 32,
  "1e300": () => 1e300,
  "a string": () => 'x\n\u001b[2J"',
  // What every object has is in no table of the library's.
  "an inherited name": () => "toString",
  "a Symbol": () => Symbol("s"),
  "a BigInt": () => 10n ** 30n,
  "a function": () => () => 3,
  "an iterator": () =>
    function* iterator() {
      yield* [1, 2, "x"];
    },
  "an iterator that throws": (run) => () => {
    run.thrown = new Thrown("thrown by an iterator");
    run.mayThrow = true;
    throw run.thrown;
  },
  "a list": () => [1, 2],
  "a list with a Symbol": () => [Symbol("s")],
  "a cyclic list": () => {
    const list = [1];
    list.push(list);
    return list;
  },
  "an empty object": () => Object.create(null),
  "an object that throws": (run) => {
    const raise = () => {
      run.thrown = new Thrown("thrown by an object");
      run.mayThrow = true;
      throw run.thrown;
    };
    return new Proxy({}, { get: raise, ownKeys: raise, has: raise, getPrototypeOf: raise });
  },
  "an array": () => new Float32Array(6).fill(1),
  "an array that says it is longer": () => Object.defineProperty(new Float32Array(6), "length", { value: 4096 }),
  "a shared array": () => new Float32Array(new SharedArrayBuffer(24)),
  "a detached array": () => {
    const array = new Float32Array(6);
    detach(array);
    return array;
  },
  "the library's memory": ({ home }) => {
    const made = home.buffer(24);
    const { view } = made;
    made.dispose();
    return view;
  },
  "a disposed rotary": ({ pe }) => {
    const rope = pe.rotary({ dim: 4, layout: "half" });
    rope.dispose();
    return rope;
  },
};

/** A memory doubles: an instance can do that a few times. Nothing is written to what is allocated. */
export const growth = happening("grow the memory", ({ pe }) => {
  const [tools, lab] = librariesOf(pe);
  const { byteLength } = memoryOf(tools);
  quietly(() => tools.sinusoidal({ length: byteLength / 16, dim: 4, base: -1 }));
  // The weights of two heads for so many tokens do not fit.
  const tokens = new Int32Array(Math.sqrt(memoryOf(lab).byteLength / 8));
  quietly(() => trainingOf(lab).attention(tokens));
});

const trainings = new WeakMap();

function trainingOf(lab) {
  if (!trainings.has(lab)) trainings.set(lab, calls.objects.training(lab));
  return trainings.get(lab);
}

export function memoryOf(pe) {
  const made = pe.buffer(1);
  const { buffer } = made.view;
  made.dispose();
  return buffer;
}

/**
 * The threat model, checked each time: at a read of an option, the caller's own accessor disposes of what the call was
 * given, detaches or resizes its arrays, or throws. Wrong values are the fuzz test's, growth of the memory is `growth`.
 */
export const modelled = [...disposals, ...arrays, throwing("an Error")];

/** Everything that was thought of, for the long run: also calls within calls, changed options, and other answers. */
export const behaviours = [
  ...modelled,
  ...reentries,
  throwing("undefined"),
  throwing("a string"),
  ...Object.entries(changes).map(changing),
  ...Object.entries(impostors).map(([name, value]) => answering(name, value)),
];
