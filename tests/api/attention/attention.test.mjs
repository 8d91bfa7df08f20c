// What of attention is JavaScript's own: which results there are, forms of masks and caches, and how they lie in memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadSmall } from "posenc";
import { load } from "posenc/full";
import { tensor } from "../testing/reference.mjs";

const pe = await load();
const batch = { query: tensor([2, 4, 3, 5], 2), key: tensor([2, 2, 6, 5], 3), value: tensor([2, 2, 6, 3], 4) };

test("weights only where they are asked for, in float32 by default", async () => {
  const [query, key, value] = [tensor([5, 8], 4), tensor([70, 8], 5), tensor([70, 3], 6)];
  const small = await loadSmall();
  const bare = pe.attention({ query, key, value });
  assert.deepEqual(Object.keys(bare), ["output"]);
  for (const { attention } of [pe, small]) {
    assert.deepEqual(attention({ query, key, value, weights: false }), bare);
    assert.deepEqual(attention({ query, key, value, weights: true }).output, bare.output);
    const out = { weights: new Float32Array(350) };
    assert.throws(() => attention({ query, key, value, out }), /^TypeError: out.weights/);
  }
  assert.deepEqual(pe.attention({ query, key, value, precision: "float32" }), bare);
  assert.throws(() => small.attention({ query, key, value, bias: tensor([2, 2]), biasScaled: true }), {
    message: /^bias.shape: \[2, 2\], expected \[5, 70\]/,
  });
});

test("ranks: one head, heads and a batch of heads have the same bits", () => {
  const [query, key, value] = [tensor([3, 5], 6), tensor([6, 5], 7), tensor([6, 2], 8)];
  const lifted = ({ data, shape }, axes) => ({ data, shape: [...Array(axes).fill(1), ...shape] });
  const one = pe.attention({ query, key, value, weights: true });
  for (const axes of [1, 2]) {
    const [q, k, v] = [query, key, value].map((given) => lifted(given, axes));
    const { output, weights } = pe.attention({ query: q, key: k, value: v, weights: true });
    assert.deepEqual([output, weights], [lifted(one.output, axes), lifted(one.weights, axes)]);
  }
});

test("masks are booleans or bytes, of fewer axes too, and of either meaning", () => {
  const data = Array.from({ length: 18 }, (_, at) => at % 3 !== 1);
  const masked = (more) => pe.attention({ ...batch, weights: true, ...more });
  const wanted = masked({ mask: { data, shape: [3, 6] } });
  assert.deepEqual([wanted.output.shape, wanted.weights.shape], [batch.query.shape.with(3, 3), [2, 4, 3, 6]]);
  assert.deepEqual([...wanted.weights.data.slice(0, 6)].map(Boolean), data.slice(0, 6));
  const ignored = Uint8Array.from(data, (isSeen) => (isSeen ? 0 : 7));
  for (const more of [
    { mask: { data: Uint8Array.from(data, Number), shape: [1, 3, 6] } },
    { mask: { data: data.map((isSeen) => !isSeen), shape: [1, 1, 3, 6] }, maskMeaning: "ignore" },
    { mask: { data: ignored, shape: [3, 6] }, maskMeaning: "ignore" },
  ])
    assert.deepEqual(masked(more), wanted);
  const keys = [true, true, false, true, true, true, false, true, true, true, true, true];
  const rows = Array.from({ length: 36 }, (_, at) => keys[6 * Math.floor(at / 18) + (at % 6)]);
  const hidden = masked({ keyMask: { data: keys, shape: [2, 6] } });
  assert.deepEqual(masked({ mask: { data: rows, shape: [2, 1, 3, 6] } }), hidden);
});

test("dropout changes the output alone, and nothing after training", () => {
  const plain = pe.attention({ ...batch, weights: true });
  const { output, weights } = pe.attention({ ...batch, dropout: { p: 0.4, seed: 2 ** 40 + 5 }, weights: true });
  assert.deepEqual(weights, plain.weights);
  assert.notDeepEqual(output, plain.output);
  assert.deepEqual(pe.attention({ ...batch, dropout: { p: 0.4, training: false }, weights: true }), plain);
  const x = tensor([10, 30], 13);
  assert.deepEqual(pe.dropout(x, { p: 0.1, training: false }), x);
});

/** The first keys of a cache with room for more, sequence first or heads first. */
function cacheOf({ data, shape: [rows, heads, keys, width] }, capacity, isSequenceFirst) {
  const out = new Float32Array(rows * heads * capacity * width).fill(Number.NaN);
  for (let row = 0; row < rows * heads * keys; ++row) {
    const [b, h, k] = [Math.floor(row / keys / heads), Math.floor(row / keys) % heads, row % keys];
    const at = isSequenceFirst ? (b * capacity + k) * heads + h : (b * heads + h) * capacity + k;
    out.set(data.subarray(row * width, (row + 1) * width), at * width);
  }
  const shape = isSequenceFirst ? [rows, capacity, heads, width] : [rows, heads, capacity, width];
  return { data: out, shape };
}

test("keys and values are taken as they lie in a cache, of any dtype", () => {
  const given = { query: batch.query, causal: true, queryOffset: 3, weights: true };
  for (const dtype of ["float32", "float16", "bfloat16"]) {
    const [key, value] = [batch.key, batch.value].map((x) => pe.convert(pe.convert(x, dtype), "float32"));
    const wanted = pe.attention({ ...given, key, value });
    for (const seqAxis of [undefined, 2, -2, 1, -3])
      for (const capacity of [6, 19]) {
        const isFirst = seqAxis === 1 || seqAxis === -3;
        const [k, v] = [key, value].map((x) => pe.convert(cacheOf(x, capacity, isFirst), dtype));
        const cache = { length: 6, ...(seqAxis !== undefined && { seqAxis }) };
        assert.deepEqual(pe.attention({ ...given, key: k, value: v, cache }), wanted);
        if (capacity === 6 && !isFirst) assert.deepEqual(pe.attention({ ...given, key: k, value: v }), wanted);
      }
  }
  const bits = { data: new Uint16Array(batch.key.data.length), shape: batch.key.shape };
  assert.throws(() => pe.attention({ ...batch, key: bits }), /^TypeError: dtype: undefined, expected/);
  assert.throws(() => pe.attention({ ...batch, key: { ...bits, dtype: "float8" } }), /^RangeError: dtype: "float8"/);
  const grouped = { query: tensor([1, 4, 8]), key: tensor([5, 2, 8]), value: tensor([5, 2, 8]) };
  assert.throws(
    () => pe.attention(grouped),
    /^RangeError: kvHeads: 5, expected a divisor of 1 heads, or seqAxis: 0 for/,
  );
  assert.deepEqual(pe.attention({ ...grouped, seqAxis: 0 }).output.shape, [1, 4, 8]);
  const two = tensor([2, 2]);
  const flat = { query: two, key: two, value: two, cache: { seqAxis: 1 } };
  assert.throws(() => pe.attention(flat), /^RangeError: cache.seqAxis: 1, expected -2, as in \[\.\.\., seq, d\]$/);
});

test("memory grows with the length, not with its square", async () => {
  const own = await load({ shared: false });
  const [query, key, value] = [20, 21, 22].map((seed) => tensor([2, 4096, 16], seed));
  const buffer = own.buffer(1);
  const before = buffer.view.buffer.byteLength;
  own.attention({ query, key, value, causal: true });
  own.attentionBackward({ query, key, value, causal: true, gradient: value });
  // A weight for each pair would take 134 MB.
  assert.ok(buffer.view.buffer.byteLength - before < 2 ** 23);
});

test("PositionalEncoding(d_model, dropout=0.1, max_len=5000).forward(x), the PyTorch tutorial's module", () => {
  const module = pe.positionalEncoding({ dModel: 16 });
  assert.deepEqual(module.table, pe.sinusoidal({ length: 5000, dim: 16 }));
  const x = tensor([2, 7, 16]);
  const added = module.forward(x, { training: false, seqAxis: 1 });
  assert.deepEqual(added, pe.add(x, module.table, { seqAxis: 1 }));
  assert.deepEqual(module.forward(x, { training: true, seed: 5, seqAxis: 1 }), pe.dropout(added, { p: 0.1, seed: 5 }));
  const without = pe.positionalEncoding({ dModel: 16, dropout: 0, maxLen: 7 });
  assert.deepEqual(without.forward(x, { training: true, seed: 1, seqAxis: 1 }), added);
  assert.throws(() => pe.positionalEncoding({ dModel: 4, dropout: "0.1" }), /^TypeError: dropout: "0.1"/);
});
