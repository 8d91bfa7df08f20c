import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

const llama = { dim: 128, base: 500000, scaling: { type: "llama3", factor: 8, originalLength: 8192 } };
const quantities = ["angle", "cosine", "dimension", "score"];

test("certify: Llama 3.1 8B at 131072 positions", () => {
  const certificate = (arithmetic, dtype) =>
    pe.certify(llama, { length: 131072, arithmetic, dtype, exceeds: { angle: 1e-3, score: 2e-3 } });
  const bounds = (made) => quantities.map((quantity) => made[quantity].bound.toPrecision(3));
  const made = certificate("transformers", "bfloat16");
  assert.deepEqual(bounds(made), ["0.00946", "0.0114", "0.0240", "0.00407"]);
  assert.equal(made.angle.pair, 1);
  assert.equal("from" in made.angle, true);
  assert.deepEqual(bounds(certificate("exact", "bfloat16")), ["0.00", "2.99e-8", "0.00783", "0.00139"]);
  assert.deepEqual(bounds(certificate("exact")), ["0.00", "2.99e-8", "2.21e-7", "4.34e-8"]);
  assert.equal("from" in certificate("exact").score, false);
  // From the first position whose bound is greater.
  const at = (length) => pe.certify(llama, { length, arithmetic: "transformers", dtype: "bfloat16" }).angle.bound;
  assert.ok(at(made.angle.from) <= 1e-3 && at(made.angle.from + 1) > 1e-3);
});

test("certify: norms and scale", () => {
  const options = { length: 4096, arithmetic: "ggml" };
  const one = pe.certify(llama, options).score.bound;
  const scaled = pe.certify(llama, { ...options, queryNorm: 3, keyNorm: 5, scale: -1 }).score.bound;
  assert.ok(Math.abs(scaled / (one * 15 * Math.sqrt(128)) - 1) < 1e-12);
});

const given = { length: 16, arithmetic: "ggml" };

testWrongCalls([
  [() => pe.certify(llama), TypeError, "certify: undefined, expected"],
  [() => pe.certify({ dim: 128, theta: 1 }, given), TypeError, "plan.theta"],
  [() => pe.certify({}, given), TypeError, "dim: undefined, expected"],
  [() => pe.certify({ dim: 7 }, given), RangeError, "dim: 7, expected"],
  [() => pe.certify({ dim: 8, layout: "full" }, given), RangeError, 'layout: "full", expected'],
  [() => pe.certify(llama, { arithmetic: "ggml" }), TypeError, "length: undefined, expected"],
  [() => pe.certify(llama, { ...given, length: 0 }), RangeError, "length: 0, expected a whole number from 1"],
  [() => pe.certify(llama, { length: 16 }), TypeError, "arithmetic: undefined, expected"],
  [() => pe.certify(llama, { ...given, arithmetic: "torch" }), RangeError, 'arithmetic: "torch", expected'],
  [() => pe.certify(llama, { ...given, arithmetic: { preset: "ggml" } }), TypeError, "arithmetic: "],
  [() => pe.certify(llama, { ...given, dtype: "float64" }), RangeError, 'dtype: "float64", expected'],
  [() => pe.certify(llama, { ...given, exceeds: { dims: 1 } }), TypeError, "exceeds.dims"],
]);
