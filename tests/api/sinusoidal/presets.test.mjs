import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadSmall } from "posenc";
import { load } from "posenc/full";
import { assertClose, range } from "../testing/reference.mjs";

const pe = await load();

/** [sin | cos] or [cos | sin] of half dimensions, an odd dimension of 0; exponent i / (half - shift). */
function halves(positions, dim, { shift, cosinesFirst = false, base = 10000, scale = 1, amplitude = 1 }) {
  const half = Math.floor(dim / 2);
  return positions.flatMap((position) =>
    range(dim).map((dimension) => {
      if (dimension === 2 * half) return 0;
      const angle = scale * position * base ** (-(dimension % half) / (half - shift));
      return amplitude * (dimension < half === cosinesFirst ? Math.cos(angle) : Math.sin(angle));
    }),
  );
}

test("1-D presets", () => {
  const table = (dim, options) => pe.sinusoidal({ length: 30, dim, ...options }).data;
  assert.deepEqual(table(9, { preset: "paper" }), table(9, {}));
  for (const dim of [4, 7, 64]) {
    assertClose(table(dim, { preset: "tensor2tensor" }), halves(range(30), dim, { shift: 1 }), 3.1e-8);
    assertClose(table(dim, { preset: "ggml" }), halves(range(30), dim, { shift: 0, cosinesFirst: true }), 3.1e-8);
  }
  assertClose(table(384, { preset: "whisper" }), halves(range(30), 384, { shift: 1 }), 3.1e-8);
  assertClose(table(6, { preset: "mlx" }), halves(range(30), 6, { shift: 1, amplitude: Math.sqrt(1 / 3) }), 3.1e-8);
});

test("fairseq's sinusoids: a row of zeros for padding, tokens behind it", () => {
  const mask = { data: Int32Array.of(0, 0, 1, 1, 1, 1, 1, 0), shape: [2, 4] };
  const positions = pe.paddedPositions(mask, { paddingIdx: 1 }).data;
  assert.deepEqual([...positions], [1, 1, 2, 3, 2, 3, 4, 1]);
  for (const dtype of ["float32", "bfloat16"]) {
    const table = (options) => pe.sinusoidal({ dim: 7, preset: "tensor2tensor", dtype, ...options });
    const rows = table({ length: 5 }).data;
    rows.fill(0, 7, 14);
    assert.deepEqual(table({ length: 5, paddingIdx: 1 }).data, rows);
    assert.deepEqual(table({ length: 3, offset: 2, paddingIdx: 1 }).data, rows.slice(14));
    const wanted = [...positions].flatMap((at) => [...rows.slice(7 * at, 7 * at + 7)]);
    assert.deepEqual([...table({ positions: [...positions], paddingIdx: 1 }).data], wanted);
  }
  const { learnedTable, lookupRows } = pe;
  const learned = learnedTable({ length: 6, dim: 2, seed: 1, paddingIdx: 1 });
  assert.deepEqual([...lookupRows(learned, { ids: positions }).data.slice(0, 4)], [0, 0, 0, 0]);
});

/** The table's row at a position, from nothing but a plan. */
function rowOf({ dim, base, exponent, shift, scale, amplitude, sines, cosines }, position) {
  const row = Array(dim).fill(0);
  const below = { paper: dim / 2, "double-stepped": dim / 4, half: Math.floor(dim / 2) - shift }[exponent];
  sines.forEach((dimension, i) => {
    const angle = scale * position * base ** (-i / below);
    row[dimension] = amplitude * Math.sin(angle);
    if (cosines[i] >= 0) row[cosines[i]] = amplitude * Math.cos(angle);
  });
  return row;
}

test("a plan says what a preset and the options beside it come to", async () => {
  const small = await loadSmall();
  for (const preset of ["paper", "tensor2tensor", "whisper", "diffusers", "ggml", "mlx"])
    for (const dim of preset === "whisper" || preset === "mlx" ? [4, 10] : [4, 7, 10])
      for (const more of [{}, { order: "split" }, { order: "cosines-first", scale: 3, base: 50 }, { amplitude: 2 }]) {
        const options = { dim, preset, ...more };
        const plan = pe.sinusoidalPlan(options);
        assert.deepEqual(small.sinusoidalPlan(options), plan);
        assertClose(pe.sinusoidal({ ...options, positions: [7.5] }).data, rowOf(plan, 7.5), 1.3e-7);
      }
  assert.deepEqual(pe.sinusoidalPlan({ dim: 5 }), {
    dim: 5,
    base: 10000,
    exponent: "paper",
    shift: 0,
    scale: 1,
    order: "interleaved",
    amplitude: 1,
    sines: [0, 2, 4],
    cosines: [1, 3, -1],
  });
  const { exponent, order, shift, sines, cosines } = pe.sinusoidalPlan({ dim: 7, preset: "diffusers" });
  assert.deepEqual([exponent, order, shift, sines, cosines], ["half", "split", 1, [0, 1, 2], [3, 4, 5]]);
  assert.equal(pe.sinusoidalPlan({ dim: 3, preset: "tensor2tensor" }).shift, 0);
  assert.equal(pe.sinusoidalPlan({ dim: 8, preset: "tensor2tensor", exponent: "double-stepped" }).shift, 0);
  assert.throws(() => pe.sinusoidalPlan({ dim: 7, preset: "mlx" }), /^RangeError: dim: 7, expected an even number/);
  assert.throws(() => pe.sinusoidalPlan({ dim: 8, base: 0 }), /^RangeError: base: 0, expected a finite number > 0/);
  assert.throws(() => pe.sinusoidalPlan({ dim: 8, out: [] }), /^TypeError: sinusoidalPlan.out: /);
});

test("diffusion timesteps with all four flags", () => {
  const positions = [0, 1, 499.5, 999];
  const options = { preset: "diffusers", order: "cosines-first", shift: 0, scale: 1000, base: 2000 };
  const expected = halves(positions, 11, { cosinesFirst: true, shift: 0, scale: 1000, base: 2000 });
  assertClose(pe.sinusoidal({ positions, dim: 11, ...options }).data, expected, 1e-7);
  assertClose(
    pe.sinusoidal({ positions, dim: 10, preset: "diffusers" }).data,
    halves(positions, 10, { shift: 1 }),
    3.1e-8,
  );
});

test("frequencies with exponent half, shift and scale", () => {
  const { data, shape } = pe.frequencies({ dim: 9, base: 1000, exponent: "half", shift: 1, scale: 2 });
  assert.deepEqual(shape, [4]);
  assertClose(data, [2, 0.2, 0.02, 0.002], 1e-15);
});

test("the map from p to p + k, as a matrix and applied to a table", () => {
  for (const options of [{ dim: 8 }, { dim: 7, preset: "ggml" }, { dim: 6, order: "split" }]) {
    const { dim } = options;
    const table = pe.sinusoidal({ ...options, length: 5 });
    const later = pe.sinusoidal({ ...options, length: 5, offset: 2.5 });
    const matrix = pe.shiftMatrix({ ...options, by: 2.5 });
    assert.deepEqual(matrix.shape, [dim, dim]);
    assertClose(pe.linear(table, matrix).data, later.data, 2e-7);
    const shifted = pe.shift(table, { ...options, by: 2.5 });
    assert.deepEqual(shifted.shape, [5, dim]);
    assertClose(shifted.data, later.data, 1.2e-7);
    assert.notEqual(shifted.data, table.data);
  }
});
