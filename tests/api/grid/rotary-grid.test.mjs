import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, inverseFrequency, pseudoRandom, range, rotate, rotatePairs } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

/** base^(-2i/dimensions) for every pair of this many dimensions. */
const ladder = (dims, base = 10000) => range(dims / 2).map((i) => inverseFrequency(i, dims, base));
const times = (factor, list) => list.map((value) => factor * value);

/** The angles of the pairs of a head of `dim` dimensions at a point, and how the pairs lie in it, by each preset's formula. */
const presets = {
  "qwen2-vl": (dim, [y, x]) => ["half", [...times(y, ladder(dim / 2)), ...times(x, ladder(dim / 2))]],
  pixtral: (dim, [y, x]) => [
    "half",
    [
      ...ladder(dim)
        .filter((_, i) => i % 2 === 0)
        .map((f) => y * f),
      ...ladder(dim)
        .filter((_, i) => i % 2)
        .map((f) => x * f),
    ],
  ],
  dinov3: (dim, [y, x]) => [
    "half",
    [...times(2 * Math.PI * y, ladder(dim / 2, 100)), ...times(2 * Math.PI * x, ladder(dim / 2, 100))],
  ],
  llama4: (dim, [y, x]) => ["interleaved", [...times(x, ladder(dim / 2)), ...times(y, ladder(dim / 2))]],
  timm: (dim, [y, x]) => ["interleaved", [...times(y, ladder(dim / 2)), ...times(x, ladder(dim / 2))]],
  "timm-pixel": (dim, point) => [
    "interleaved",
    point.flatMap((p) => range(dim / 4).map((i) => Math.PI * p * 112 ** (i / (dim / 4 - 1)))),
  ],
  "rope-vit": (dim, [y, x]) => ["interleaved", [...times(x, ladder(dim / 2, 100)), ...times(y, ladder(dim / 2, 100))]],
  wan: (dim, [t, y, x]) => {
    const side = 2 * Math.floor(dim / 6);
    return ["interleaved", [...times(t, ladder(dim - 2 * side)), ...times(y, ladder(side)), ...times(x, ladder(side))]];
  },
  cogvideox: (dim, [t, y, x]) => {
    const side = (dim / 8) * 3;
    return ["interleaved", [...times(t, ladder(dim / 4)), ...times(y, ladder(side)), ...times(x, ladder(side))]];
  },
  "hunyuan-video": (_, [t, y, x]) => [
    "interleaved",
    [...times(t, ladder(16, 256)), ...times(y, ladder(56, 256)), ...times(x, ladder(56, 256))],
  ],
  flux: (_, [t, y, x]) => ["interleaved", [...times(t, ladder(16)), ...times(y, ladder(56)), ...times(x, ladder(56))]],
};

for (const [preset, formula] of Object.entries(presets)) {
  test(`${preset}: as its formula says, of a grid and of any points; inverse undoes`, () => {
    const dim = 128;
    const rope = pe.rotaryGrid({ preset, dim });
    const grid = rope.axes === 3 ? [2, 3, 2] : [3, 4];
    const cells = rope.points(grid);
    assert.equal(cells.length, 12 * rope.axes);
    const free = Float64Array.from(cells, (c, i) => c * 1.5 - i / 7);
    for (const [points, options] of [
      [cells, { grid }],
      [free, { points: free }],
    ]) {
      const x = pseudoRandom(12 * 2 * dim, 3);
      const wanted = range(24).flatMap((row) => {
        const at = Math.floor(row / 2) * rope.axes;
        return rotatePairs(x.slice(row * dim, (row + 1) * dim), ...formula(dim, [...points.slice(at, at + rope.axes)]));
      });
      const shape = [12, 2, dim];
      assert.equal(rope.apply(x, { shape, seqAxis: 0, ...options }), x);
      assertClose(x, wanted, 6e-7);
      rope.apply(x, { shape, seqAxis: 0, ...options, inverse: true });
      assertClose(x, pseudoRandom(12 * 2 * dim, 3), 1e-6);
    }
  });
}

test("grids have the points their implementations have", () => {
  const points = (options, grid) => [...pe.rotaryGrid({ dim: 16, ...options }).points(grid)];
  assert.deepEqual(points({ preset: "llama4" }, [2, 2]), [1, 1, 1, 2, 2, 1, 2, 2]);
  assert.deepEqual(points({ preset: "dinov3" }, [1, 4]), [0, -0.75, 0, -0.25, 0, 0.25, 0, 0.75]);
  assert.deepEqual(points({ preset: "timm", reference: [16, 16] }, [1, 32]).slice(0, 8), [0, 0, 0, 0.5, 0, 1, 0, 1.5]);
  assert.deepEqual(
    points({ preset: "qwen2-vl", mergeSize: 2 }, [2, 2, 4]).slice(0, 16),
    [0, 0, 0, 1, 1, 0, 1, 1, 0, 2, 0, 3, 1, 2, 1, 3],
  );
  // A video's frames have the same ids: t does not rotate.
  const rope = pe.rotaryGrid({ preset: "qwen2-vl", dim: 16, mergeSize: 2 });
  assert.deepEqual(
    [...rope.points([3, 4, 6])],
    Array(3)
      .fill([...rope.points([4, 6])])
      .flat(),
  );
  const frame = rope.cache({ grid: [4, 6], row: "dims" });
  const video = rope.cache({ grid: [3, 4, 6], row: "dims" });
  assert.deepEqual(video.cos.shape, [72, 16]);
  const x = pseudoRandom(72 * 2 * 16, 5);
  const rotated = rope.apply(x.slice(), { shape: [72, 2, 16], seqAxis: 0, grid: [3, 4, 6] });
  for (const t of [0, 1, 2]) {
    assert.deepEqual(video.sin.data.slice(t * 24 * 16, (t + 1) * 24 * 16), frame.sin.data);
    const own = x.slice(t * 24 * 32, (t + 1) * 24 * 32);
    rope.apply(own, { shape: [24, 2, 16], seqAxis: 0, grid: [4, 6] });
    assert.deepEqual(rotated.slice(t * 24 * 32, (t + 1) * 24 * 32), own);
  }
  assert.deepEqual(points({ preset: "axial", axes: 1, layout: "half", start: -1.5 }, [3]), [-1.5, -0.5, 0.5]);
});

test("prefix and suffix tokens stay as they are, and have angle 0 in the cache", () => {
  const rope = pe.rotaryGrid({ preset: "dinov3", dim: 8 });
  const x = pseudoRandom(7 * 8, 2);
  const alone = rope.apply(x.slice(8, 5 * 8), { shape: [4, 8], grid: [2, 2] });
  const around = rope.apply(x.slice(), { shape: [7, 8], grid: [2, 2], prefixTokens: 1, suffixTokens: 2 });
  assert.deepEqual(around, Float32Array.from([...x.slice(0, 8), ...alone, ...x.slice(40)]));
  const { cos, sin } = rope.cache({ grid: [2, 2], prefixTokens: 1, suffixTokens: 2, row: "dims" });
  assert.deepEqual(cos.shape, [7, 8]);
  assert.deepEqual([...cos.data.slice(0, 8), ...sin.data.slice(40)], [...Array(8).fill(1), ...Array(16).fill(0)]);
});

test("caches by dimension repeat those by pair in the layout's order", () => {
  for (const [preset, dimension] of [
    ["pixtral", (l) => l % 4],
    ["llama4", (l) => Math.floor(l / 2)],
    ["croco", (l) => Math.floor(l / 4) * 2 + (l % 2)],
  ]) {
    const rope = pe.rotaryGrid({ preset, dim: 8 });
    const pairs = rope.cache({ grid: [3, 2] });
    const dims = rope.cache({ grid: [3, 2], row: "dims" });
    assert.deepEqual(pairs.sin.shape, [6, 4]);
    const wanted = Float32Array.from(
      { length: 48 },
      (_, i) => pairs.sin.data[Math.floor(i / 8) * 4 + dimension(i % 8)],
    );
    assert.deepEqual(dims.sin.data, wanted);
  }
});

test("croco: each axis is rotated by itself, in halves of its own dimensions", () => {
  const x = pseudoRandom(16, 4);
  const rope = pe.rotaryGrid({ preset: "croco", dim: 16 });
  const wanted = [3, 5].flatMap((p, i) => rotate(x.slice(8 * i, 8 * i + 8), p, { layout: "half", base: 100 }));
  assertClose(rope.apply(x, { shape: [1, 16], points: [3, 5] }), wanted, 5e-7);
});

test("RoPE-Mixed: the sum over the axes, a direction a head", () => {
  const [dim, heads] = [8, 3];
  const frequencies = pe.mixedFrequencies({ dim, heads, seed: 5 });
  assert.equal(frequencies.length, 24);
  assert.deepEqual(pe.mixedFrequencies({ dim, heads, seed: 5 }), frequencies);
  for (const i of range(12)) {
    const magnitude = 10 ** ((-4 * (i % 2)) / dim);
    assert.ok(Math.abs(Math.hypot(frequencies[i], frequencies[12 + i]) - magnitude) < 1e-14);
  }
  const rope = pe.rotaryMixed({ dim, heads, layout: "interleaved", frequencies });
  assert.equal(rope.heads, heads);
  const x = pseudoRandom(4 * heads * dim, 6);
  const wanted = range(4 * heads).flatMap((row) => {
    const [y, column] = [Math.floor(row / heads / 2), Math.floor(row / heads) % 2];
    const angles = range(4).map((i) => {
      const at = (row % heads) * 4 + i;
      return column * frequencies[at] + y * frequencies[12 + at];
    });
    return rotatePairs(x.slice(row * dim, (row + 1) * dim), "interleaved", angles);
  });
  assertClose(rope.apply(x, { shape: [4, heads, dim], seqAxis: 0, grid: [2, 2] }), wanted, 5e-7);
  assert.deepEqual(rope.cache({ grid: [2, 2] }).cos.shape, [4, 3, 4]);
  assert.deepEqual([...pe.mixedFrequencies({ dim: 4 })].map(Math.abs), [1, 0, 0, 1]);
});

test("a deleted one says so", () => {
  const rope = pe.rotaryGrid({ preset: "timm", dim: 8 });
  rope.delete();
  rope.delete();
  assert.throws(() => rope.cache({ grid: [1, 1] }), TypeError);
  assert.throws(() => rope.points([1, 1]), /rotaryGrid: "a deleted one", expected one that is still alive/);
});

const grid = pe.rotaryGrid({ preset: "timm", dim: 8 });
const x = () => new Float32Array(8);

testWrongCalls([
  [() => grid.apply(x(), { shape: [1, 8] }), TypeError, "points: undefined, expected an array of numbers"],
  [
    () => grid.apply(x(), { shape: [1, 8], grid: [1, 1], points: [0, 0] }),
    TypeError,
    "points: [0, 0], expected nothing",
  ],
  [() => grid.apply(x(), { shape: [1, 8], grid: [1, 2] }), RangeError, "points: 2, expected 1 points, as the sequence"],
  [
    () => pe.rotaryMixed({ dim: 8, layout: "half", frequencies: [1] }),
    RangeError,
    "frequencies: 1, expected 2 * 1 * 4 values",
  ],
]);
