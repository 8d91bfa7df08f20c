import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { attend, nest } from "../testing/attention-formula.mjs";
import { assertClose, tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const [batch, heads, kvHeads, dim, dv] = [2, 4, 2, 32, 40];

/** [batch, kvHeads, keys, width] in a cache of this capacity whose other values are NaN, sequence first or not. */
function cacheOf({ data, shape }, capacity, isSequenceFirst) {
  const [, , keys, width] = shape;
  const out = new Float32Array(batch * kvHeads * capacity * width).fill(Number.NaN);
  for (let row = 0; row < batch * kvHeads; ++row)
    for (let k = 0; k < keys; ++k) {
      const [b, h] = [Math.floor(row / kvHeads), row % kvHeads];
      const at = isSequenceFirst ? (b * capacity + k) * kvHeads + h : row * capacity + k;
      out.set(data.subarray((row * keys + k) * width, (row * keys + k + 1) * width), at * width);
    }
  const [front, back] = isSequenceFirst ? [capacity, kvHeads] : [kvHeads, capacity];
  return { data: out, shape: [batch, front, back, width] };
}

const inputs = (queries, keys) => ({
  query: tensor([batch, heads, queries, dim], 2),
  key: tensor([batch, kvHeads, keys, dim], 3),
  value: tensor([batch, kvHeads, keys, dv], 4),
});

/** The values that a dtype has of a tensor's. */
const rounded = (x, dtype) => (dtype === "float32" ? x : pe.convert(pe.convert(x, dtype), "float32"));

test("keys and values are taken as they lie in a cache, of any dtype", () => {
  for (const queries of [1, 3, 8])
    for (const keys of [1, 37, 200])
      for (const dtype of ["float32", "float16", "bfloat16"]) {
        const { query, key, value } = inputs(queries, keys);
        const plain = { query, key: rounded(key, dtype), value: rounded(value, dtype) };
        const terms = { causal: true, queryOffset: keys - queries, weights: true };
        const wanted = pe.attention({ ...plain, ...terms });
        for (const seqAxis of [undefined, 2, -2, 1, -3])
          for (const capacity of [keys, keys + 13]) {
            const [k, v] = [key, value].map((x) => cacheOf(x, capacity, seqAxis === 1 || seqAxis === -3));
            const stored = dtype === "float32" ? [k, v] : [k, v].map((x) => pe.convert(x, dtype));
            const cache = { length: keys, ...(seqAxis !== undefined && { seqAxis }) };
            const found = pe.attention({ query, key: stored[0], value: stored[1], cache, ...terms });
            assert.deepEqual(found, wanted);
            if (capacity === keys && seqAxis === undefined)
              assert.deepEqual(pe.attention({ query, key: stored[0], value: stored[1], ...terms }), wanted);
          }
        if (keys === 200) continue;
        const nested = ({ data, shape }) => nest(data, shape);
        const formula = attend(nested(query), nested(plain.key), nested(plain.value), {
          scale: 1 / Math.sqrt(dim),
          added: (_b, _h, i, j) => (j <= keys - queries + i ? 0 : Number.NEGATIVE_INFINITY),
        });
        assertClose(wanted.output.data, formula.output.flat(Number.POSITIVE_INFINITY), 2e-6);
      }
});

test("a loop that decodes in place: the rotated key is written where it stays, and nothing is copied", () => {
  const [tokens, capacity] = [9, 16];
  const rotary = pe.rotary({ dim, layout: "half" });
  const [q, k, v] = [5, 6, 7].map((seed) => tensor([tokens, kvHeads, dim], seed));
  const turned = k.data.slice();
  rotary.apply(turned, { shape: k.shape, seqAxis: 0 });
  const [keys, values] = [pe.buffer(capacity * kvHeads * dim), pe.buffer(capacity * kvHeads * dim)];
  const shape = [capacity, kvHeads, dim];
  const row = kvHeads * dim;
  for (let token = 0; token < tokens; ++token) {
    const at = token * row;
    keys.view.set(k.data.subarray(at, at + row), at);
    values.view.set(v.data.subarray(at, at + row), at);
    rotary.apply(keys.view.subarray(at, at + row), { shape: [1, kvHeads, dim], seqAxis: 0, offset: token });
    const { output } = pe.attention({
      query: { data: q.data.slice(at, at + row), shape: [kvHeads, 1, dim] },
      key: { data: keys.view, shape },
      value: { data: values.view, shape },
      cache: { length: token + 1, seqAxis: 0 },
    });
    assert.deepEqual(keys.view.slice(0, at + row), turned.slice(0, at + row));
    for (let h = 0; h < kvHeads; ++h) {
      const head = (data, count) =>
        Float32Array.from({ length: count * dim }, (_, i) => data[Math.floor(i / dim) * row + h * dim + (i % dim)]);
      const alone = pe.attention({
        query: { data: head(q.data.subarray(at), 1), shape: [1, dim] },
        key: { data: head(turned, token + 1), shape: [token + 1, dim] },
        value: { data: head(v.data, token + 1), shape: [token + 1, dim] },
      });
      assert.deepEqual(output.data.slice(h * dim, (h + 1) * dim), alone.output.data);
    }
  }
  for (const buffer of [keys, values]) buffer.dispose();
});

const given = inputs(1, 6);
const out = { output: new Float32Array(batch * heads * dv).fill(7) };
const bits = { data: new Uint16Array(given.key.data.length), shape: given.key.shape };
const cached = (extra) => () => pe.attention({ ...given, out, ...extra });
const wrong = [
  [cached({ cache: { length: 7 } }), RangeError, "cache.length: 7, expected at most the capacity, 6"],
  [cached({ cache: { length: -1 } }), RangeError, "cache.length: -1, expected a whole number >= 0"],
  [cached({ cache: { length: 2.5 } }), RangeError, "cache.length: 2.5, expected a whole number"],
  [cached({ cache: { seqAxis: 0 } }), RangeError, "cache.seqAxis: 0, expected -2, as in [..., capacity, d] or -3"],
  [cached({ cache: { seqAxis: -1 } }), RangeError, "cache.seqAxis: -1, expected -2"],
  [cached({ cache: { capacity: 6 } }), TypeError, "cache.capacity: 6, expected one of length, seqAxis"],
  [cached({ cache: 6 }), TypeError, "cache: 6, expected an object of options"],
  [cached({ key: bits }), TypeError, "dtype: undefined, expected"],
  [cached({ key: { ...bits, dtype: "float8" } }), RangeError, 'dtype: "float8", expected "float32"'],
  [cached({ value: given.query }), RangeError, "value.shape: [2, 4, 1, 32], expected [2, 2, 6, dv]"],
];
testWrongCalls(wrong);

test("nothing is written where a call fails", () => {
  for (const [call] of wrong) {
    assert.throws(call);
    assert.ok(out.output.every((x) => x === 7));
  }
});
