// A cache gives what attention gives of the plain arrays, and what it refuses changes nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { load as loadSmall } from "posenc";
import { load } from "posenc/full";
import { load as loadTools } from "posenc/tools";
import { tensor } from "../testing/reference.mjs";

const [small, pe, tools] = [await loadSmall(), await load(), await loadTools()];
const [heads, keyHeads, dim, valueDim, capacity] = [4, 2, 8, 6, 9];

/** Tokens from ... to - 1 of [1, seq, heads, width], in either order of the axes. */
function tokensOf({ data, shape: [, , n, width] }, from, to, seqAxis) {
  const part = data.slice(from * n * width, to * n * width);
  if (seqAxis === 1) return { data: part, shape: [1, to - from, n, width] };
  const x = pe.splitHeads({ data: part, shape: [to - from, n * width] }, { heads: n });
  return { data: x.data, shape: [1, ...x.shape] };
}

/** Attention of the last queries over all tokens, as arrays: rotated, rounded and in one piece. */
function wantedOf({ q, k, v }, { from, to, dtype, rope, terms }) {
  const [all, last] = [(x) => tokensOf(x, 0, to, 1), tokensOf(q, from, to, 1)];
  const [key, value] = [all(k), all(v)];
  rope?.apply(key, { seqAxis: 1 });
  rope?.apply(last, { seqAxis: 1, offset: from });
  const options = { causal: true, queryOffset: from, seqAxis: 1, ...terms };
  return pe.attention({ query: last, key: pe.convert(key, dtype), value: pe.convert(value, dtype), ...options }).output;
}

const seeds = (first) => ({
  q: tensor([1, 8, heads, dim], first),
  k: tensor([1, 8, keyHeads, dim], first + 1),
  v: tensor([1, 8, keyHeads, valueDim], first + 2),
});

for (const dtype of ["float32", "float16", "bfloat16"])
  for (const seqAxis of [1, 2])
    for (const terms of [{}, { window: 3, alibi: true, scale: 0.5 }, { causal: false, keyMask: true }])
      test(`${dtype}, tokens on axis ${seqAxis}, ${Object.keys(terms)}: prefill and decoding`, () => {
        for (const library of [small, pe]) {
          const rope = library.rotary({ dim, layout: "half", base: 500 });
          const cache = library.kvCache({ batch: 2, heads: keyHeads, capacity, dim, valueDim, dtype, seqAxis, rope });
          const sequences = [seeds(3), seeds(9)];
          /** Appends and attends: of each sequence by itself, for the one is longer by two. */
          const run = (b, from, to) => {
            const [q, k, v] = ["q", "k", "v"].map((x) => tokensOf(sequences[b][x], from, to, seqAxis));
            cache.append(k, v, { sequences: [b] });
            const data = BigInt64Array.from({ length: to }, (_, j) => BigInt(j !== 1));
            const own = { ...terms, ...(terms.keyMask && { keyMask: { data, shape: [1, to] } }) };
            const { output } = cache.attend(q, { ...own, sequences: [b] });
            const wanted = wantedOf(sequences[b], { from, to, dtype, rope, terms: own });
            assert.deepEqual(output, tokensOf(wanted, 0, to - from, seqAxis));
          };
          run(0, 0, 5);
          run(1, 0, 3);
          run(0, 5, 6);
          assert.deepEqual(cache.lengths, [6, 3]);
          // One token of both at once, each at its own position.
          if (terms.keyMask) continue;
          const parts = ["q", "k", "v"].map((x) =>
            [6, 3].map((at, b) => tokensOf(sequences[b][x], at, at + 1, seqAxis)),
          );
          const [q, k, v] = parts.map(([one, other]) => ({
            data: Float32Array.of(...one.data, ...other.data),
            shape: [2, ...one.shape.slice(1)],
          }));
          cache.append(k, v);
          const { output } = cache.attend(q, terms);
          const wanted = [6, 3].flatMap((from, b) => [
            ...wantedOf(sequences[b], { from, to: from + 1, dtype, rope, terms }).data,
          ]);
          assert.deepEqual([...output.data], wanted);
          cache.dispose();
        }
      });

const one = (rows, tokens, seed = 4) => tensor([rows, tokens, 1, 4], seed);
const make = (library, more) => library.kvCache({ heads: 1, capacity: 4, dim: 4, seqAxis: 1, ...more });

test("without a rope, given positions, three axes, weights and arrays to write to", () => {
  const x = one(1, 3);
  const plain = make(small);
  plain.append({ ...x, shape: [3, 1, 4] }, { ...x, shape: [3, 1, 4] });
  const out = { output: new Float32Array(12) };
  const { output, weights } = plain.attend({ ...x, shape: [3, 1, 4] }, { weights: true, out });
  assert.deepEqual([output.shape, weights.shape, output.data], [[3, 1, 4], [1, 3, 3], out.output]);
  assert.deepEqual(output.data, pe.attention({ query: x, key: x, value: x, causal: true, seqAxis: 1 }).output.data);
  assert.throws(() => plain.append(x, x, { positions: [0, 1, 2] }), /^TypeError: positions: .* nothing without a rope/);
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const [given, counted] = [0, 1].map(() => make(pe, { batch: 2, rope }));
  const two = one(2, 2);
  given.append(two, two, { positions: { data: [7, 9, 0, 1], shape: [2, 2] } });
  given.append(one(2, 1), one(2, 1));
  counted.append(two, two, { positions: [0, 1] });
  const keys = given.key.data.slice();
  const at = (b, t) => [...keys.slice((b * 4 + t) * 4, (b * 4 + t + 1) * 4)];
  const turned = (x, positions) => rope.apply(x.data.slice(), { shape: x.shape, seqAxis: 1, batchAxis: 0, positions });
  // What follows has the position behind the last.
  const next = turned(one(2, 1), { data: [10, 2], shape: [2, 1] });
  assert.deepEqual([at(0, 2), at(1, 2)], [[...next.slice(0, 4)], [...next.slice(4)]]);
  assert.deepEqual(at(1, 0), [...counted.key.data.slice(16, 20)]);
  const asked = { data: [10, 2], shape: [2, 1] };
  assert.deepEqual(given.attend(one(2, 1), { positions: asked }), given.attend(one(2, 1)));
});

test("what has no room or does not fit is refused, and nothing is written", () => {
  const cache = make(pe, { batch: 2 });
  cache.append(one(2, 3), one(2, 3));
  cache.truncate([3, 1]);
  const [keys, values] = [cache.key.data.slice(), cache.value.data.slice()];
  for (const [call, message] of [
    [
      () => cache.append(one(2, 2), one(2, 2)),
      /^RangeError: capacity: 4, expected room for 5 tokens in sequence 0, which has 3/,
    ],
    [() => cache.append(one(1, 1), one(1, 1), { sequences: [2] }), /^RangeError: sequences: 2, expected .* 0 to 1/],
    [
      () => cache.append(one(2, 1), one(2, 1), { sequences: [1, 1] }),
      /^RangeError: sequences: 1, expected each .* once/,
    ],
    [() => cache.append(one(2, 1), one(1, 1)), /^RangeError: value.shape: \[1, 1, 1, 4\], expected \[2, 1, 1, 4\]/],
    [() => cache.append(tensor([2, 1, 2, 4]), one(2, 1)), /^RangeError: key.shape: .* \[2, tokens, 1, 4\]/],
    [() => cache.attend(one(2, 2)), /^RangeError: query.shape: .* at most 1 tokens/],
    [() => cache.attend(one(2, 1), { casual: true }), /^TypeError: attend.casual: true, expected causal/],
    [() => cache.attend(one(2, 1), { queryOffset: 1 }), /^TypeError: attend.queryOffset/],
    [() => cache.truncate(-1), /^RangeError: length: -1/],
    [() => cache.drop({ to: 2 }), /^RangeError: to: 2, expected a whole number from 0 to 1/],
  ])
    assert.throws(call, (error) => message.test(String(error)) || assert.fail(String(error)));
  assert.deepEqual([cache.lengths, cache.key.data, cache.value.data], [[3, 1], keys, values]);
  for (const [more, message] of [
    [{ seqAxis: 0 }, /^RangeError: seqAxis: 0, expected 1, as in/],
    [{ dtype: "float8" }, /^RangeError: dtype: "float8"/],
    [{ capacity: 2 ** 40 }, /^RangeError: capacity: .* fit into memory/],
    [{ rope: pe.rotary({ dim: 6, layout: "half" }) }, /^RangeError: rope: 6, expected a rotary of the same dim, 4/],
    [{ rope: {} }, /^TypeError: rope/],
    [{ head: 1 }, /^TypeError: kvCache.head: 1, expected heads/],
  ])
    assert.throws(
      () => make(pe, more),
      (error) => message.test(String(error)) || assert.fail(String(error)),
    );
});

test("tokens are dropped with their positions, or rotated to close up", () => {
  const x = tensor([1, 4, 1, 4], 6);
  const [first, last] = [{ data: x.data.slice(0, 4) }, { data: x.data.slice(12) }];
  for (const library of [small, pe, tools]) {
    const rope = library.rotary({ dim: 4, layout: "interleaved" });
    const [kept, closed, plain] = [{ rope }, { rope }, {}].map((more) => make(library, more));
    for (const cache of [kept, closed, plain]) cache.append(x, x);
    kept.drop({ from: 1, to: 3, keepPositions: true });
    const turned = rope.apply(x.data.slice(), { shape: x.shape, seqAxis: 1 });
    assert.deepEqual([...kept.key.data.slice(0, 8)], [...turned.slice(0, 4), ...turned.slice(12)]);
    assert.deepEqual([...kept.value.data.slice(0, 8)], [...first.data, ...last.data]);
    plain.drop({ from: 1, to: 3 });
    assert.deepEqual([...plain.key.data.slice(0, 8)], [...first.data, ...last.data]);
    if (library !== tools) {
      assert.throws(
        () => closed.drop({ to: 2 }),
        /^TypeError: keepPositions: undefined, expected true: .*posenc\/tools/,
      );
      continue;
    }
    closed.drop({ from: 1, to: 3 });
    const again = rope.apply(last.data.slice(), { shape: [1, 4], offset: 1 });
    for (const [i, value] of again.entries()) assert.ok(Math.abs(closed.key.data[4 + i] - value) < 1e-6);
    assert.deepEqual([...closed.value.data.slice(0, 8)], [...first.data, ...last.data]);
    for (const cache of [kept, closed]) assert.deepEqual(cache.lengths, [2]);
    // What follows comes behind the last position: 3, or 1 where they closed up.
    const next = (position) => rope.apply(first.data.slice(), { shape: [1, 4], offset: position });
    const row = { data: first.data, shape: [1, 1, 1, 4] };
    for (const [cache, position] of [
      [kept, 4],
      [closed, 2],
    ]) {
      cache.append(row, row);
      assert.deepEqual([...cache.key.data.slice(8, 12)], [...next(position)]);
    }
    closed.reset();
    assert.deepEqual(closed.lengths, [0]);
  }
});

test("methods work by themselves, it prints what it is, and is not used after it was disposed of", () => {
  const cache = make(small, { dtype: "bfloat16" });
  const { append, attend, dispose } = cache;
  append(one(1, 2), one(1, 2));
  assert.deepEqual(attend(one(1, 1)).output.shape, [1, 1, 1, 4]);
  assert.match(
    inspect(cache).replace(/\s+/g, " "),
    /^KvCache \{ batch: 1, heads: 1, capacity: 4, dim: 4, .*dtype: 'bfloat16'.* lengths: \[ 2 \] \}$/,
  );
  dispose();
  cache[Symbol.dispose]?.();
  for (const call of [() => append(one(1, 1), one(1, 1)), () => attend(one(1, 1)), () => cache.key])
    assert.throws(call, /^TypeError: kvCache: "a deleted one", expected one that is still alive/);
});
