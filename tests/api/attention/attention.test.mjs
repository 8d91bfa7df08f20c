import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc";
import { load as loadFull } from "posenc/full";
import { assertClose, pseudoRandom } from "../testing/reference.mjs";

const pe = await load();
const full = await loadFull();
const tensor = (shape, values) => ({ data: Float32Array.from(values), shape });

/** softmax(scale Q Kᵀ) V in double, for [n, d] tensors. */
function plainAttention(q, k, v, scale) {
  const row = (t, i) => t.data.slice(i * t.shape[1], (i + 1) * t.shape[1]);
  const weights = [];
  const output = [];
  for (let i = 0; i < q.shape[0]; ++i) {
    const scores = Array.from({ length: k.shape[0] }, (_, j) =>
      row(k, j).reduce((sum, value, d) => sum + scale * value * row(q, i)[d], 0),
    );
    const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
    const total = powers.reduce((a, b) => a + b);
    const shares = powers.map((power) => power / total);
    weights.push(...shares);
    for (let d = 0; d < v.shape[1]; ++d) output.push(shares.reduce((sum, w, j) => sum + w * row(v, j)[d], 0));
  }
  return { weights, output };
}

test("attention as softmax(Q Kᵀ / sqrt d) V, with its weights", () => {
  const query = tensor([4, 8], pseudoRandom(32, 1));
  const key = tensor([6, 8], pseudoRandom(48, 2));
  const value = tensor([6, 3], pseudoRandom(18, 3));
  const { output, weights } = full.attention({ query, key, value, weights: true, precision: "exact" });
  const wanted = plainAttention(query, key, value, 1 / Math.sqrt(8));
  assert.deepEqual(weights.shape, [4, 6]);
  assert.deepEqual(output.shape, [4, 3]);
  assertClose(weights.data, wanted.weights, 6e-8);
  assertClose(output.data, wanted.output, 1e-7);
  const sharp = full.attention({ query, key, value, scale: 3, weights: true, precision: "exact" });
  assertClose(sharp.weights.data, plainAttention(query, key, value, 3).weights, 6e-8);
});

test("weights only where they are asked for; float32 by default", () => {
  const query = tensor([5, 8], pseudoRandom(40, 4));
  const key = tensor([70, 8], pseudoRandom(560, 5));
  const value = tensor([70, 3], pseudoRandom(210, 6));
  const bare = pe.attention({ query, key, value });
  assert.deepEqual(Object.keys(bare), ["output"]);
  assert.deepEqual(pe.attention({ query, key, value, weights: false }), bare);
  const both = pe.attention({ query, key, value, weights: true });
  assert.deepEqual(both.output, bare.output);
  assert.deepEqual(full.attention({ query, key, value, precision: "float32" }), bare);
  const wanted = plainAttention(query, key, value, 1 / Math.sqrt(8));
  assertClose(both.weights.data, wanted.weights, 2e-7);
  assertClose(bare.output.data, wanted.output, 1e-6);
  assert.throws(() => pe.attention({ query, key, value, precision: "exact" }), {
    name: "TypeError",
    message: /^attention.precision/,
  });
  const out = { weights: new Float32Array(350) };
  assert.throws(() => pe.attention({ query, key, value, out }), {
    name: "TypeError",
    message: /^out.weights/,
  });
});

test("scores of thousands neither overflow nor give NaN", () => {
  const query = tensor([1, 1], [1e4]);
  const key = tensor([2, 1], [1, -1]);
  const { weights } = pe.attention({ query, key, value: tensor([2, 1], [1, 2]), scale: 1, weights: true });
  assert.deepEqual([...weights.data], [1, 0]);
});

test("post C: projection, rotation, attention of the three tokens", () => {
  const tokens = tensor([3, 2], [1, 0.2, 0.3, 1, -0.9, 0.5]);
  const q = pe.linear(tokens, tensor([2, 2], [1, 0.8, -0.8, 1]));
  const k = pe.linear(tokens, tensor([2, 2], [-1, 0.6, 0.6, 1]));
  assertClose(q.data, [1.16, -0.6, 1.1, 0.76, -0.5, 1.22], 1e-6);
  assertClose(k.data, [-0.88, 0.8, 0.3, 1.18, 1.2, -0.04], 1e-6);
  const rope = pe.rotary({ dim: 2, layout: "interleaved" });
  const positions = [10, 20, 30].map((degrees) => (degrees * Math.PI) / 180);
  for (const t of [q, k]) rope.apply(t.data, { shape: [3, 2], positions });
  const { weights, output } = full.attention({ query: q, key: k, value: tokens, weights: true, precision: "exact" });
  const wanted = plainAttention(q, k, tokens, 1 / Math.SQRT2);
  assertClose(weights.data, wanted.weights, 6e-8);
  assertClose(output.data, wanted.output, 1e-7);
});

test("linear: float32 rounds each product and each sum in their order, exact the whole sum once", async () => {
  const full = await loadFull();
  const [rows, ins, outs] = [5, 37, 11];
  const x = tensor([rows, ins], pseudoRandom(rows * ins, 6));
  const weight = tensor([outs, ins], pseudoRandom(outs * ins, 7));
  const sums = (step) =>
    Float32Array.from({ length: rows * outs }, (_, at) => {
      let sum = 0;
      for (let i = 0; i < ins; ++i) {
        sum = step(sum, x.data[Math.floor(at / outs) * ins + i], weight.data[(at % outs) * ins + i]);
      }
      return sum;
    });
  const exact = sums((sum, a, b) => sum + a * b);
  assert.deepEqual(full.linear(x, weight, { precision: "exact" }).data, exact);
  const rounded = sums((sum, a, b) => Math.fround(sum + Math.fround(a * b)));
  assert.deepEqual(full.linear(x, weight, { precision: "float32" }).data, rounded);
  for (const { linear } of [pe, full]) assert.deepEqual(linear(x, weight).data, rounded);
  assert.notDeepEqual(rounded, exact);
  assert.throws(() => full.linear(x, weight, { precision: "double" }), {
    name: "RangeError",
    message: /^precision: "double", expected one of "float32", "exact"/,
  });
});

test("add: a table's rows onto embeddings, batch by batch; longer tables are fine", () => {
  const x = tensor([2, 2, 3], pseudoRandom(12, 4));
  const table = pe.sinusoidal({ length: 5, dim: 3 });
  const sum = pe.add(x, table, { seqAxis: 1 });
  assert.deepEqual(sum.shape, [2, 2, 3]);
  assert.notEqual(sum.data, x.data);
  assert.deepEqual(
    [...sum.data],
    Array.from(x.data, (value, i) => Math.fround(value + table.data[i % 6])),
  );
});

test("post E: as printed 'the' and 'mat' end with one vector; with the formula they do not", () => {
  const words = tensor([6, 2], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2]);
  const printed = tensor([6, 2], [0, 1, 0.8, 0.6, 0.5, 0.8, 0.2, 0.9, 0.9, 0.4, 0.7, 0.2]);
  const last = (t) => [t.data.slice(8, 10), t.data.slice(10, 12)];
  const [the, mat] = last(pe.add(words, printed));
  assertClose(the, [1.8, 1.4], 2e-7);
  assertClose(mat, [1.8, 1.4], 2e-7);
  const [trueThe, trueMat] = last(pe.add(words, pe.sinusoidal({ length: 6, dim: 2 })));
  // Their first dimensions are nearly equal, 0.143 and 0.141; the second tells them apart.
  assert.ok(Math.hypot(trueThe[0] - trueMat[0], trueThe[1] - trueMat[1]) > 1);
});
