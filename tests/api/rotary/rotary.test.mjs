// What of rotations is JavaScript's own: the shapes of caches, and whose objects are taken.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadSmall } from "posenc";
import { load } from "posenc/full";
import { tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const small = await loadSmall();
const options = { dim: 10, layout: "half", rotaryDim: 4 };
const rotary = pe.rotary(options);

test("caches have the shapes of ONNX, transformers and ggml", () => {
  const batch = { data: [2, 3, 4], shape: [3, 1] };
  for (const [form, list, rows] of [
    ["onnx", [3, 2], [3, 1, 2]],
    ["huggingface", [1, 3, 4], [3, 1, 4]],
    ["huggingface-interleaved", [1, 3, 4], [3, 1, 4]],
    ["ggml", [3, 4], [3, 1, 4]],
  ]) {
    const names = form === "ggml" ? ["cosSin"] : ["cos", "sin"];
    const made = [{ length: 3 }, { positions: batch }].map((own) => pe.rotaryCache({ rotary, form, ...own }));
    for (const [i, shape] of [list, rows].entries()) {
      assert.deepEqual(Object.keys(made[i]), names);
      for (const name of names) assert.deepEqual(made[i][name].shape, shape, form);
    }
  }
  assert.deepEqual(pe.rotaryCache({ rotary, form: "onnx", length: 3 }), rotary.cache({ length: 3 }));
});

test("a cache in any form rotates tokens as its rotary does, some of them in any order", () => {
  const axes = { shape: [2, 3, 2, 10], seqAxis: 1, batchAxis: 0 };
  const positions = { data: [0, 4, 2, 3, 3, 1], shape: [2, 3] };
  const x = () => tensor(axes.shape).data;
  const wanted = rotary.apply(x(), { ...axes, positions });
  for (const form of ["onnx", "huggingface", "huggingface-interleaved", "ggml"]) {
    const how = { ...axes, layout: "half", form };
    const cache = pe.rotaryCache({ rotary, form, length: 5 });
    assert.deepEqual(pe.rotateWithCache(x(), { ...how, ...cache, positions }), wanted, form);
    const tokens = pe.rotaryCache({ rotary, form, positions });
    assert.deepEqual(pe.rotateWithCache(x(), { ...how, ...tokens }), wanted, form);
  }
});

test("an empty sequence is fine", () => {
  assert.equal(rotary.apply(new Float32Array(0), { shape: [0, 8, 10], seqAxis: 0 }).length, 0);
  for (const made of [rotary, small.rotary(options)]) assert.deepEqual(made.cache({ length: 0 }).cos.shape, [0, 2]);
});

testWrongCalls([
  [
    () => pe.rotaryMatrix({ rotary: small.rotary(options), position: 0 }),
    TypeError,
    "rotary: an object, expected what rotary() of this entry made",
  ],
  [() => pe.certify({ dim: 7 }, { length: 16, arithmetic: "ggml" }), RangeError, "dim: 7, expected"],
]);
