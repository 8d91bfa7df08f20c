// The library's memory when it grows, and when it is full.
import assert from "node:assert/strict";
import { test } from "node:test";
import { whole } from "../api/testing/calls/calls.mjs";
import { Inputs } from "../api/testing/inputs.mjs";
import { librariesOf, load } from "../api/testing/whole-library.mjs";
import { knownAnswers } from "./known-answers.mjs";
import { random } from "./random.mjs";

const { makers, objects } = whole;
const pe = await load();
const answers = knownAnswers(pe);
const next = random(1);
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
  const fill = (library, length) => {
    for (;;) {
      try {
        held.push(library.buffer(length));
      } catch (error) {
        assert.equal(error.name, named.name);
        assert.match(error.message, /^length: /);
        return;
      }
    }
  };
  for (const library of librariesOf(pe)) for (let length = 2 ** 27; length >= 1; length /= 2) fill(library, length);
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

test("full of rotaries once, and all but one disposed: small calls and large ones work again", () => {
  const make = () => pe.rotary({ dim: 2 ** 20, layout: "half" });
  const held = [];
  for (let refused = false; !refused; ) {
    try {
      held.push(make());
    } catch (error) {
      assert.match(error.message, /^\w+: \d+, expected as many values as fit/);
      refused = true;
    }
  }
  assert.ok(held.length > 100, `${held.length} fit`);
  // The core still has room for itself: what needs none of its own is done.
  const small = pe.rotary({ dim: 4, layout: "half" });
  assert.equal(small.apply(new Float32Array(4), { shape: [1, 4], offset: 3 }).length, 4);
  small.dispose();
  const [last] = held.splice(next(held.length), 1);
  for (const made of held) made.dispose();
  answers.check();
  assert.equal(pe.sinusoidal({ length: 2 ** 18, dim: 64 }).data.length, 2 ** 24);
  assert.equal(last.dim, 2 ** 20);
  last.apply(new Float32Array(2 ** 20), { shape: [1, 2 ** 20], offset: 1 });
  last.dispose();
});

test("forgotten in one loop: every call is refused or right until the loop ends, and none ends the instance", async () => {
  const own = await load({ shared: false });
  const expected = own.sinusoidal({ length: 3, dim: 4 });
  const named = /^[\w.* ]+: \d+, expected as many values as fit into .*: dispose\(\) of something; .* forgotten/;
  let made = 0;
  const fill = () => {
    for (; ; ++made) own.rotary({ dim: 2 ** 16, layout: "half" });
  };
  assert.throws(fill, { name: "RangeError", message: named });
  assert.ok(made > 1000, `${made}`);
  for (const call of [
    () => assert.deepEqual(own.sinusoidal({ length: 3, dim: 4 }), expected),
    () => own.rotary({ dim: 4, layout: "half" }).dispose(),
    () => own.buffer(2 ** 24).dispose(),
    () => own.hubConfig({ model_type: "llama", hidden_size: 64, num_attention_heads: 4 }),
  ]) {
    try {
      call();
    } catch (error) {
      assert.equal(error.name, "RangeError", error.stack);
      assert.match(error.message, named);
    }
  }
});

test("at the edge of the 2 GiB: the largest buffer works to its last value, and one more is refused", () => {
  const fits = (length) => {
    try {
      pe.buffer(length).dispose();
      return true;
    } catch (error) {
      assert.match(error.message, /^length: \d+, expected as many values as fit/);
      return false;
    }
  };
  // Sixteen buffers fill the memory but for its end, which is searched: no more is written than the memory has.
  const held = Array.from({ length: 14 }, () => pe.buffer(2 ** 25));
  let [least, most] = [1, 2 ** 27];
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (fits(middle)) least = middle;
    else most = middle;
  }
  const buffer = pe.buffer(least);
  const end = buffer.view.subarray(least - 12);
  assert.ok(end.byteOffset + end.byteLength > 1.8 * 2 ** 30, `${end.byteOffset} is not near the edge`);
  const table = { length: 3, dim: 4, offset: 5 };
  assert.deepEqual(pe.sinusoidal({ ...table, out: end }).data, pe.sinusoidal(table).data);
  const rotated = pe.rotary({ dim: 4, layout: "half" });
  const copy = end.slice();
  assert.deepEqual(rotated.apply(end, { shape: [3, 4], offset: 1 }), rotated.apply(copy, { shape: [3, 4], offset: 1 }));
  assert.throws(() => pe.sinusoidal({ length: 2 ** 24, dim: 4 }), { name: "RangeError" });
  for (const length of [2 ** 29 - 1, 2 ** 29, 2 ** 29 + 1, 2 ** 30, 2 ** 31, 2 ** 32, 2 ** 53 - 1]) {
    assert.equal(fits(length), false);
    assert.throws(() => pe.sinusoidal({ length, dim: 4 }), { name: "RangeError" });
  }
  for (const made of [buffer, rotated, ...held]) made.dispose();
  answers.check();
});
