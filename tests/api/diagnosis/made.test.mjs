// Grids and windows: every preset as expected, and each way to be wrong by its name.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { bfloat16, values } from "./rotations.mjs";

const pe = await load();
const tables = { detr: 16, mae: 16, timm: 16, diffusers: 16, "positional-encodings": 18 };
const rotations = {
  "qwen2-vl": [5, 6],
  pixtral: [5, 6],
  dinov3: [5, 6],
  llama4: [5, 6],
  timm: [5, 6],
  "timm-pixel": [5, 6],
  "rope-vit": [5, 6],
  croco: [5, 6],
  "rotary-embedding-torch": [5, 6],
  "rotary-embedding-torch-pixel": [5, 6],
  wan: [3, 4, 5],
  cogvideox: [3, 4, 5],
  "hunyuan-video": [3, 4, 5],
  flux: [3, 4, 5],
};
const dimOf = (preset) => (/hunyuan|flux/.test(preset) ? 128 : 48);
const axesOf = (preset) => (preset.startsWith("rotary-embedding") ? { axes: 2 } : {});
const given = ({ mistakes, found }) => [mistakes, found.type];
const as = (found, verdict, mistakes) =>
  assert.deepEqual(
    [found.verdict, ...(found.explanations[0] ? given(found.explanations[0]) : [])],
    [verdict, mistakes, "made"],
    found.text,
  );

for (const [preset, dim] of Object.entries(tables)) {
  const options = { shape: [5, 7], dim, preset };
  const expected = { type: "sinusoidalGrid", ...options };
  for (const type of ["float32", "bfloat16"])
    test(`sinusoidalGrid, ${preset}, ${type}: as expected`, () => {
      const { data, shape } = pe.sinusoidalGrid(options);
      const table = type === "float32" ? { data, shape } : { data: bfloat16(data), shape, dtype: type };
      const found = pe.diagnose({ table }, { expected });
      as(found, "certain", []);
      assert.match(found.text, /This is what was expected/);
      assert.ok(!/undefined|NaN/.test(pe.diagnose({ table }, { expected, language: "zh" }).text));
    });

  test(`sinusoidalGrid, ${preset}: one value is not as expected, and has a place`, () => {
    const table = pe.sinusoidalGrid(options);
    table.data[dim * 9 + 3] += 0.25;
    const { verdict, departs, text } = pe.diagnose({ table }, { expected });
    assert.deepEqual([verdict, departs.tokens], ["none", [9]], text);
  });

  test(`sinusoidalGrid, ${preset}: zeros tell too little`, () => {
    const table = pe.sinusoidalGrid(options);
    table.data.fill(0);
    assert.equal(pe.diagnose({ table }, { expected }).verdict, "too-little");
  });
}

const wrongTables = {
  "axes-order": { axes: "first-first" },
  arrangement: { order: "cosines-first" },
  "first-position": { start: 1 },
  "position-scale": { normalised: true },
  base: { base: 100 },
};
for (const [mistake, change] of Object.entries(wrongTables))
  test(`sinusoidalGrid: ${mistake}`, () => {
    const options = { shape: [5, 7], dim: 16, preset: "mae" };
    const table = pe.sinusoidalGrid({ ...options, ...change });
    as(pe.diagnose({ table }, { expected: { type: "sinusoidalGrid", ...options } }), "certain", [mistake]);
  });

test("sinusoidalGrid: cells column by column, and of a square grid exchanged axes as well", () => {
  for (const [shape, verdict] of [
    [[5, 7], "certain"],
    [[6, 6], "ambiguous"],
  ]) {
    const options = { shape, dim: 16, preset: "mae" };
    const table = pe.sinusoidalGrid(options);
    const [rows, columns] = shape;
    const data = table.data.map((_, at) => {
      const [cell, k] = [Math.floor(at / 16), at % 16];
      return table.data[((cell % rows) * columns + Math.floor(cell / rows)) * 16 + k];
    });
    const found = pe.diagnose(
      { table: { data, shape: [rows * columns, 16] } },
      { expected: { type: "sinusoidalGrid", ...options } },
    );
    assert.equal(found.verdict, verdict);
    assert.ok(found.explanations.some(({ mistakes }) => String(mistakes) === "cell-order"));
  }
});

test("sinusoidalGrid: DETR's own order, dimensions in front", () => {
  const options = { shape: [5, 7], dim: 16, preset: "detr" };
  const table = pe.sinusoidalGrid(options);
  const data = table.data.map((_, at) => table.data[(at % 35) * 16 + Math.floor(at / 35)]);
  as(
    pe.diagnose({ table: { data, shape: [1, 16, 5, 7] } }, { expected: { type: "sinusoidalGrid", ...options } }),
    "certain",
    [],
  );
});

/** Vectors that a grid rotates. */
function rotatedBy(own, grid, change = {}) {
  const { points, ...options } = change;
  const rotary = pe.rotaryGrid({ ...own, ...options });
  const cells = grid.reduce((a, b) => a * b);
  const shape = [cells, 2, own.dim];
  const before = values(cells * 2 * own.dim, 11);
  const at = points ? { points: points(rotary.points(grid)) } : { grid };
  return {
    before: { data: before, shape },
    after: { data: rotary.apply(before.slice(), { shape, seqAxis: 0, ...at }), shape },
  };
}

for (const [preset, grid] of Object.entries(rotations)) {
  const own = { preset, dim: dimOf(preset), ...axesOf(preset) };
  const expected = { type: "rotaryGrid", ...own, grid };
  test(`rotaryGrid, ${preset}: vectors as expected`, () =>
    as(pe.diagnose(rotatedBy(own, grid), { expected }), "certain", []));

  test(`rotaryGrid, ${preset}: a cache as expected, and one with a wrong value`, () => {
    for (const row of ["pairs", "dims"]) {
      const { cos, sin } = pe.rotaryGrid(own).cache({ grid, row });
      as(pe.diagnose({ cos, sin }, { expected }), "certain", []);
      sin.data[sin.data.length - 1] += 0.5;
      assert.equal(pe.diagnose({ cos, sin }, { expected }).verdict, "none");
    }
  });

  test(`rotaryGrid, ${preset}: axes exchanged`, () => {
    const { axes } = pe.rotaryGrid(own);
    const swapped = (points) =>
      points.map((_, at) => points[at % axes < axes - 2 ? at : at + (at % axes === axes - 1 ? -1 : 1)]);
    const { verdict, explanations } = pe.diagnose(rotatedBy(own, grid, { points: swapped }), { expected });
    assert.ok(["certain", "ambiguous"].includes(verdict));
    assert.deepEqual(explanations[0].mistakes, ["axes-order"]);
  });
}

const wrongRotations = {
  layout: { layout: "interleaved" },
  base: { base: 100 },
  "first-position": { points: (points) => points.map((point) => point + 1) },
  restarted: { preset: "axial", axes: 2, layout: "half" },
};
for (const [mistake, change] of Object.entries(wrongRotations))
  test(`rotaryGrid: ${mistake}`, () => {
    const own = { preset: "pixtral", dim: 48 };
    const found = pe.diagnose(rotatedBy(own, [5, 6], change), {
      expected: { type: "rotaryGrid", ...own, grid: [5, 6] },
    });
    assert.ok(["certain", "ambiguous"].includes(found.verdict), found.text);
    assert.ok(
      found.explanations.some(({ mistakes }) => String(mistakes) === mistake),
      found.text,
    );
  });

test("rotaryGrid: two mistakes at once", () => {
  const own = { preset: "qwen2-vl", dim: 48 };
  const samples = rotatedBy(own, [5, 6], { layout: "interleaved", base: 1000 });
  as(pe.diagnose(samples, { expected: { type: "rotaryGrid", ...own, grid: [5, 6] } }), "certain", ["layout", "base"]);
});

test("rotaryGrid: what is expected and cannot be is refused", () => {
  const own = { preset: "qwen2-vl", dim: 48 };
  const samples = rotatedBy(own, [5, 6]);
  const read = (expected) => () => pe.diagnose(samples, { expected: { type: "rotaryGrid", ...expected } });
  assert.throws(read({ ...own, grid: [5, 7] }), { name: "RangeError", message: /expected\.grid/ });
  assert.throws(read({ ...own }), { name: "TypeError", message: /expected\.grid/ });
  assert.throws(read({ ...own, grid: [5, 6], preset: "nope" }), { name: "RangeError", message: /preset/ });
});

const window = { height: 3, width: 4 };
test("swinIndex and swinBias: as expected, exchanged, and with the axes exchanged", () => {
  const expected = { type: "swinIndex", ...window };
  const ids = pe.swinIndex(window);
  as(pe.diagnose({ ids }, { expected }), "certain", []);
  const turned = { ...ids, data: ids.data.map((_, at) => ids.data[(at % 12) * 12 + Math.floor(at / 12)]) };
  as(pe.diagnose({ ids: turned }, { expected }), "certain", ["sign"]);
  const table = { data: values(35 * 2, 4), shape: [35, 2] };
  const bias = pe.swinBias({ ...window, table });
  as(pe.diagnose({ bias }, { expected: { type: "swinBias", ...window, table } }), "certain", []);
  const wrong = pe.swinBias({ height: 4, width: 3, table });
  as(pe.diagnose({ bias: wrong }, { expected: { type: "swinBias", ...window, table } }), "certain", ["axes-order"]);
});

test("T5's bias with its table: as expected for certain, and each way to be wrong", () => {
  const table = { data: values(32 * 4, 8), shape: [32, 4] };
  const options = { table, buckets: 32, maxDistance: 128, bidirectional: true };
  const bias = (more = {}) => pe.t5({ ...options, queries: 60, keys: 60, form: "full", ...more });
  const read = (given, more = {}) => pe.diagnose({ bias: given }, { expected: { type: "t5", ...options, ...more } });
  as(read(bias()), "certain", []);
  as(read(bias({ future: "mask" }), { causal: true }), "certain", []);
  as(read(bias({ future: "mask" })), "certain", ["causal"]);
  as(read(bias({ maxDistance: 64 })), "certain", ["buckets"]);
  as(read(bias({ bidirectional: false })), "certain", ["buckets"]);
  as(read(bias({ queryOffset: 0, queries: 8 }), { queryOffset: 52 }), "certain", ["first-position"]);
  const scaled = bias();
  for (let at = 0; at < scaled.data.length; ++at) scaled.data[at] *= 8;
  as(read(scaled), "certain", ["amplitude"]);
  const other = bias({ table: { ...table, data: values(32 * 4, 9) } });
  assert.equal(read(other).verdict, "none");
});

test("zeros where the largest number should be are no factor, and what is masked is no number", () => {
  const table = { data: values(32 * 2, 8), shape: [32, 2] };
  const options = { table, buckets: 32, maxDistance: 128, bidirectional: false };
  const window = { height: 2, width: 3, table: { data: values(15 * 2, 5), shape: [15, 2] } };
  for (const [made, expected] of [
    [pe.t5({ ...options, queries: 12, keys: 40, form: "full" }), { type: "t5", ...options }],
    [pe.t5({ ...options, queries: 12, keys: 40, form: "full", future: "mask" }), { type: "t5", ...options }],
    [pe.swinBias(window), { type: "swinBias", ...window }],
  ]) {
    const width = made.shape.at(-1);
    for (let row = 1; row * width < made.data.length; ++row) {
      const data = Float32Array.from(made.data).fill(0, row * width);
      const { verdict, text } = pe.diagnose({ bias: { data, shape: made.shape, dtype: "bfloat16" } }, { expected });
      assert.notEqual(verdict, "certain", text);
      assert.doesNotMatch(text, /NaN/);
    }
  }
});
