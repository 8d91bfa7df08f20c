// Some samples are nearly as expected, or the same in other words: neither is called what it is not.

import assert from "node:assert/strict";
import test from "node:test";
import { load } from "posenc/tools";
import { bfloat16, frequencies, sampled } from "./rotations.mjs";

const pe = await load();

const isExpected = ({ verdict, explanations: [first] }) => verdict === "certain" && first.mistakes.length === 0;

test("two dimensions are one pair in either layout", () => {
  const samples = sampled([1, 2, 3, 7], { dim: 2, layout: "half" });
  for (const layout of ["half", "interleaved"]) {
    const found = pe.diagnose({ ...samples, seqAxis: 0 }, { expected: { dim: 2, layout } });
    assert.ok(isExpected(found), found.text);
    assert.equal(found.explanations[0].remedy, null);
  }
});

test("a cache of 16 bits that another base explains better is not what was expected", () => {
  const rows = 16;
  const of = (f) =>
    bfloat16(
      Array.from({ length: rows }, (_, row) => frequencies({ dim: 64, base: 10500 }).map((w) => f(row * w))).flat(),
    );
  const part = (data) => ({ data, shape: [rows, 32], dtype: "bfloat16" });
  const cache = { cos: part(of(Math.cos)), sin: part(of(Math.sin)) };
  assert.deepEqual(pe.diagnose(cache, { expected: { dim: 64 } }).explanations[0].mistakes, ["base"]);
  assert.ok(isExpected(pe.diagnose(cache, { expected: { dim: 64, base: 10500 } })));
});

test("a table has an amplitude, and no attention factor", () => {
  const [rows, dim] = [20, 64];
  const rates = frequencies({ dim });
  const data = bfloat16(
    Array.from({ length: rows * dim }, (_, at) => {
      const [row, column] = [Math.floor(at / dim), at % dim];
      return 1.01 * (column % 2 ? Math.cos : Math.sin)(row * rates[column >> 1]);
    }),
  );
  const table = { data, shape: [rows, dim], dtype: "bfloat16" };
  for (const expected of [{ type: "sinusoidal", dim }, undefined]) {
    const [first] = pe.diagnose({ table }, { expected }).explanations;
    assert.deepEqual(first.mistakes, expected ? ["amplitude"] : []);
    assert.ok(Math.abs(first.found.amplitude - 1.01) < 2e-3, first.text);
  }
});

test("slopes times keys, without the queries, are no symmetric distance where later keys are seen", () => {
  const [heads, length] = [4, 8];
  const biasOf = (masks, last) => ({
    data: Float32Array.from({ length: heads * length * length }, (_, at) => {
      const [head, query, key] = [Math.floor(at / length / length), Math.floor(at / length) % length, at % length];
      return masks && key > query ? Number.NEGATIVE_INFINITY : 2 ** (-2 * (head + 1)) * (key - last);
    }),
    shape: [heads, length, length],
  });
  const ask = (masks, distance, last = 0) =>
    pe.diagnose({ bias: biasOf(masks, last) }, { expected: { type: "alibi", causal: masks, distance } });
  for (const last of [0, length - 1])
    assert.deepEqual(ask(false, "symmetric", last).explanations[0].mistakes, ["distance"]);
  for (const found of [ask(false, "linear"), ask(true, "symmetric"), ask(true, "linear")])
    assert.ok(isExpected(found), found.text);
});

test("a base near the expected one shows in a few tokens of 16 bits, of which two outputs are one", () => {
  const positions = Array.from({ length: 8 }, (_, i) => i);
  const made = (base) => sampled(positions, { dim: 32, base });
  const halved = ({ data, shape }) => ({ data: bfloat16(data), shape, dtype: "bfloat16" });
  const [a, b] = [10500, 10000].map((base) => halved(made(base).after));
  const samples = { a, b, before: halved(made(10000).before), positions, seqAxis: 0 };
  const { outputs, explanations } = pe.diagnose(samples, { expected: { dim: 32, layout: "half" } });
  assert.deepEqual([outputs.wrong, explanations[0].mistakes], ["a", ["base"]]);
});
