// Deleting an object leaves the memory as it was, as do calls that throw; objects without references are collected.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { whole } from "../api/testing/calls/calls.mjs";
import { hasMethods, optionPlaces, seedsOf } from "../api/testing/recorded-calls.mjs";
import { librariesOf, load } from "../api/testing/whole-library.mjs";
import { random } from "./random.mjs";

const { handles } = whole;
const pe = await load();
setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");

/** The size of a memory, and where the allocator puts something small and something larger next. */
function memoryOf(library) {
  const probes = [library.buffer(16), library.buffer(4096)];
  const [{ view }, { view: large }] = probes;
  const places = [view.buffer.byteLength, view.byteOffset, large.byteOffset];
  for (const probe of probes) probe.delete();
  return places;
}

const memory = () => librariesOf(pe).map(memoryOf);

/** Runs something until it leaves the memory as it was; garbage of others may be freed meanwhile, a leak remains. */
async function leavesMemory(run) {
  let before;
  for (let attempt = 0; attempt < 4; ++attempt) {
    gc();
    await setImmediate();
    before = memory();
    run();
    if (String(memory()) === String(before)) return;
  }
  assert.deepEqual(memory(), before);
}

const cycles = 100_000;
const { step: _, ...kinds } = handles;

for (const [name, make] of Object.entries(kinds)) {
  test(`${name}: ${cycles} made and deleted leave the memory as it was`, async () => {
    const dispose = Symbol.dispose ?? "delete";
    await leavesMemory(() => {
      for (let i = 0; i < cycles; ++i) {
        const made = make(pe);
        if (i % 2 === 0) made.delete?.();
        else made[dispose]?.();
      }
    });
  });
}

test(`step: ${cycles} made and deleted leave the memory as it was`, async () => {
  const rotary = handles.rotary(pe);
  const x = handles.buffer(pe);
  await leavesMemory(() => {
    for (let i = 0; i < cycles; ++i) rotary.step(x, { shape: [2, 3, 4], seqAxis: 0 }).delete();
  });
  rotary.delete();
  x.delete();
});

test("calls that throw leave the memory as it was, whatever of their arguments is wrong", async () => {
  const wrong = [Number.NaN, -1, 2 ** 53, "x", null, Symbol("s"), new Float32Array(1), [Number.NaN]];
  let thrown = 0;
  for (const seed of seedsOf(pe)) {
    const { length } = optionPlaces(seed.next().args);
    const all = () => {
      for (let at = 0; at < length; ++at) {
        for (const value of wrong) {
          const { args, call, end } = seed.next();
          const { holder, key } = optionPlaces(args)[at];
          holder[key] = value;
          try {
            const result = call(args);
            if (result && hasMethods(result)) result.delete?.();
          } catch {
            thrown += 1;
          }
          end();
        }
      }
    };
    await leavesMemory(() => {
      for (let i = 0; i < 5; ++i) all();
    });
  }
  assert.ok(thrown > 10_000, `${thrown} threw`);
});

test("what is forgotten is collected: more than the memory holds can be made", async () => {
  const forgotten = {
    buffer: () => pe.buffer(2 ** 20),
    rotary: () => pe.rotary({ dim: 2 ** 18, layout: "half" }),
  };
  for (const make of Object.values(forgotten)) {
    make();
    const { byteLength } = pe.buffer(1).view.buffer;
    const count = Math.ceil(2 ** 31 / 2 ** 20 / 3);
    for (let i = 0; i < count; ++i) {
      make();
      if (i % 16 !== 15) continue;
      gc();
      await setImmediate();
    }
    assert.ok(pe.buffer(1).view.buffer.byteLength < byteLength + 2 ** 29, "the memory has grown");
  }
});

const small = {
  task: { type: "order", longest: 4 },
  encoding: { type: "learned" },
  model: { width: 4 },
  optimizer: { batch: 1 },
};

/** Makes an object of each kind: `held` keeps it alive, `check` finds out whether its memory is still its own. */
const told = {
  buffer(number) {
    const made = pe.buffer(24);
    made.view.fill(number);
    return { held: made, check: () => made.view.every((value) => value === number) };
  },
  "a buffer's view": (number) => {
    const view = pe.buffer(24).view.fill(number);
    return { held: view, check: () => view.every((value) => value === number) };
  },
  "a part of a buffer's view": (number) => {
    const view = pe.buffer(24).view.fill(number).subarray(3, 9);
    return { held: view, check: () => view.every((value) => value === number) };
  },
  "a buffer of 16 bits": (number) => {
    const made = pe.buffer(24, { dtype: "bfloat16" });
    made.view.fill(number % 2 ** 16);
    return { held: made, check: () => made.view.every((value) => value === number % 2 ** 16) };
  },
  "a table in a buffer": (number) => {
    const table = pe.sinusoidal({ length: 3, dim: 4, offset: number, out: pe.buffer(12).view });
    return { held: table, check: () => table.data[4] === Math.fround(Math.sin(number + 1)) };
  },
  rotary: (number) => {
    const rope = pe.rotary({ dim: 4, layout: "half", base: 2 + number });
    const rotated = () => rope.apply(Float32Array.of(1, 2, 3, 4), { shape: [1, 4], offset: 3 })[1];
    const wanted = rotated();
    return { held: rope, check: () => rotated() === wanted };
  },
  "a rotary's step": (number) => {
    const x = pe.buffer(4);
    const step = pe.rotary({ dim: 4, layout: "half", base: 2 + number }).step(x, { shape: [1, 4] });
    const rotated = () => {
      x.view.set([1, 2, 3, 4]);
      step.apply(3);
      return x.view[1];
    };
    const wanted = rotated();
    return { held: step, check: () => rotated() === wanted };
  },
  xpos: () => {
    const made = pe.xpos({ dim: 4, layout: "half", centre: 2 });
    return { held: made, check: () => made.scales({ length: 1 }).data.length === 2 };
  },
  rotaryGrid: () => {
    const made = handles.rotaryGrid(pe);
    return { held: made, check: () => made.cache({ grid: [2, 3] }).cos.data.length > 0 };
  },
  rotaryMixed: () => {
    const made = handles.rotaryMixed(pe);
    return { held: made, check: () => made.cache({ grid: [2, 3] }).cos.data.length > 0 };
  },
  training: (number) => {
    const made = pe.training({ ...small, seed: number });
    const { loss } = made.evaluate({ sequences: 1 });
    return { held: made, check: () => made.evaluate({ sequences: 1 }).loss === loss };
  },
  positionalEncoding: () => {
    const made = handles.positionalEncoding(pe);
    const x = { data: new Float32Array(8), shape: [2, 4] };
    return { held: made, check: () => made.forward(x, { training: false }).data[1] === 1 };
  },
};

test(`${cycles} objects of every kind, disposed and forgotten in any order: those that are held are as they were`, async () => {
  const next = random(1);
  const makers = Object.entries(told);
  const held = [];
  gc();
  await setImmediate();
  const before = pe.buffer(1).view.buffer.byteLength;
  for (let number = 0; number < cycles; ++number) {
    const [name, make] = makers[next(makers.length)];
    held.push({ name, number, ...make(number) });
    if (held.length > 256) {
      const [one] = held.splice(next(held.length), 1);
      assert.ok(one.check(), `${one.name}, number ${one.number}`);
      if (next(2) === 0) one.held.dispose?.();
    }
    if (number % 1024 !== 0) continue;
    gc();
    await setImmediate();
  }
  for (const { name, number, check } of held) assert.ok(check(), `${name}, number ${number}`);
  assert.ok(pe.buffer(1).view.buffer.byteLength <= before + 2 ** 24, "the memory has grown");
});
