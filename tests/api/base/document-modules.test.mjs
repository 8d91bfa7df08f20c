// Every module that the documents print, with its own arguments and shapes: each class or function is a line or two of
// the API here.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { attend, multiHead, nest } from "../testing/attention-formula.mjs";
import { assertClose, range, rotate, sinusoid, tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const nested = ({ data, shape }) => nest(data, shape);
const flat = (value) => value.flat(Number.POSITIVE_INFINITY);

test("000: get_absolute_positional_encoding(seq_len, d_model)", () => {
  const table = pe.sinusoidal({ length: 8, dim: 32 });
  assert.deepEqual(table.shape, [8, 32]);
  assertClose(table.data, sinusoid(range(8), 32), 6e-8);
});

test("000: RelativePositionalEncoding(d_model, max_len).forward(length)", () => {
  for (const [exponent, step] of [
    ["paper", 2],
    ["double-stepped", 4],
  ]) {
    const code = pe.relativeSinusoidal({ queries: 8, keys: 8, dim: 32, exponent });
    assert.deepEqual(code.shape, [8, 8, 32]);
    const distances = range(64).map((at) => (at % 8) - Math.floor(at / 8));
    assertClose(code.data, sinusoid(distances, 32, { step }), 1e-7);
  }
});

test("000: apply_rotary_pos_emb(x, sin, cos) is the layout of halves", () => {
  const x = tensor([8, 32]);
  const rotary = pe.rotary({ dim: 32, layout: "half" });
  const rotated = rotary.apply(x.data.slice(), { shape: x.shape });
  const wanted = nested(x).flatMap((row, position) => rotate(row, position, { layout: "half" }));
  assertClose(rotated, wanted, 3e-7);
  const { cos, sin } = rotary.cache({ length: 8 });
  const byCache = nested(x).flatMap((row, i) =>
    row.map((value, dimension) => {
      const turned = dimension < 16 ? -row[dimension + 16] : row[dimension - 16];
      return value * cos.data[i * 16 + (dimension % 16)] + turned * sin.data[i * 16 + (dimension % 16)];
    }),
  );
  assertClose(rotated, byCache, 3e-7);
  rotary.delete();
});

test("001: PositionalEncoding(d_model, dropout=0.1, max_len=5000).forward(x)", () => {
  const module = pe.positionalEncoding({ dModel: 16 });
  assert.deepEqual(module.table.shape, [5000, 16]);
  const x = tensor([2, 7, 16]);
  const added = module.forward(x, { training: false, seqAxis: 1 });
  assert.deepEqual(added.shape, x.shape);
  const table = sinusoid(range(7), 16);
  assertClose(
    added.data,
    Array.from(x.data, (value, at) => value + table[at % table.length]),
    2e-7,
  );
  const trained = module.forward(x, { training: true, seed: 5, seqAxis: 1 });
  assert.deepEqual(trained, pe.dropout(pe.add(x, module.table, { seqAxis: 1 }), { p: 0.1, seed: 5 }));
  assert.notDeepEqual(trained, module.forward(x, { training: true, seed: 6, seqAxis: 1 }));
  assert.deepEqual(
    pe.positionalEncoding({ dModel: 16, dropout: 0, maxLen: 7 }).forward(x, { training: true, seed: 1, seqAxis: 1 }),
    added,
  );
});

test("001: dropout keeps the mean", () => {
  const x = { data: new Float32Array(2 ** 18).fill(1), shape: [2 ** 18] };
  const sum = pe.dropout(x, { p: 0.1, seed: 1 }).data.reduce((a, b) => a + b);
  // Five standard deviations.
  assert.ok(Math.abs(sum / 2 ** 18 - 1) <= 5 * Math.sqrt(0.1 / 0.9 / 2 ** 18));
});

test("001: softmax((Q Kᵀ + R) / sqrt(d_k)) V, R learned", () => {
  const [query, key, value, table] = [tensor([6, 4], 2), tensor([6, 4], 3), tensor([6, 4], 4), tensor([5, 1], 5)];
  const ids = pe.shawIds({ queries: 6, keys: 6, maxDistance: 2 });
  const bias = pe.tableBias({ ids, table });
  const { output } = pe.attention({ query, key, value, bias: { data: bias.data, shape: [6, 6] }, biasScaled: true });
  const added = (_b, _h, i, j) => table.data[Math.max(-2, Math.min(2, j - i)) + 2];
  const [q, k, v] = [query, key, value].map((part) => [[nested(part)]]);
  assertClose(output.data, flat(attend(q, k, v, { scale: 0.5, scaled: true, added }).output), 2e-7);
});

test("001: MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O of embeddings with their positions", () => {
  const names = ["query", "key", "value", "out"];
  const layers = Object.fromEntries(names.map((name, at) => [name, { weight: tensor([8, 8], 10 + at) }]));
  const x = pe.add(tensor([5, 8], 20), pe.sinusoidal({ length: 5, dim: 8 }));
  const { output, weights } = pe.multiHeadAttention({ query: x, layers, heads: 2, weights: true });
  const plain = Object.fromEntries(names.map((name) => [name, { weight: nested(layers[name].weight) }]));
  const wanted = multiHead(nested(x), plain, 2);
  assert.deepEqual(weights.shape, [2, 5, 5]);
  assertClose(output.data, flat(wanted.output), 4e-6);
});

test("002: rotary_embedding(x, positions), as it is printed", () => {
  // Its frequencies step twice, and its pairs are deinterleaved.
  const x = tensor([2, 10, 16], 6);
  const positions = range(10).map((p) => 3 * p);
  const rotary = pe.rotary({ dim: 16, layout: "deinterleaved", exponent: "double-stepped" });
  const rotated = rotary.apply(x.data.slice(), { shape: x.shape, positions, seqAxis: 1 });
  const wanted = nested(x).flatMap((rows) =>
    rows.flatMap((row, i) => {
      const angles = range(8).map((pair) => positions[i] * 10000 ** ((-2 * pair) / 8));
      return [
        ...angles.map((a, p) => row[2 * p] * Math.cos(a) - row[2 * p + 1] * Math.sin(a)),
        ...angles.map((a, p) => row[2 * p] * Math.sin(a) + row[2 * p + 1] * Math.cos(a)),
      ];
    }),
  );
  assertClose(rotated, wanted, 3e-7);
  rotary.delete();
});

test("002: apply_rope(QK, theta_list) and apply_rope(x, position)", () => {
  const degrees = [10, 20, 30].map((d) => (d * Math.PI) / 180);
  const two = pe.rotary({ dim: 2, layout: "interleaved" });
  const tokens = { data: Float32Array.of(1, 0.2, 0.3, 1, -0.9, 0.5), shape: [3, 2] };
  const weights = [Float32Array.of(1, 0.8, -0.8, 1), Float32Array.of(-1, 0.6, 0.6, 1)];
  const [query, key] = weights.map((data) => {
    const projected = pe.linear(tokens, { data, shape: [2, 2] });
    return { data: two.apply(projected.data, { shape: [3, 2], positions: degrees }), shape: [3, 2] };
  });
  const { output, weights: shares } = pe.attention({ query, key, value: tokens, weights: true, precision: "exact" });
  const digits = [0.109277, 0.203211, 0.687513, 0.154747, 0.391422, 0.453831, 0.517204, 0.37439, 0.108406];
  assertClose(shares.data, digits, 8e-7);
  assertClose(output.data, [-0.448522, 0.568822, -0.136274, 0.649287, 0.531956, 0.532034], 8e-7);
  two.delete();
  const rotary = pe.rotary({ dim: 12, layout: "interleaved" });
  for (const position of [0, 1, 2, 5, 10]) {
    const x = rotary.apply(new Float32Array(12).fill(5), { shape: [1, 12], offset: position });
    assertClose(x, rotate(Array(12).fill(5), position, { layout: "interleaved" }), 2e-6);
  }
  rotary.delete();
});

test("003: PositionalEncoding(d_model, max_len).forward(x [batch, seq_len]) gives [seq_len, d_model]", () => {
  const table = pe.sinusoidal({ length: 512, dim: 512 });
  const rows = pe.sinusoidal({ length: 30, dim: 512 });
  assert.deepEqual(rows, { data: table.data.slice(0, 30 * 512), shape: [30, 512] });
  assert.deepEqual(pe.add(tensor([4, 30, 512], 7), table, { seqAxis: 1 }).shape, [4, 30, 512]);
});

test("003: RotaryPositionalEmbeddings(d, base).forward(x [seq, batch, heads, d])", () => {
  const x = tensor([5, 2, 3, 8], 8);
  const rotary = pe.rotary({ dim: 8, layout: "half", base: 10000 });
  const rotated = rotary.apply(x.data.slice(), { shape: x.shape, seqAxis: 0 });
  const wanted = nested(x).flatMap((rows, position) =>
    rows.flatMap((heads) => heads.flatMap((head) => rotate(head, position, { layout: "half" }))),
  );
  assertClose(rotated, wanted, 3e-7);
  rotary.delete();
});

test("004: PositionalEncoding(d_model, max_len=5000).forward(x), and the six printed words", () => {
  const module = pe.positionalEncoding({ dModel: 2, dropout: 0 });
  const words = { data: Float32Array.from(range(12), (i) => (i + 1) / 10), shape: [1, 6, 2] };
  assertClose(
    module.forward(words, { training: true, seed: 0, seqAxis: 1 }).data,
    sinusoid(range(6), 2).map((code, i) => code + (i + 1) / 10),
    2e-7,
  );
  const printed = { data: Float32Array.of(0, 1, 0.8, 0.6, 0.5, 0.8, 0.2, 0.9, 0.9, 0.4, 0.7, 0.2), shape: [6, 2] };
  const sums = [0.1, 1.2, 1.1, 1.0, 1.0, 1.4, 0.9, 1.7, 1.8, 1.4, 1.8, 1.4];
  assertClose(pe.add(words, printed, { seqAxis: 1 }).data, sums, 1.2e-7);
});

testWrongCalls([
  [() => pe.positionalEncoding({ dModel: 0 }), RangeError, "dim: 0"],
  [() => pe.positionalEncoding({ dModel: 4, dropout: "0.1" }), TypeError, 'dropout: "0.1"'],
  [() => pe.positionalEncoding({ dModel: 4 }).forward(tensor([1, 4]), {}), TypeError, "training: undefined"],
  [
    () => pe.positionalEncoding({ dModel: 4 }).forward(tensor([1, 4]), { training: true }),
    TypeError,
    "dropout.seed: undefined, expected a number",
  ],
  [
    () => pe.positionalEncoding({ dModel: 4, maxLen: 3 }).forward(tensor([4, 4]), { training: false }),
    RangeError,
    "table: 3, expected at least 4 rows",
  ],
]);
