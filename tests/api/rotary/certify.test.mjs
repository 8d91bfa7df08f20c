import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

const llama = { dim: 128, base: 500000, scaling: { type: "llama3", factor: 8, originalLength: 8192 } };
const quantities = ["angle", "cosine", "dimension", "score"];

/** The largest error of any float32 cosine or sine, of those of transformers, at the positions. */
function largestError(plan, positions) {
  const [exact, float32] = ["exact", "float32"].map((precision) => {
    const rotary = pe.rotary({ layout: "half", ...plan, precision });
    const cache = rotary.cache({ positions });
    rotary.delete();
    return cache;
  });
  const differences = (name) => float32[name].data.map((value, i) => Math.abs(value - exact[name].data[i]));
  return Math.max(...["cos", "sin"].map((name) => differences(name).reduce((a, b) => Math.max(a, b), 0)));
}

test("certify: bounds of what transformers computes hold, within a factor of 4", () => {
  for (const plan of [llama, { dim: 128 }, { dim: 64, scaling: { type: "linear", factor: 4 } }]) {
    for (const length of [4096, 131072]) {
      const positions = Float64Array.from({ length: 4096 }, (_, i) => length - 1 - i);
      const found = largestError(plan, positions);
      // The powers are correctly rounded here, as are cosines and sines; those compared with are rounded too.
      const arithmetic = { preset: "transformers", powerUlps: 0.5, sineUlps: 0.501 };
      const { cosine } = pe.certify(plan, { length, arithmetic });
      assert.ok(found <= cosine.bound + 2 ** -25, `${found} and ${cosine.bound}`);
      assert.ok(cosine.bound <= 4 * found, `${cosine.bound} and ${found}`);
    }
  }
});

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

test("certify: steps of one's own, norms and scale", () => {
  const half = { preset: "transformers", frequencies: "bfloat16" };
  const { cosine } = pe.certify({ dim: 128 }, { length: 131072, arithmetic: half });
  assert.ok(cosine.bound > 1.9 && cosine.bound < 2.001);
  const own = {
    ...{ steps: "rounded", powerUlps: 1, frequencies: "float32", positions: "float32", angles: "float32" },
    ...{ sines: "float32", sineUlps: 1, cache: "float32", inputs: "exact", products: "float32", outputs: "float32" },
  };
  const options = { length: 4096, arithmetic: own };
  const one = pe.certify(llama, options).score.bound;
  const scaled = pe.certify(llama, { ...options, queryNorm: 3, keyNorm: 5, scale: -1 }).score.bound;
  assert.ok(Math.abs(scaled / (one * 15 * Math.sqrt(128)) - 1) < 1e-12);
  // Left-out steps are exact.
  assert.deepEqual(
    pe.certify(llama, { length: 9, arithmetic: {} }),
    pe.certify(llama, { length: 9, arithmetic: "exact" }),
  );
});

test("certify: the plan's length, and the certificate's where it has none", () => {
  const plan = { dim: 64, scaling: { type: "dynamic", factor: 4, originalLength: 2048 } };
  const options = { length: 8192, arithmetic: "ggml" };
  assert.deepEqual(pe.certify(plan, options), pe.certify({ ...plan, length: 8192 }, options));
  assert.notDeepEqual(pe.certify(plan, options), pe.certify({ ...plan, length: 2048 }, options));
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
  [
    () => pe.certify(llama, { ...given, arithmetic: { steps: "sums" } }),
    RangeError,
    'arithmetic.steps: "sums", expected one of "rounded", "powers", "products"',
  ],
  [
    () => pe.certify(llama, { ...given, arithmetic: { cache: "int8" } }),
    RangeError,
    'arithmetic.cache: "int8", expected one of "exact", "float64", "float32", "float16", "bfloat16"',
  ],
  [() => pe.certify(llama, { ...given, arithmetic: { ulps: 1 } }), TypeError, "arithmetic.ulps"],
  [
    () => pe.certify(llama, { ...given, arithmetic: { powerUlps: 0 } }),
    RangeError,
    "arithmetic.powerUlps: 0, expected",
  ],
  [
    () => pe.certify(llama, { ...given, arithmetic: { sineUlps: -1 } }),
    RangeError,
    "arithmetic.sineUlps: -1, expected",
  ],
  [() => pe.certify(llama, { ...given, dtype: "float64" }), RangeError, 'dtype: "float64", expected'],
  [() => pe.certify(llama, { ...given, queryNorm: -1 }), RangeError, "queryNorm: -1, expected"],
  [() => pe.certify(llama, { ...given, keyNorm: 1e300 }), RangeError, "keyNorm: 1e+300, expected"],
  [() => pe.certify(llama, { ...given, scale: Number.POSITIVE_INFINITY }), RangeError, "scale: Infinity, expected"],
  [() => pe.certify(llama, { ...given, exceeds: { dimension: -1 } }), RangeError, "exceeds.dimension: -1, expected"],
  [() => pe.certify(llama, { ...given, exceeds: { dims: 1 } }), TypeError, "exceeds.dims"],
  [
    () => pe.certify(llama, { length: 65537, arithmetic: { positions: "float16" } }),
    RangeError,
    "arithmetic.positions: 65536, expected what the dtype can hold: at most 65504 for float16",
  ],
]);
