// A training has the bits that are stored for the core, with each encoding and of each task.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/lab";
import { isStored } from "../testing/testing.mjs";

const lab = await load();

/** As tests/core/learning/training_bits.test.cpp makes them. */
function bitsOf(options) {
  const optimizer = { steps: 12, batch: 6, rate: 0.01, warmUp: 3, clip: 1, weightDecay: 0.01 };
  const training = lab.training({ ...options, optimizer, stretch: 2, seed: 5 });
  training.step(12);
  const { loss } = training.evaluate({ sequences: 8 });
  const values = training.values();
  training.dispose();
  return [{ data: values }, { data: Float32Array.of(loss) }];
}

const encodings = ["none", "sinusoid", "concatenated", "learned", "rope", "alibi", "t5", "fire", "shaw", "fox"];

for (const type of encodings) {
  test(`${type}: parameters after twelve steps have the core's bits`, () => {
    const bits = bitsOf({
      task: { type: "order", longest: 6 },
      encoding: { type },
      model: { layers: 2, width: 16, heads: 2, dropout: 0.1 },
      sampling: "random",
    });
    assert.ok(isStored(`training ${type}`, bits));
  });
}

const tasks = ["order", "roles", "back", "text"];

for (const type of tasks) {
  test(`the task ${type}: parameters after twelve steps have the core's bits`, () => {
    const bits = bitsOf({
      task: { type, text: "The cat sat on the mat. A dog ate the hat. ".repeat(20) },
      encoding: { type: "alibi" },
      model: { width: 8, heads: 1, causal: type === "text", tiesOutput: true },
      sampling: "offset",
    });
    assert.ok(isStored(`training of ${type}`, bits));
  });
}
