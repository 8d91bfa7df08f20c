import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { pseudoRandom, range } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const layouts = ["half", "interleaved", "deinterleaved"];

test("caches in the shapes of ONNX, transformers and ggml", () => {
  const rotary = pe.rotary({ dim: 10, layout: "half", rotaryDim: 4 });
  const plain = rotary.cache({ length: 3, offset: 2 });
  const [c, s] = [plain.cos.data, plain.sin.data];
  const rows = (write) => range(3).flatMap((i) => write(2 * i, 2 * i + 1));
  assert.deepEqual(pe.rotaryCache({ rotary, form: "onnx", length: 3, offset: 2 }), plain);
  const halves = pe.rotaryCache({ rotary, form: "huggingface", length: 3, offset: 2 });
  assert.deepEqual(halves.cos.shape, [1, 3, 4]);
  assert.deepEqual(
    [...halves.cos.data],
    rows((a, b) => [c[a], c[b], c[a], c[b]]),
  );
  assert.deepEqual(
    [...halves.sin.data],
    rows((a, b) => [s[a], s[b], s[a], s[b]]),
  );
  const each = pe.rotaryCache({ rotary, form: "huggingface-interleaved", positions: [2, 3, 4] });
  assert.deepEqual(
    [...each.sin.data],
    rows((a, b) => [s[a], s[a], s[b], s[b]]),
  );
  const ggml = pe.rotaryCache({ rotary, form: "ggml", length: 3, offset: 2 });
  assert.deepEqual(ggml.cosSin.shape, [3, 4]);
  assert.deepEqual(
    [...ggml.cosSin.data],
    rows((a, b) => [c[a], s[a], c[b], s[b]]),
  );
  const batched = pe.rotaryCache({ rotary, form: "onnx", positions: { data: [2, 3, 4], shape: [3, 1] } });
  assert.deepEqual(batched.cos, { data: c, shape: [3, 1, 2] });
});

test("rotation by a cache, whatever its form, is rotation by its frequencies", () => {
  const x = pseudoRandom(2 * 3 * 2 * 6, 7);
  const axes = { shape: [2, 3, 2, 6], seqAxis: 1, batchAxis: 0 };
  const ids = { data: [0, 4, 2, 3, 3, 1], shape: [2, 3] };
  for (const layout of layouts) {
    const rotary = pe.rotary({ dim: 6, layout, rotaryDim: 4 });
    const wanted = rotary.apply(x.slice(), { ...axes, positions: ids });
    const wantedRange = rotary.apply(x.slice(), { ...axes, offset: 1, inverse: true });
    for (const form of ["onnx", "huggingface", "huggingface-interleaved", "ggml"]) {
      const options = { layout, form, ...axes };
      const table = pe.rotaryCache({ rotary, form, length: 5 });
      assert.deepEqual(pe.rotateWithCache(x.slice(), { ...options, ...table, positions: ids }), wanted);
      assert.deepEqual(pe.rotateWithCache(x.slice(), { ...options, ...table, offset: 1, inverse: true }), wantedRange);
      const tokens = pe.rotaryCache({ rotary, form, positions: ids });
      assert.deepEqual(pe.rotateWithCache(x.slice(), { ...options, ...tokens }), wanted);
    }
  }
});

const x = () => new Float32Array(8);
const cache = { cos: { data: x(), shape: [2, 4] }, sin: { data: x(), shape: [2, 4] } };
const halves = { ...cache, layout: "half", form: "huggingface", shape: [2, 4] };

testWrongCalls([
  [
    () => pe.rotateWithCache(x(), { ...halves, sin: { data: new Float32Array(4), shape: [1, 4] } }),
    RangeError,
    "sin.shape: [1, 4], expected [2, 4]",
  ],
  [
    () => pe.rotateWithCache(x(), { ...halves, cos: { data: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), shape: [2, 4] } }),
    RangeError,
    "cosines: 3, expected every number twice",
  ],
  [
    () => pe.rotateWithCache(x(), { ...halves, cosSin: cache.cos }),
    TypeError,
    "rotateWithCache.cosSin: [object Object]",
  ],
]);
