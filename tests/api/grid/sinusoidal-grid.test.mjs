import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, range, sinusoid } from "../testing/reference.mjs";

const pe = await load();

/** [h, w, dim] of dimension(y, x, dimension). */
const grid = (h, w, dim, dimension) =>
  range(h).flatMap((y) => range(w).flatMap((x) => range(dim).map((i) => dimension(y, x, i))));
const wave = (cosine, angle) => (cosine ? Math.cos(angle) : Math.sin(angle));

test("grids: DETR, MAE, timm, diffusers", () => {
  const [h, w, dim] = [3, 5, 16];
  const of = (options) => {
    const table = pe.sinusoidalGrid({ shape: [h, w], dim, ...options });
    assert.deepEqual(table.shape, [h, w, dim]);
    return table.data;
  };
  const detr = (dimension, position) =>
    wave(dimension % 2 === 1, position / 10000 ** ((2 * Math.floor((dimension % 8) / 2)) / 8));
  const normal = (i, n) => ((i + 1) / (n + 1e-6)) * 2 * Math.PI;
  assertClose(
    of({ preset: "detr" }),
    grid(h, w, dim, (y, x, dimension) => detr(dimension, dimension < 8 ? normal(y, h) : normal(x, w))),
    3.1e-8,
  );
  assertClose(
    of({ preset: "detr", normalised: false }),
    grid(h, w, dim, (y, x, dimension) => detr(dimension, dimension < 8 ? y + 1 : x + 1)),
    3.1e-8,
  );
  assertClose(
    of({ preset: "mae" }),
    grid(h, w, dim, (y, x, dimension) =>
      wave(dimension % 8 >= 4, (dimension < 8 ? x : y) / 10000 ** ((dimension % 4) / 4)),
    ),
    3.1e-8,
  );
  for (const [extent, size] of [
    [undefined, 16],
    [32 / 0.5, 64],
  ])
    assertClose(
      of({ preset: "diffusers", extent }),
      grid(h, w, dim, (y, x, dimension) =>
        wave(dimension % 8 >= 4, (dimension < 8 ? (x / w) * size : (y / h) * size) / 10000 ** ((dimension % 4) / 4)),
      ),
      3.1e-8,
    );
  assertClose(
    of({ preset: "timm" }),
    grid(h, w, dim, (y, x, dimension) =>
      wave(dimension >= 8, (dimension % 8 < 4 ? y : x) / 10000 ** ((dimension % 4) / 4)),
    ),
    3.1e-8,
  );
});

test("grids: positional-encodings in 1, 2 and 3 dimensions", () => {
  const of = (shape, dim) => pe.sinusoidalGrid({ shape, dim, preset: "positional-encodings" });
  const paper = sinusoid(range(4), 8);
  const cut = range(4).flatMap((row) => paper.slice(row * 8, row * 8 + 7));
  assertClose(of([4], 7).data, cut, 3.1e-8);
  const solid = of([2, 3, 4], 10); // 4 dimensions an axis, the last axis's cut to 2
  assert.deepEqual(solid.shape, [2, 3, 4, 10]);
  const expected = range(2).flatMap((x) =>
    range(3).flatMap((y) => range(4).flatMap((z) => sinusoid([x, y, z], 4).slice(0, 10))),
  );
  assertClose(solid.data, expected, 3.1e-8);
  assert.equal(of([0, 3], 8).data.length, 0);
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
    /^RangeError: mask\.shape: \[2, 3\], expected \[2, 2\], the grid's/,
  );
  assert.throws(() => pe.sinusoidalGrid({ shape: [2, 3], mask: [1], ...options }), TypeError);
});
