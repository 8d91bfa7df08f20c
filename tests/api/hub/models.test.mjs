// What models do with positions, by their own code: models.json has a model a line (tests/README.md says how it was
// made), and pe.hubConfig of its config has to give the same.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "posenc/full";

const pe = await load();
const models = JSON.parse(readFileSync(new URL("models.json", import.meta.url), "utf8"));

/** Rounding of ours to float32, and of theirs to 7 digits: lanes are below 2, and so are attention factors. */
const TOLERANCE = 3e-7;

/** A lane of the query, alike in every head. */
const lane = (l) => (((l * 37) % 19) - 9) / 8;

/** Run-length coded, unrolled. */
const unrolled = (runs) => runs.flatMap(([count, ...rest]) => Array(count).fill(rest));

/** What a layer makes of the query at one position: [dim] lanes of a head. */
function rotated(config, index, dim, position, length) {
  const { plans, layers } = pe.hubConfig(config);
  const query = Float32Array.from({ length: dim }, (_, l) => lane(l));
  const layer = layers.flatMap((layer) => Array(layer.count).fill(layer))[index];
  if (layer.plan === null) return query;
  const { rotary, mrope, inverse } = plans[layer.plan];
  // A split head's plan is of the rotated lanes alone, which are its last ones.
  const part = query.subarray(dim - rotary.dim);
  if (Array.isArray(position)) {
    pe.mrope({ ...rotary, ...mrope }).apply(part, { shape: [1, rotary.dim], positions: position });
  } else {
    pe.rotary({ ...rotary, length }).apply(part, { shape: [1, rotary.dim], positions: [position], inverse });
  }
  return query;
}

for (const { type, config, layers, rotations, encoding } of models) {
  const whole = { model_type: type, ...config };

  test(`${type}: layers`, () => {
    const read = pe.hubConfig(whole);
    assert.equal(read.encoding.type, encoding);
    const ours = unrolled(read.layers.map(({ count, plan }) => [count, plan !== null]));
    assert.deepEqual(
      ours,
      unrolled(layers).map(([, rotates]) => [rotates]),
    );
  });

  for (const { layer, positions, dim, lanes, out, temperature } of rotations) {
    test(`${type}: queries of layer ${layer}`, () => {
      const length = Math.max(...positions.flat()) + 1;
      positions.forEach((position, i) => {
        const query = rotated(whole, layer, dim, position, length).map((value) => value * (temperature?.[i] ?? 1));
        lanes.forEach((l, j) => {
          const difference = Math.abs(query[l] - out[i][j]);
          assert.ok(difference <= TOLERANCE, `lane ${l} at ${position}: ${query[l]}, expected ${out[i][j]}`);
        });
      });
    });
  }
}
