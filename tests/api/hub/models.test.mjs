// Models by their own code: models.json has a model on each line (tests/README.md describes how it was made), and
// pe.model of its config has to give the same numbers. The core's model_types.test.cpp compares the table of types with it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "posenc/full";

const pe = await load();
const stored = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));

/** Our rounding to float32 and theirs to 7 digits, of values below 4. */
const TOLERANCE = 3e-7;

/** The value of a dimension of the query, the same in every head. */
const dimension = (l) => (((l * 37) % 19) - 9) / 8;

/** Decodes runs, [count, ...value]. */
const unrolled = (runs) => runs.flatMap(([count, ...rest]) => Array(count).fill(rest));

function assertClose(actual, expected, tolerance, what) {
  const difference = Math.abs(actual - expected);
  assert.ok(difference <= tolerance, `${what}: ${actual}, expected ${expected}`);
}

/** Rotates the query, a head of `dim` dimensions, at each position. */
function rotated(config, index, dim, positions) {
  const count = positions.length;
  const query = Float32Array.from({ length: count * dim }, (_, i) => dimension(i % dim));
  const layer = pe.model(config).layer(index, { length: Math.max(...positions.flat()) + 1 });
  const ids = Array.isArray(positions[0])
    ? positions[0].flatMap((_, axis) => positions.map((at) => at[axis]))
    : positions;
  layer.apply(query, query.slice(), { shape: [count, dim], positions: ids });
  return query;
}

/** One name for layers without attention, which have several. */
const layerType = (type) => (type === "mamba" || type === "conv" ? "linear_attention" : type);

/** Compares rotated heads, [positions, dim], with the stored dimensions. */
function assertRotated(ours, { positions, dim, dims, out }) {
  positions.forEach((position, i) => {
    dims.forEach((l, j) => {
      assertClose(ours[i * dim + l], out[i][j], TOLERANCE, `dimension ${l} at ${position}`);
    });
  });
}

function testRotary({ type, config, layers, reach, scale, rotations, indexer, outputs = [] }) {
  const whole = { model_type: type, ...config };

  test(`${type}: layers, what they reach, and the scale of scores`, () => {
    const model = pe.model(whole);
    const ours = model.layers.flatMap((run) => Array(run.count).fill(run));
    assert.deepEqual(
      ours.map(({ plan }) => plan !== null),
      unrolled(layers).map(([, rotates]) => rotates),
    );
    const types = unrolled(layers);
    const reaches = reach && unrolled(reach);
    ours.forEach((layer, i) => {
      if (layer.type !== null) assert.equal(layerType(layer.type), layerType(types[i][0]) ?? layer.type);
      const attends = reaches ? reaches[i][0] : layer.plan === null ? null : ["all"];
      if (attends === null) return;
      const [kind, size] = attends;
      assert.deepEqual(layer.reach, kind === "all" ? { type: kind } : { type: kind, size });
      assertClose(layer.scale, scale, 1e-9, "scale");
    });
  });

  for (const stored of rotations) {
    test(`${type}: queries of layer ${stored.layer}`, () => {
      assertRotated(rotated(whole, stored.layer, stored.dim, stored.positions), stored);
    });
  }

  for (const stored of outputs) {
    test(`${type}: outputs of layer ${stored.layer} are rotated back`, () => {
      const { positions, dim } = stored;
      const output = Float32Array.from({ length: positions.length * dim }, (_, i) => dimension(i % dim));
      const layer = pe.model(whole).layer(stored.layer);
      assertRotated(layer.applyToOutputs(output, { shape: [positions.length, dim], positions }), stored);
    });
  }

  if (indexer !== undefined) {
    test(`${type}: queries of the indexer of layer ${indexer.layer}`, () => {
      const { positions, dim } = indexer;
      const model = pe.model(whole);
      const run = model.layer(indexer.layer).layers;
      const { dims, layout, scale } = run.indexer;
      assert.equal(dims.dim, dim);
      assertClose(scale, indexer.scale, 1e-9, "scale");
      const { rotary } = model.plans[run.plan];
      const rope = pe.rotary({ ...rotary, layout, dim: dims.count, rotaryDim: dims.count });
      const queries = positions.flatMap((position) => {
        const query = Float32Array.from({ length: dim }, (_, l) => dimension(l));
        const part = query.subarray(dims.first, dims.first + dims.count);
        rope.apply(part, { shape: [1, dims.count], positions: [position] });
        return [...query];
      });
      assertRotated(queries, indexer);
    });
  }
}

const others = {
  none() {},
  learned({ rows, used }, encoding) {
    assert.equal(encoding.rows, rows);
    assert.equal(encoding.firstRow, used[0]);
    used.forEach((row, i) => {
      assert.equal(row, encoding.firstRow + i);
    });
  },
  sinusoidal({ firstRow, dim, rows, dims, out, preset, order }, encoding) {
    assert.equal(encoding.firstRow, firstRow);
    const options = preset === "split" ? { order: "split" } : { preset, ...(order && { order }) };
    rows.forEach((row, i) => {
      const { data } = pe.sinusoidal({ dim, positions: [row], ...options });
      dims.forEach((l, j) => {
        assertClose(data[l], out[i][j], TOLERANCE, `dimension ${l} of row ${row}`);
      });
    });
  },
  alibi({ heads, slopes, rounded }, encoding) {
    const { type, ...options } = encoding;
    assert.equal(options.heads, heads);
    const bias = pe.alibi({ ...options, queries: 1, keys: 2, queryOffset: 0 });
    slopes.forEach((slope, head) => {
      // Falcon's code rounds its slopes.
      const tolerance = rounded === "bfloat16" ? slope * 2 ** -8 : TOLERANCE;
      assertClose(bias.data[2 * head + 1] - bias.data[2 * head], slope, tolerance, `slope of head ${head}`);
    });
  },
  t5({ heads, buckets, maxDistance, distances, encoder, decoder }, encoding) {
    assert.deepEqual(encoding, { type: "t5", heads, buckets, maxDistance });
    const farthest = Math.max(...distances);
    for (const [bidirectional, expected] of [
      [true, encoder],
      [false, decoder],
    ]) {
      const shape = { queries: farthest + 1, keys: farthest + 1, form: "compact" };
      const { data } = pe.t5Buckets({ buckets, maxDistance, bidirectional, ...shape });
      assert.deepEqual(
        distances.map((distance) => data[distance + farthest]),
        expected,
      );
    }
  },
};

for (const model of stored("models.json")) {
  if (model.encoding === "rotary" || model.rotations) testRotary(model);
  if (model.encoding === "rotary") continue;
  test(`${model.type}: ${model.encoding}`, () => {
    const { encoding, plans } = pe.model({ model_type: model.type, ...model.config });
    assert.deepEqual(plans, []);
    assert.equal(encoding.type, model.encoding);
    others[model.encoding](model, encoding);
  });
}

/** The options of mropePositions that make a model's ids as transformers 5 does. */
const idRules = {
  qwen2_vl: { preset: "qwen2-vl", next: "past-extent" },
  qwen2_5_vl: { preset: "qwen2.5-vl", time: "whole-seconds", next: "past-extent" },
  qwen3_vl: { preset: "qwen3-vl" },
  qwen3_5: { preset: "qwen3-vl" },
  glm4v: { preset: "glm4v" },
  ernie4_5_vl_moe: { preset: "ernie4.5-vl", next: "past-extent" },
  qwen2_5_omni: { preset: "qwen2.5-omni" },
  qwen3_omni_moe: { preset: "qwen3-omni" },
};

/** Segments as mropePositions takes them: marks around images, videos and sound are text, except in a video with sound. */
function segmentsOf(segments, isOmni) {
  return segments.flatMap(({ text, image, video, seconds, audio }) => {
    if (text !== undefined) return [{ text }];
    if (image === undefined && video === undefined) return [{ text: audio + 2 }];
    const part = image ? { image } : { video };
    if (seconds !== undefined) part.secondsPerGrid = seconds;
    if (audio !== undefined) return [{ ...part, audio }];
    return isOmni ? [{ text: 1 }, part, { text: 1 }] : [part];
  });
}

for (const model of stored("ids.json")) {
  const { type, segments, mergeSize, tokensPerSecond, positionsPerSecond, secondsPerChunk, ids, delta } = model;
  const marks = segments.map((segment) => Object.keys(segment).find((key) => key !== "seconds")).join(", ");
  test(`${type}: ids of ${marks}`, () => {
    const perSecond = tokensPerSecond ?? positionsPerSecond;
    const made = pe.mropePositions({
      ...idRules[type],
      mergeSize,
      ...(perSecond && { tokensPerSecond: perSecond }),
      ...(secondsPerChunk && { secondsPerChunk }),
      segments: segmentsOf(segments, positionsPerSecond !== undefined),
    });
    assert.deepEqual([...made.positions.data], ids.flat());
    assert.deepEqual(made.ropeDeltas, [delta]);
  });
}
