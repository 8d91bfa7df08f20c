import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadSmall } from "posenc";
import { load } from "posenc/full";
import { assertClose, pseudoRandom, range, sinusoid } from "./reference.mjs";

const pe = await load();

/** [sin | cos] or [cos | sin] of half lanes, an odd lane of 0; exponent i / (half - shift). */
function halves(positions, dim, { shift, cosinesFirst = false, base = 10000, scale = 1, amplitude = 1 }) {
  const half = Math.floor(dim / 2);
  return positions.flatMap((position) =>
    range(dim).map((lane) => {
      if (lane === 2 * half) return 0;
      const angle = scale * position * base ** (-(lane % half) / (half - shift));
      return amplitude * (lane < half === cosinesFirst ? Math.cos(angle) : Math.sin(angle));
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

/** The table's row at a position, from nothing but a plan. */
function rowOf({ dim, base, exponent, shift, scale, amplitude, sines, cosines }, position) {
  const row = Array(dim).fill(0);
  const below = { paper: dim / 2, "double-stepped": dim / 4, half: Math.floor(dim / 2) - shift }[exponent];
  sines.forEach((lane, i) => {
    const angle = scale * position * base ** (-i / below);
    row[lane] = amplitude * Math.sin(angle);
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

/** [h, w, dim] of lane(y, x, lane). */
const grid = (h, w, dim, lane) =>
  range(h).flatMap((y) => range(w).flatMap((x) => range(dim).map((i) => lane(y, x, i))));
const wave = (cosine, angle) => (cosine ? Math.cos(angle) : Math.sin(angle));

test("grids: DETR, MAE, timm", () => {
  const [h, w, dim] = [3, 5, 16];
  const of = (options) => {
    const table = pe.sinusoidalGrid({ shape: [h, w], dim, ...options });
    assert.deepEqual(table.shape, [h, w, dim]);
    return table.data;
  };
  const detr = (lane, position) => wave(lane % 2 === 1, position / 10000 ** ((2 * Math.floor((lane % 8) / 2)) / 8));
  const normal = (i, n) => ((i + 1) / (n + 1e-6)) * 2 * Math.PI;
  assertClose(
    of({ preset: "detr" }),
    grid(h, w, dim, (y, x, lane) => detr(lane, lane < 8 ? normal(y, h) : normal(x, w))),
    3.1e-8,
  );
  assertClose(
    of({ preset: "detr", normalised: false }),
    grid(h, w, dim, (y, x, lane) => detr(lane, lane < 8 ? y + 1 : x + 1)),
    3.1e-8,
  );
  assertClose(
    of({ preset: "mae" }),
    grid(h, w, dim, (y, x, lane) => wave(lane % 8 >= 4, (lane < 8 ? x : y) / 10000 ** ((lane % 4) / 4))),
    3.1e-8,
  );
  assertClose(
    of({ preset: "timm" }),
    grid(h, w, dim, (y, x, lane) => wave(lane >= 8, (lane % 8 < 4 ? y : x) / 10000 ** ((lane % 4) / 4))),
    3.1e-8,
  );
});

test("grids: positional-encodings in 1, 2 and 3 dimensions", () => {
  const of = (shape, dim) => pe.sinusoidalGrid({ shape, dim, preset: "positional-encodings" });
  const paper = sinusoid(range(4), 8);
  const cut = range(4).flatMap((row) => paper.slice(row * 8, row * 8 + 7));
  assertClose(of([4], 7).data, cut, 3.1e-8);
  const solid = of([2, 3, 4], 10); // 4 lanes an axis, the last axis's cut to 2
  assert.deepEqual(solid.shape, [2, 3, 4, 10]);
  const expected = range(2).flatMap((x) =>
    range(3).flatMap((y) => range(4).flatMap((z) => sinusoid([x, y, z], 4).slice(0, 10))),
  );
  assertClose(solid.data, expected, 3.1e-8);
  assert.equal(of([0, 3], 8).data.length, 0);
});

test("Fourier features", () => {
  const weights = [...pseudoRandom(12, 5)];
  const points = [...pseudoRandom(8, 6)];
  const angle = (row, point) =>
    2 * Math.PI * (weights[2 * row] * points[2 * point] + weights[2 * row + 1] * points[2 * point + 1]);
  const rff = pe.fourier({ points, weights, inputs: 2, preset: "rff" });
  assert.deepEqual(rff.shape, [4, 12]);
  assertClose(
    rff.data,
    range(4).flatMap((p) => range(12).map((lane) => wave(lane < 6, angle(lane % 6, p)))),
    3.1e-8,
  );
  const sigmas = [0.02, 1, 80];
  const projected = (x, flip) => range(8).map((lane) => wave(lane < 4 === flip, 2 * Math.PI * weights[lane % 4] * x));
  const diffusers = { weights: weights.slice(0, 4), preset: "diffusers" };
  assertClose(
    pe.fourier({ points: sigmas, ...diffusers }).data,
    sigmas.flatMap((x) => projected(Math.log(x), false)),
    3.1e-8,
  );
  assertClose(
    pe.fourier({ points: sigmas, ...diffusers, logarithmic: false, order: "cosines-first" }).data,
    sigmas.flatMap((x) => projected(x, true)),
    3.1e-8,
  );
});

test("NeRF", () => {
  const points = [0.25, -0.7, 0.1, 1];
  const of = (factor) =>
    points.flatMap((x) => range(8).map((lane) => wave(lane % 2 === 1, factor * 2 ** Math.floor(lane / 2) * x)));
  const features = pe.nerf({ points, inputs: 2, levels: 4 });
  assert.deepEqual(features.shape, [2, 16]);
  assertClose(features.data, of(Math.PI), 3.1e-8);
  assertClose(pe.nerf({ points, levels: 4, unit: "radians" }).data, of(1), 3.1e-8);
  const code = pe.nerf({ points: [0.25, -0.7], inputs: 2, levels: 2, preset: "code" });
  assert.deepEqual(code.shape, [1, 10]);
  const [x, y] = [0.25, -0.7];
  const level = (k) => [Math.sin(k * x), Math.sin(k * y), Math.cos(k * x), Math.cos(k * y)];
  assertClose(code.data, [x, y, ...level(1), ...level(2)], 3.1e-8);
});

test("DETR's padding is not counted", () => {
  const mask = { data: [true, true, false, true, true, false], shape: [2, 3] };
  const options = { dim: 8, preset: "detr" };
  const padded = pe.sinusoidalGrid({ shape: [2, 3], mask, ...options });
  const whole = pe.sinusoidalGrid({ shape: [2, 2], ...options });
  const cell = ({ data }, columns, y, x) => data.slice((y * columns + x) * 8, (y * columns + x + 1) * 8);
  for (const [y, x] of [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ])
    assert.deepEqual(cell(padded, 3, y, x), cell(whole, 2, y, x));
  assert.throws(
    () => pe.sinusoidalGrid({ shape: [2, 2], mask, ...options }),
    /^RangeError: mask\.shape: \[2, 3\], expected the grid.s, \[2, 2\]/,
  );
  assert.throws(() => pe.sinusoidalGrid({ shape: [2, 3], mask: [1], ...options }), TypeError);
});
