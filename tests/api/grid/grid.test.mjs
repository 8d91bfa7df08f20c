// What of grids and M-RoPE is JavaScript's own: lengths of sequences, shapes, and what else results hold.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { tensor } from "../testing/reference.mjs";

const pe = await load();
const positionsOf = (preset, more) => pe.mropePositions({ preset, ...more });

test("tables of grids have the grid's shape, and prefix tokens one axis of rows", () => {
  const shapeOf = (options) => pe.sinusoidalGrid({ dim: 16, preset: "mae", ...options }).shape;
  assert.deepEqual(shapeOf({ shape: [3, 5] }), [3, 5, 16]);
  assert.deepEqual(shapeOf({ shape: [3, 5], prefixTokens: 1 }), [16, 16]);
  assert.deepEqual(shapeOf({ shape: [2, 3, 4], preset: "positional-encodings" }), [2, 3, 4, 16]);
  assert.deepEqual(shapeOf({ shape: [0, 3] }), [0, 3, 16]);
});

test("caches have a row a token, of pairs or dims, and an axis of heads where each has its own angles", () => {
  const grid = pe.rotaryGrid({ preset: "dinov3", dim: 8 });
  const shapes = ({ cos, sin }) => [cos.shape, sin.shape];
  assert.deepEqual(shapes(grid.cache({ grid: [3, 2] })), Array(2).fill([6, 4]));
  const around = { prefixTokens: 1, suffixTokens: 2 };
  assert.deepEqual(shapes(grid.cache({ grid: [2, 2], row: "dims", ...around })), Array(2).fill([7, 8]));
  assert.equal(pe.rotaryGrid({ preset: "wan", dim: 12 }).points([2, 3, 2]).length, 36);
  const frequencies = pe.mixedFrequencies({ dim: 8, heads: 3, seed: 5 });
  assert.equal(frequencies.length, 24);
  const mixed = pe.rotaryMixed({ dim: 8, heads: 3, layout: "interleaved", frequencies });
  assert.deepEqual([mixed.heads, mixed.cache({ grid: [2, 2] }).cos.shape], [3, [4, 3, 4]]);
  const { data } = tensor([4, 3, 8]);
  assert.equal(mixed.apply(data, { shape: [4, 3, 8], seqAxis: 0, grid: [2, 2] }), data);
});

test("positions of M-RoPE have as many tokens as segments make, and as many axes as the preset", () => {
  for (const [preset, segments, shape] of [
    ["qwen2-vl", [{ text: 2 }, { image: [1, 4, 6] }], [3, 8]],
    ["qwen3-vl", [], [3, 0]],
    ["hunyuan-vl", [{ text: 1 }, { image: [1, 2, 4] }, { text: 3 }], [4, 7]],
    ["ernie4.5-vl", [{ text: 1 }, { video: [2, 4, 4] }, { text: 2 }], [3, 7]],
    ["qwen2.5-omni", [{ video: [2, 4, 4], secondsPerGrid: 1, audio: 3 }], [3, 15]],
  ]) {
    const made = positionsOf(preset, { segments });
    assert.deepEqual([made.positions.shape, made.lengths], [shape, [shape[1]]], preset);
    assert.equal(made.ropeDeltas.length, 1);
  }
  assert.deepEqual(positionsOf("qwen2-vl").positions.shape, [3, 0]);
  assert.deepEqual(positionsOf("qwen2-vl", { rows: [] }).positions.shape, [3, 0, 0]);
});

test("a ragged batch is padded on either side", () => {
  const rows = [[{ text: 3 }], [{ image: [1, 2, 4] }]];
  assert.deepEqual(positionsOf("qwen2-vl", { rows, padding: "left" }), {
    positions: { data: Int32Array.of(0, 1, 2, 1, 0, 0, 0, 1, 2, 1, 0, 0, 0, 1, 2, 1, 0, 1), shape: [3, 2, 3] },
    ropeDeltas: [0, -1],
    lengths: [3, 2],
  });
  const right = positionsOf("qwen2-vl", { rows, padding: "right", paddingPosition: 0 });
  assert.deepEqual([...right.positions.data.slice(12)], [0, 1, 2, 0, 1, 0]);
});

test("M-RoPE takes what hubConfig says of it", () => {
  const sections = [8, 12, 12];
  const rope_scaling = { type: "mrope", mrope_section: sections, mrope_interleaved: true };
  const [plan] = pe.hubConfig({ head_dim: 72, rope_scaling }).plans;
  const rope = pe.mrope({ layout: "half", ...plan.rotary, ...plan.mrope });
  const said = pe.mrope({ layout: "half", dim: 72, sections, order: plan.mrope.order });
  const positions = [5, 1000, 7, 2000, 9, 3000];
  assert.deepEqual(rope.cache({ positions }), said.cache({ positions }));
});
