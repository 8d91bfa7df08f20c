import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, pseudoRandom, range } from "../testing/reference.mjs";

const pe = await load();

const wave = (cosine, angle) => (cosine ? Math.cos(angle) : Math.sin(angle));

test("Fourier features", () => {
  const weights = [...pseudoRandom(12, 5)];
  const points = [...pseudoRandom(8, 6)];
  const angle = (row, point) =>
    2 * Math.PI * (weights[2 * row] * points[2 * point] + weights[2 * row + 1] * points[2 * point + 1]);
  const rff = pe.fourier({ points, weights, inputs: 2, preset: "rff" });
  assert.deepEqual(rff.shape, [4, 12]);
  assertClose(
    rff.data,
    range(4).flatMap((p) => range(12).map((dimension) => wave(dimension < 6, angle(dimension % 6, p)))),
    3.1e-8,
  );
  const sigmas = [0.02, 1, 80];
  const projected = (x, flip) =>
    range(8).map((dimension) => wave(dimension < 4 === flip, 2 * Math.PI * weights[dimension % 4] * x));
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
    points.flatMap((x) =>
      range(8).map((dimension) => wave(dimension % 2 === 1, factor * 2 ** Math.floor(dimension / 2) * x)),
    );
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
