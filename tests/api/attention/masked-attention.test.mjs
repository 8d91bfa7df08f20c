import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadSmall } from "posenc";
import { load } from "posenc/full";
import { attend, nest } from "../testing/attention-formula.mjs";
import { assertClose, tensor } from "../testing/reference.mjs";
import { fractions, isStored, testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const nested = ({ data, shape }) => nest(data, shape);
const flat = (value) => value.flat(Number.POSITIVE_INFINITY);
const batch = { query: tensor([2, 4, 3, 5], 2), key: tensor([2, 2, 6, 5], 3), value: tensor([2, 2, 6, 3], 4) };
const scale = 1 / Math.sqrt(5);

function assertAttention(options, formula) {
  const { output, weights } = pe.attention({ ...batch, ...options, weights: true, precision: "exact" });
  assert.deepEqual(output.shape, [2, 4, 3, 3]);
  assert.deepEqual(weights.shape, [2, 4, 3, 6]);
  const wanted = attend(nested(batch.query), nested(batch.key), nested(batch.value), { scale, ...formula });
  assertClose(weights.data, flat(wanted.weights), 1.2e-7);
  assertClose(output.data, flat(wanted.output), 2e-7);
  const fast = pe.attention({ ...batch, ...options, weights: true });
  assertClose(fast.weights.data, weights.data, 1e-6);
  assertClose(fast.output.data, output.data, 2e-6);
  assert.deepEqual(pe.attention({ ...batch, ...options }), { output: fast.output });
}

const hide = (visible) => (visible ? 0 : Number.NEGATIVE_INFINITY);

test("a batch whose heads share keys", () => assertAttention({}, {}));

test("causal, with the position of the first query", () => {
  assertAttention({ causal: true }, { added: (_b, _h, i, j) => hide(j <= i) });
  assertAttention({ causal: true, queryOffset: 3 }, { added: (_b, _h, i, j) => hide(j <= i + 3) });
  const { weights } = pe.attention({ ...batch, causal: true, queryOffset: -1, weights: true });
  assert.ok(weights.data.slice(0, 6).every((weight) => weight === 0));
});

test("masks of booleans, of either meaning and any shared axes", () => {
  const data = Array.from({ length: 18 }, (_, at) => at % 3 !== 1);
  const added = (_b, _h, i, j) => hide(data[i * 6 + j]);
  assertAttention({ mask: { data, shape: [3, 6] } }, { added });
  assertAttention({ mask: { data: Uint8Array.from(data, Number), shape: [1, 3, 6] } }, { added });
  assertAttention({ mask: { data: data.map((x) => !x), shape: [1, 1, 3, 6] }, maskMeaning: "ignore" }, { added });
  const heads = [true, false, true, true];
  assertAttention({ mask: { data: heads, shape: [4, 1, 1] } }, { added: (_b, h) => hide(heads[h]) });
});

test("padding: a mask of keys", () => {
  const data = [true, true, true, true, false, false, true, false, true, true, true, true];
  const added = (b, _h, _i, j) => hide(data[b * 6 + j]);
  assertAttention({ keyMask: { data, shape: [2, 6] } }, { added });
  const ignored = { data: Uint8Array.from(data, (x) => (x ? 0 : 7)), shape: [2, 6] };
  assertAttention({ keyMask: ignored, maskMeaning: "ignore" }, { added });
});

test("a bias that the batch shares, and everything together", () => {
  const bias = tensor([4, 3, 6], 5);
  const of = (h, i, j) => bias.data[(h * 3 + i) * 6 + j];
  assertAttention({ bias, biasScaled: true }, { scaled: true, added: (_b, h, i, j) => of(h, i, j) });
  const keys = Array.from({ length: 12 }, (_, at) => at !== 3 && at !== 8);
  assertAttention(
    { bias, biasScaled: false, causal: true, queryOffset: 2, keyMask: { data: keys, shape: [2, 6] }, scale: 2 },
    { scale: 2, added: (b, h, i, j) => of(h, i, j) + hide(j <= i + 2) + hide(keys[b * 6 + j]) },
  );
});

test("ranks: one head, heads, a batch of heads have the same bits, and those of the small entry", async () => {
  const small = await loadSmall();
  const [query, key, value] = [tensor([3, 5], 6), tensor([6, 5], 7), tensor([6, 2], 8)];
  const one = pe.attention({ query, key, value, weights: true });
  assert.deepEqual(small.attention({ query, key, value, weights: true }), one);
  const lifted = ({ data, shape }, axes) => ({ data, shape: [...Array(axes).fill(1), ...shape] });
  for (const axes of [1, 2]) {
    const { output, weights } = pe.attention({
      query: lifted(query, axes),
      key: lifted(key, axes),
      value: lifted(value, axes),
      weights: true,
    });
    assert.deepEqual(output, lifted(one.output, axes));
    assert.deepEqual(weights, lifted(one.weights, axes));
  }
});

test("dropout of the weights changes the output alone, and nothing after training", () => {
  const plain = pe.attention({ ...batch, weights: true });
  const { output, weights } = pe.attention({ ...batch, dropout: { p: 0.4, seed: 2 ** 40 + 5 }, weights: true });
  assert.deepEqual(weights, plain.weights);
  assert.notDeepEqual(output, plain.output);
  assert.deepEqual(pe.attention({ ...batch, dropout: { p: 0.4, training: false }, weights: true }), plain);
});

test("a compact bias is the bias written out, and its gradient has its shape", () => {
  const shape = { queries: 3, keys: 6, queryOffset: 3 };
  const options = { ...batch, biasScaled: false };
  for (const of of [
    (form) => pe.alibi({ heads: 4, ...shape, form }),
    (form) => pe.alibi({ heads: 4, ...shape, form, future: "mask" }),
    (form) => pe.t5({ table: tensor([32, 4], 14), ...shape, bidirectional: true, form }),
  ]) {
    const full = { ...options, bias: of("full"), weights: true };
    const compact = { ...options, bias: of("compact"), biasForm: "compact", weights: true };
    assert.deepEqual(compact.bias.shape, [4, 8]);
    const wanted = pe.attention(full);
    assert.deepEqual(pe.attention(compact), wanted);
    const gradient = tensor(wanted.output.shape, 15);
    const { weights: _, ...given } = compact;
    const found = pe.attentionBackward({ ...given, gradient });
    const { bias } = pe.attentionBackward({ ...options, bias: full.bias, gradient });
    assert.deepEqual(found.bias.shape, [4, 8]);
    const sums = new Float64Array(32);
    bias.data.forEach((x, at) => {
      sums[Math.floor(at / 18) * 8 + 2 - (Math.floor(at / 6) % 3) + (at % 6)] += x;
    });
    assertClose(found.bias.data, sums, 1e-6);
  }
  // One for all heads.
  const bias = tensor([1, 8], 16);
  const full = {
    data: Float32Array.from({ length: 18 }, (_, at) => bias.data[2 - Math.floor(at / 6) + (at % 6)]),
    shape: [3, 6],
  };
  assert.deepEqual(pe.attention({ ...options, bias, biasForm: "compact" }), pe.attention({ ...options, bias: full }));
});

test("memory grows with the length, not with its square", async () => {
  const own = await load({ shared: false });
  const shape = [2, 4096, 16];
  const [query, key, value] = [20, 21, 22].map((seed) => tensor(shape, seed));
  const buffer = own.buffer(1);
  const before = buffer.view.buffer.byteLength;
  own.attention({ query, key, value, causal: true });
  own.attentionBackward({ query, key, value, causal: true, gradient: value });
  // A weight for each pair would take 134 MB.
  assert.ok(buffer.view.buffer.byteLength - before < 2 ** 23);
});

test("softmax and its gradient, in either precision; the quick one is the default", () => {
  const x = tensor([2, 3, 4], 11);
  x.data.fill(Number.NEGATIVE_INFINITY, 4, 8);
  const gradient = tensor(x.shape, 12);
  const [exact, quick] = ["exact", "float32"].map((precision) => pe.softmax(x, { precision }));
  assert.deepEqual(exact.shape, x.shape);
  assert.deepEqual([...exact.data.slice(4, 8)], [0, 0, 0, 0]);
  assertClose(quick.data, exact.data, 2e-7);
  assert.notDeepEqual(quick, exact);
  assert.deepEqual(pe.softmax(x), quick);
  const [given, wanted] = [quick, exact].map((weights, at) =>
    pe.softmaxBackward({ weights, gradient, precision: at === 0 ? "float32" : "exact" }),
  );
  assertClose(given.data, wanted.data, 4e-7);
  assert.deepEqual(pe.softmaxBackward({ weights: quick, gradient }), given);
  const row = [...exact.data.slice(8, 12)];
  const mean = row.reduce((sum, weight, i) => sum + weight * gradient.data[8 + i], 0);
  assertClose(
    wanted.data.slice(8, 12),
    row.map((weight, i) => weight * (gradient.data[8 + i] - mean)),
    3e-8,
  );
});

test("dropout: the seed decides, from an offset on; evaluation changes nothing", () => {
  const x = tensor([10, 30], 13);
  const whole = pe.dropout(x, { p: 0.1, seed: 42 });
  assert.deepEqual(whole, pe.dropout(x, { p: 0.1, seed: 42, offset: 0, training: true }));
  assert.notDeepEqual(whole, pe.dropout(x, { p: 0.1, seed: 43 }));
  const row = { data: x.data.slice(90, 120), shape: [30] };
  assert.deepEqual(pe.dropout(row, { p: 0.1, seed: 42, offset: 90 }).data, whole.data.slice(90, 120));
  assert.deepEqual(pe.dropout(x, { p: 0.1, training: false }), x);
});

test("the bits that are stored for the core", () => {
  const ones = { data: new Float32Array(1000).fill(1), shape: [1000] };
  const options = {
    query: fractions([2, 4, 5, 8], 12),
    key: fractions([2, 2, 7, 8], 13),
    value: fractions([2, 2, 7, 6], 14),
    bias: fractions([4, 1, 7], 15),
    biasScaled: false,
    scale: 0.5,
    causal: true,
    queryOffset: 2,
    dropout: { p: 0.25, seed: 9 },
    precision: "exact",
  };
  const { weights, output } = pe.attention({ ...options, weights: true });
  const { query, key, value, bias } = pe.attentionBackward({
    ...options,
    gradient: fractions([2, 4, 5, 6], 16),
  });
  assert.deepEqual(
    [query.shape, key.shape, value.shape],
    [options.query.shape, options.key.shape, options.value.shape],
  );
  assert.deepEqual(bias.shape, options.bias.shape);
  const blocks = (precision) => {
    const compact = fractions([1, 219], 25);
    compact.data.fill(Number.NEGATIVE_INFINITY, 180);
    const given = {
      query: fractions([3, 70, 24], 22),
      key: fractions([1, 150, 24], 23),
      value: fractions([1, 150, 20], 24),
      bias: compact,
      biasForm: "compact",
      biasScaled: false,
      scale: 0.7,
      causal: true,
      queryOffset: 90,
      precision,
    };
    const made = pe.attention({ ...given, weights: true });
    const found = pe.attentionBackward({ ...given, gradient: fractions([3, 70, 20], 26) });
    return [made.output, made.weights, found.query, found.key, found.value, found.bias];
  };
  for (const [name, tensors] of [
    ["dropout", [pe.dropout(ones, { p: 0.1, seed: 2024, offset: 2 ** 33 })]],
    ["attention in blocks", blocks("float32")],
    ["attention in blocks, exact", blocks("exact")],
    ["masked attention", [weights, output, query, key, value, bias]],
  ]) {
    assert.ok(isStored(name, tensors), name);
  }
});

const one = tensor([2, 2]);
const heads = tensor([3, 2, 2]);
const masked = (extra) => () => pe.attention({ query: one, key: one, value: one, ...extra });
testWrongCalls([
  [masked({ mask: [true] }), TypeError, "mask.0: true, expected one of data, shape"],
  [masked({ mask: { data: [1, 0, 1, 0], shape: [2, 2] } }), TypeError, "mask.data: [1, 0, 1, 0], expected"],
  [masked({ mask: { data: Array(6).fill(true), shape: [2, 3] } }), RangeError, "mask: [1, 1, 2, 3], expected a shape"],
  [masked({ mask: { data: [true], shape: [1, 1, 1, 1, 1] } }), RangeError, "mask.shape: [1, 1, 1, 1, 1], expected at"],
  [masked({ keyMask: { data: [true], shape: [1] } }), RangeError, "keyMask.shape: [1], expected [2]"],
  [masked({ biasForm: "compact" }), TypeError, 'biasForm: "compact", expected nothing without a bias'],
  [masked({ out: { weights: new Float32Array(4) } }), TypeError, "out.weights"],
  [masked({ dropout: { p: 0.5 } }), TypeError, "dropout.seed: undefined, expected a number"],
  [masked({ key: heads }), RangeError, "key.shape: [3, 2, 2], expected 2 axes"],
  [
    () => pe.attention({ query: heads, key: tensor([2, 2, 2]), value: tensor([2, 2, 2]) }),
    RangeError,
    "kvHeads: 2, expected a divisor of 3 heads",
  ],
  [
    () => pe.attention({ query: heads, key: heads, value: tensor([1, 2, 2]) }),
    RangeError,
    "value.shape: [1, 2, 2], expected [3, 2, dv]",
  ],
  [
    () => pe.attentionBackward({ query: one, key: one, value: one, gradient: heads }),
    RangeError,
    "gradient.shape: [3, 2, 2], expected 2 axes",
  ],
  [() => pe.softmaxBackward({ weights: one, gradient: heads }), RangeError, "gradient.shape: [3, 2, 2]"],
]);
