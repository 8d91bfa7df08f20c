// Positions read back token by token: patterns that are named, alone and beside another mistake, and what is no one
// rotation.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { bfloat16, rotated, sampled, values } from "./rotations.mjs";

const pe = await load();
const count = (n, from = 0) => Array.from({ length: n }, (_, i) => i + from);

/** Each row has the plan, what was done, the mistake's name and, where it has them, tokens and an amount. */
const patterns = {
  "documents joined": [[...count(9), ...count(7), ...count(12)], count(28), "positions-joined", [9, 16]],
  "begun again": [count(30), [...count(11), ...count(10), ...count(9)], "positions-restarted", [11, 21]],
  "left padding of ones counted": [[1, 1, 1, ...count(20)], count(23), "padding-counted", [3]],
  "left padding of zeros counted": [[0, 0, 0, ...count(20)], count(23), "padding-counted", [3]],
  "right padding counted": [[...count(20), 1, 1, 1], count(23), "padding-counted", [20]],
  "padding not counted": [count(23), [1, 1, 1, ...count(20)], "padding-skipped", [3]],
  "counted on from the first": [[5, 7, 9, 40, 41, 42, 90], count(7, 5), "counted-on"],
  "indices in place of times": [count(24).map((t) => Math.floor(t / 4) * 12.5), count(24), "token-indices"],
  modulo: [count(40), count(40).map((p) => p % 16), "positions-modulo", [16, 32], 16],
  "modulo of sampled positions": [
    [0, 3, 17, 100, 333, 511, 1000],
    [0, 3, 17, 100 - 64, 333 - 320, 511 - 448, 1000 - 960],
    "positions-modulo",
    undefined,
    64,
  ],
  clamped: [count(40), count(40).map((p) => Math.min(p, 25)), "positions-clamped", [25], 25],
  "offset from a token on": [count(40), count(40).map((p) => (p < 13 ? p : p + 5)), "offset-from", [13], 5],
  "offset up to a token": [count(40), count(40).map((p) => (p < 13 ? p + 100 : p)), "offset-from", [13], 100],
  reversed: [count(25), count(25).reverse(), "positions-reversed"],
  "one position": [count(25), count(25).map(() => 7), "positions-constant", [], 7],
  "rotated again at each step": [count(12, 1), count(12, 1).map((p, t) => p * (12 - t)), "rotated-again"],
};

const plans = {
  "16 dimensions": { dim: 16, layout: "half", base: 10000 },
  "head of 128": { dim: 128, layout: "interleaved", base: 500000 },
};

const rounded = ({ data, shape }) => ({ data: bfloat16(data), shape, dtype: "bfloat16" });

for (const [name, plan] of Object.entries(plans))
  for (const [pattern, [expected, done, mistake, tokens, amount]] of Object.entries(patterns))
    for (const type of ["float32", "bfloat16"])
      test(`${name}, ${type}: ${pattern}`, () => {
        const { before, after } = sampled(done, plan);
        const samples = type === "float32" ? { before, after } : { before: rounded(before), after: rounded(after) };
        const { verdict, explanations, departs, text } = pe.diagnose(
          { ...samples, positions: expected },
          { expected: plan },
        );
        const [{ mistakes, found }] = explanations;
        assert.deepEqual(mistakes, [mistake], text);
        // The slow pairs of a wide head do not show in bfloat16; one position does not tell rates.
        const isFull = name === "16 dimensions" || type === "float32";
        if (pattern === "reversed") assert.equal(verdict, "ambiguous", text);
        else if (pattern === "one position") assert.equal(verdict, "likely", text);
        else if (isFull) assert.equal(verdict, "certain", text);
        else assert.ok(["certain", "likely", "ambiguous"].includes(verdict), text);
        assert.deepEqual(found.positions.values, done);
        if (tokens) assert.deepEqual(found.positions.tokens, tokens);
        if (amount) assert.equal(found.positions.amount, amount);
        const others = count(done.length).filter((t) => done[t] !== expected[t]);
        // Reversed, all is one rotation; where all tokens have others, they have no place.
        if (pattern === "reversed" || others.length === done.length) assert.equal(departs, null);
        else assert.deepEqual(departs.tokens, others);
        assert.ok(!/undefined|NaN/.test(text), text);
      });

/** Mistakes that come with one of positions. */
const beside = {
  layout: { layout: "interleaved" },
  base: { base: 500000 },
  sign: { sign: -1 },
  "exponent-doubled": { exponent: (i) => i / 16 },
};

for (const [mistake, change] of Object.entries(beside))
  for (const pattern of [
    "documents joined",
    "modulo",
    "clamped",
    "offset from a token on",
    "counted on from the first",
  ])
    test(`${mistake} and ${pattern}`, () => {
      const plan = plans["16 dimensions"];
      const [expected, done, name] = patterns[pattern];
      const { verdict, explanations, text } = pe.diagnose(
        { ...sampled(done, { ...plan, ...change }), positions: expected },
        { expected: plan },
      );
      assert.deepEqual([...explanations[0].mistakes].sort(), [mistake, name].sort(), text);
      assert.notEqual(verdict, "none");
    });

/** Changes of what a right rotation gives of 40 tokens, 4 heads, 16 dimensions. */
const faults = {
  "zeros from a row on": [(after) => after.fill(0, 24 * 64), "zero-rows", { tokens: [24, 40] }],
  "tokens as they were": [(after, before) => after.set(before.subarray(30 * 64), 30 * 64), "tokens-not-rotated"],
  "half of the heads as they were": [
    (after, before) => {
      for (let at = 0; at < after.length; ++at) if ((at >> 4) % 4 >= 2) after[at] = before[at];
    },
    "heads-not-rotated",
  ],
  "a head of zeros": [
    (after) => {
      for (let at = 0; at < after.length; ++at) if ((at >> 4) % 4 === 1) after[at] = 0;
    },
    "zero-heads",
  ],
};

for (const [fault, [change, mistake]] of Object.entries(faults))
  for (const base of [10000, 500000])
    test(`${fault}, base ${base}`, () => {
      const plan = plans["16 dimensions"];
      const { before, after, positions } = sampled(count(40), { ...plan, base }, { heads: 4 });
      change(after.data, before.data);
      const { verdict, explanations, departs, text } = pe.diagnose({ before, after, positions }, { expected: plan });
      assert.deepEqual(
        [verdict, explanations[0].mistakes],
        ["certain", base === 10000 ? [mistake] : ["base", mistake]],
      );
      assert.ok(base !== 10000 || departs.tokens.length > 0, text);
    });

/** Rotates as code does that reads a cosine and a sine a dimension. */
function byDimension(before, positions, { dim, layout }, rate) {
  const after = Float32Array.from(before);
  const partner = layout === "half" ? (i) => (i + dim / 2) % dim : (i) => i ^ 1;
  for (let at = 0; at < before.length; ++at) {
    const [token, i] = [Math.floor(at / dim), at % dim];
    const angle = positions[token] * rate(i);
    const isFirst = layout === "half" ? i < dim / 2 : i % 2 === 0;
    const other = before[at - i + partner(i)];
    after[at] = before[at] * Math.cos(angle) + (isFirst ? -other : other) * Math.sin(angle);
  }
  return after;
}

for (const layout of ["half", "interleaved"]) {
  const plan = { dim: 32, layout, base: 10000 };
  const rate = (pair) => 10000 ** (-(2 * pair) / 32);
  const read = (rates) => {
    const before = values(20 * 32, 5);
    const after = byDimension(before, count(20), plan, rates);
    const shape = [20, 32];
    return pe.diagnose(
      { before: { data: before, shape }, after: { data: after, shape }, positions: count(20) },
      { expected: plan },
    );
  };
  test(`${layout}: a cache in the form of the other layout`, () => {
    const { verdict, explanations } = read((i) => rate(layout === "half" ? i >> 1 : i % 16));
    assert.deepEqual([verdict, explanations[0].mistakes], ["certain", ["cache-form"]]);
  });
  test(`${layout}: an exponent a dimension`, () => {
    const { verdict, explanations } = read((i) => 10000 ** (-i / 32));
    assert.deepEqual([verdict, explanations[0].mistakes], ["certain", ["exponent-by-dim"]]);
  });
}

test("rotated twice is positions doubled, and said so", () => {
  const plan = plans["16 dimensions"];
  const { before, positions } = sampled(count(20), plan);
  const twice = rotated(rotated(before.data, positions, { heads: 2, ...plan }), positions, { heads: 2, ...plan });
  const { verdict, explanations, text } = pe.diagnose(
    { before, after: { ...before, data: twice }, positions },
    { expected: plan },
  );
  assert.deepEqual([verdict, explanations[0].mistakes], ["certain", ["position-scale"]]);
  assert.match(text, /rotated twice/);
});

/** The cache of these positions. */
function cache(positions, { dim, base }) {
  const of = (make) => {
    const at = (p, i) => make(p * base ** (-(2 * i) / dim));
    const data = positions.flatMap((p) => count(dim / 2).map((i) => at(p, i)));
    return { data: Float32Array.from(data), shape: [positions.length, dim / 2] };
  };
  return { cos: of(Math.cos), sin: of(Math.sin) };
}

for (const pattern of ["documents joined", "begun again", "modulo", "clamped", "offset from a token on", "reversed"])
  test(`a cache: ${pattern}`, () => {
    const [positions, done, mistake] = patterns[pattern];
    const plan = { dim: 16, base: 10000 };
    const { verdict, explanations, text } = pe.diagnose({ ...cache(done, plan), positions }, { expected: plan });
    assert.deepEqual(
      [verdict, explanations[0].mistakes],
      [pattern === "reversed" ? "ambiguous" : "certain", [mistake]],
      text,
    );
  });

test("a cache: zeros from a row on", () => {
  const plan = { dim: 16, base: 10000 };
  const made = cache(count(40), plan);
  for (const { data } of [made.cos, made.sin]) data.fill(0, 25 * 8);
  const { verdict, explanations } = pe.diagnose(made, { expected: plan });
  assert.deepEqual([verdict, explanations[0].mistakes], ["certain", ["zero-rows"]]);
});

for (const pattern of ["documents joined", "modulo", "clamped", "offset from a token on", "begun again"])
  test(`with no plan expected, the first tokens have it: ${pattern}`, () => {
    const [positions, done, mistake, tokens] = patterns[pattern];
    const { verdict, explanations, text } = pe.diagnose({ ...sampled(done, plans["16 dimensions"]), positions });
    const [{ mistakes, found }] = explanations;
    assert.deepEqual([verdict, mistakes, found.positions.tokens], ["certain", [mistake], tokens], text);
    assert.equal(found.plan.base, 10000);
  });

for (const pattern of ["documents joined", "begun again", "modulo", "clamped", "offset from a token on"])
  test(`rows of a table: ${pattern}`, () => {
    const [positions, done, mistake, tokens] = patterns[pattern];
    const table = pe.sinusoidal({ positions: done, dim: 16 });
    const expected = { type: "sinusoidal", dim: 16 };
    const { verdict, explanations, text } = pe.diagnose({ table, positions }, { expected });
    assert.deepEqual([verdict, explanations[0].mistakes], ["certain", [mistake]], text);
    assert.deepEqual(explanations[0].found.positions.tokens, tokens);
    assert.deepEqual(explanations[0].found.positions.values, done);
    const zh = pe.diagnose({ table, positions }, { expected, language: "zh" });
    assert.ok(!/undefined/.test(text + zh.text), text);
  });

test("M-RoPE: positions of each axis", () => {
  const plan = { dim: 16, layout: "half", base: 10000 };
  const mrope = { sections: [2, 3, 3], order: "chunked" };
  const given = [count(20), count(20).map((t) => t % 5), count(20).map((t) => (t * 7) % 4)];
  const done = given.map((axis) => axis.map((p, t) => (t < 8 ? p : p + 100)));
  const before = values(20 * 16, 9);
  const after = Float32Array.from(before);
  const axisOf = (i) => (i < 2 ? 0 : i < 5 ? 1 : 2);
  for (const t of count(20))
    for (const i of count(8)) {
      const angle = done[axisOf(i)][t] * 10000 ** (-i / 8);
      const [x, y] = [before[t * 16 + i], before[t * 16 + i + 8]];
      after[t * 16 + i] = x * Math.cos(angle) - y * Math.sin(angle);
      after[t * 16 + i + 8] = x * Math.sin(angle) + y * Math.cos(angle);
    }
  const shape = [20, 16];
  const positions = { data: given.flat(), shape: [3, 20] };
  const { verdict, explanations, text } = pe.diagnose(
    { before: { data: before, shape }, after: { data: after, shape }, positions },
    { expected: { ...plan, mrope } },
  );
  assert.deepEqual([verdict, explanations[0].mistakes], ["certain", ["offset-from"]], text);
  assert.deepEqual(explanations[0].found.positions, { values: done.flat(), tokens: [8], amount: 100 });
});

test("ids: an offset from a token on, and a modulus", () => {
  const segments = [{ text: 5 }, { image: [1, 8, 8] }, { text: 30 }];
  const { positions } = pe.mropePositions({ preset: "qwen2-vl", segments });
  const tokens = positions.shape[1];
  const changed = (change) => ({
    ids: { ...positions, data: positions.data.map((id, at) => change(id, at % tokens)) },
    segments,
  });
  const found = (samples) => {
    const { verdict, explanations } = pe.diagnose(samples, { expected: { type: "ids", preset: "qwen2-vl" } });
    return [verdict, explanations[0].mistakes, explanations[0].found.positions?.amount];
  };
  assert.deepEqual(found(changed((id, token) => (token < 21 ? id : id + 3))), ["certain", ["offset-from"], 3]);
  assert.deepEqual(found(changed((id) => id % 8)), ["certain", ["positions-modulo"], 8]);
});
