// A training: what it is made of, its steps, its parameters, and its end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/lab";

const lab = await load();

const small = {
  task: { type: "order" },
  encoding: { type: "rope" },
  model: { width: 16 },
  optimizer: { steps: 40, batch: 10, warmUp: 10 },
  stretch: 2,
  seed: 7,
};

test("options that are left out have the core's defaults, and all can be read", () => {
  const { options } = lab.training({ task: { type: "back" }, encoding: { type: "none" } });
  assert.deepEqual(options, {
    task: { type: "back", shortest: 8, longest: 32, symbols: 16, distance: 3 },
    encoding: {
      type: "none",
      base: 10000,
      rotated: 1,
      scaling: { type: "default" },
      rows: 256,
      buckets: 16,
      maxDistance: 16,
      hidden: 32,
    },
    model: { layers: 1, width: 32, heads: 2, hidden: 64, causal: true, tiesOutput: false, dropout: 0 },
    optimizer: { steps: 1500, batch: 32, rate: 3e-3, warmUp: 100, clip: 1, weightDecay: 0, encodingRate: 1 },
    sampling: "plain",
    stretch: 8,
    seed: 0,
  });
});

test("options that are given can be read as they are", () => {
  const text = "\uFEFFEs war einmal ein König, der hatte zwölf Töchter \u{1F478}. ".repeat(3);
  const given = {
    task: { type: "text", shortest: 5, longest: 6, symbols: 7, distance: 2, text },
    encoding: {
      type: "t5",
      base: 500,
      rotated: 0.5,
      scaling: { type: "yarn", factor: 4, originalLength: 32, betaFast: 16, betaSlow: 2, truncate: false, mscale: 1 },
      rows: 9,
      buckets: 8,
      maxDistance: 12,
      hidden: 4,
    },
    model: { layers: 2, width: 12, heads: 3, hidden: 10, causal: false, tiesOutput: true, dropout: 0.25 },
    optimizer: { steps: 3, batch: 2, rate: 0.5, warmUp: 1, clip: 0, weightDecay: 0.125, encodingRate: 10 },
    sampling: "offset",
    stretch: 3,
    seed: 2 ** 32 - 1,
  };
  const training = lab.training(given);
  assert.deepEqual(training.options, given);
  assert.deepEqual(
    training.words,
    [...new Set(text)].sort((a, b) => a.codePointAt() - b.codePointAt()),
  );
});

test("words and parameters name tokens and values", () => {
  const training = lab.training(small);
  assert.deepEqual(training.words, ["A", "B", "?", "yes", "no", "a", "b", "c", "d", "e", "f", "g", "h"]);
  assert.deepEqual(
    training.parameters.map(({ name, shape }) => [name, ...shape]),
    [
      ["embedding", 13, 16],
      ["layers.0.attention_norm", 1, 16],
      ["layers.0.query_key_value", 48, 16],
      ["layers.0.attention_output", 16, 16],
      ["layers.0.mlp_norm", 1, 16],
      ["layers.0.up", 32, 16],
      ["layers.0.up_bias", 1, 32],
      ["layers.0.down", 16, 32],
      ["layers.0.down_bias", 1, 16],
      ["last_norm", 1, 16],
      ["output", 13, 16],
    ],
  );
  let end = 0;
  for (const { shape, offset } of training.parameters) {
    assert.equal(offset, end);
    end += shape[0] * shape[1];
  }
  const values = training.values();
  assert.equal(values.length, end);
  const norm = training.parameters.find(({ name }) => name === "last_norm");
  assert.deepEqual([...values.subarray(norm.offset, norm.offset + 16)], Array(16).fill(1));
});

test("steps are made one by one or several at once, as far as there are any; values are a copy", () => {
  const [one, all] = [lab.training(small), lab.training(small)];
  const before = one.values();
  const reports = Array.from({ length: 40 }, () => one.step());
  assert.deepEqual(
    reports.map(({ step }) => step),
    Array.from({ length: 40 }, (_, i) => i + 1),
  );
  assert.deepEqual(before, all.values());
  assert.notDeepEqual(one.values(), before);
  for (const [count, left] of [
    [41, 40],
    [0, 40],
    [-1, 40],
  ])
    assert.throws(() => all.step(count), {
      name: "RangeError",
      message: `count: ${count}, expected a whole number from 1 to ${left}, the steps that are left`,
    });
  assert.deepEqual(all.step(40), reports.at(-1));
  assert.deepEqual(all.values(), one.values());
  assert.equal(all.operations, one.operations);
  assert.ok(one.operations > 1e6);
  assert.throws(() => one.step(), { name: "RangeError", message: /^step: 41, expected .*40/ });
});

test("what is disposed of is refused by its name, and others live on", () => {
  const [deleted, kept] = [lab.training(small), lab.training(small)];
  const loss = kept.evaluate().loss;
  deleted.dispose();
  deleted.delete();
  deleted[Symbol.dispose ?? "delete"]();
  const calls = {
    step: () => deleted.step(),
    steps: () => deleted.steps,
    operations: () => deleted.operations,
    evaluate: () => deleted.evaluate(),
    attention: () => deleted.attention([0]),
    generate: () => deleted.generate([0], { count: 1 }),
    values: () => deleted.values(),
  };
  for (const [name, call] of Object.entries(calls))
    assert.throws(call, { name: "TypeError", message: /^training: "a deleted one", expected one/ }, name);
  assert.deepEqual(deleted.words, kept.words);
  assert.equal(kept.evaluate().loss, loss);
});

test("a training lives on when the memory grows", () => {
  const training = lab.training(small);
  const { loss } = training.evaluate();
  const { byteLength } = lab.buffer(1).view.buffer;
  const large = lab.buffer(byteLength / 4);
  assert.ok(large.view.buffer.byteLength > byteLength);
  assert.equal(training.evaluate().loss, loss);
  large.dispose();
});
