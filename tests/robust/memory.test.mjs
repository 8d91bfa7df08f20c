// The library's memory when it grows, and when it is full.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { makers, objects } from "../api/testing/calls/calls.mjs";
import { Inputs } from "../api/testing/inputs.mjs";
import { knownAnswers } from "./known-answers.mjs";

const pe = await load();
const answers = knownAnswers(pe);
const size = () => pe.buffer(1).view.buffer.byteLength;

test("results, buffers and handles outlive the memory's growth; an old view is refused", () => {
  const result = pe.sinusoidal({ length: 3, dim: 4 });
  const kept = structuredClone(result);
  const buffer = pe.buffer(12);
  const old = buffer.view;
  pe.sinusoidal({ length: 3, dim: 4, out: old });
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const step = rope.step(buffer, { shape: [3, 4] });
  const before = size();
  const large = pe.buffer(before / 4);
  assert.ok(size() > before);
  assert.equal(old.length, 0);
  assert.deepEqual(result, kept);
  assert.deepEqual(buffer.view, kept.data);
  assert.throws(() => pe.sinusoidal({ length: 3, dim: 4, out: old }), { message: /^out: / });
  assert.throws(() => rope.apply(old, { shape: [3, 4] }), TypeError);
  step.apply(5);
  assert.deepEqual(buffer.view, rope.apply(kept.data.slice(), { shape: [3, 4], offset: 5 }));
  for (const made of [step, rope, large, buffer]) made.delete();
  answers.check();
});

test("an optimizer's state in buffers is written where it stands, also when the memory grows in the call", () => {
  const length = 9;
  const options = { lr: 0.5, momentum: 0.9, step: 1 };
  const gradient = new Float32Array(length).fill(2);
  const [parameters, momentum] = [pe.buffer(length), pe.buffer(length)];
  pe.sgdStep(parameters.view, { ...options, gradient, buffer: momentum.view });
  assert.deepEqual([...parameters.view], Array(length).fill(-1));
  assert.deepEqual([...momentum.view], Array(length).fill(2));
  const gone = pe.buffer(length);
  const stale = gone.view;
  gone.delete();
  assert.throws(() => pe.sgdStep(stale, { ...options, gradient, buffer: new Float32Array(length) }), {
    name: "TypeError",
    message: /^parameters: /,
  });
  for (const made of [parameters, momentum]) made.delete();
});

test("a full memory is a RangeError that names an argument, everywhere, and freeing makes it work again", () => {
  const ready = Object.values(makers).map((maker) => maker(pe, new Inputs()));
  const named = { name: "RangeError", message: /^[\w.*/ ()+-]+: \d+, expected as many values as fit/ };
  const held = [];
  const fill = (length) => {
    for (;;) {
      try {
        held.push(pe.buffer(length));
      } catch (error) {
        assert.equal(error.name, named.name);
        assert.match(error.message, /^length: /);
        return;
      }
    }
  };
  for (let length = 2 ** 27; length >= 1; length /= 2) fill(length);
  const calls = [
    ...ready.map((make) => () => make({})),
    ...Object.values(objects).map((make) => () => make(pe).delete?.()),
  ];
  let full = 0;
  for (const call of calls) {
    try {
      call();
    } catch (error) {
      assert.equal(error.name, named.name, error.message);
      assert.match(error.message, named.message);
      full += 1;
    }
  }
  assert.ok(full > 50, `${full} found no memory`);
  assert.throws(() => pe.sinusoidal({ length: 2 ** 20, dim: 64 }), named);
  for (const buffer of held) buffer.delete();
  answers.check();
  assert.equal(pe.sinusoidal({ length: 2 ** 18, dim: 64 }).data.length, 2 ** 24);
});
