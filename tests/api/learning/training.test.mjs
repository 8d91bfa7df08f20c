// A training: what it is made of, its steps, alone and shared, and its end.
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

/** All bits that change, and how many steps were made. */
const bitsOf = (training) => {
  const { step, ...arrays } = training.checkpoint();
  return [step, ...Object.values(arrays).map(({ buffer }) => Buffer.from(buffer).toString("hex"))];
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
  assert.equal(training.shards, 2);
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
  const { step, values, firstMoments, secondMoments } = training.checkpoint();
  assert.equal(step, 0);
  assert.deepEqual([values.length, firstMoments.length, secondMoments.length], [end, end, end]);
  const norm = training.parameters.find(({ name }) => name === "last_norm");
  assert.deepEqual([...values.subarray(norm.offset, norm.offset + 16)], Array(16).fill(1));
});

test("a model learns which of two symbols came first", () => {
  const training = lab.training({
    task: { type: "order", longest: 4 },
    encoding: { type: "learned" },
    model: { width: 16 },
    optimizer: { steps: 300, batch: 32, rate: 1e-2 },
  });
  const first = training.step();
  assert.equal(first.step, 1);
  assert.ok(Math.abs(first.loss - Math.log(training.words.length)) < 1, `${first.loss}`);
  const last = training.step(299);
  assert.equal(last.step, 300);
  assert.equal(training.steps, 300);
  const { loss, accuracy, perplexity, asked } = training.evaluate();
  assert.ok(accuracy > 0.95 && loss < 0.2, `${accuracy}, ${loss}`);
  assert.ok(Math.abs(perplexity - Math.exp(loss)) < 1e-12 * perplexity);
  assert.equal(asked, 256);
  assert.throws(() => training.step(), { name: "RangeError", message: /^step: 301, expected .*300/ });
});

test("steps at once are steps one by one; the rate rises and falls", () => {
  const [one, all] = [lab.training(small), lab.training(small)];
  const reports = Array.from({ length: 40 }, () => one.step());
  assert.deepEqual(all.step(40), reports.at(-1));
  assert.deepEqual(bitsOf(all), bitsOf(one));
  assert.equal(all.operations, one.operations);
  assert.ok(one.operations > 1e6);
  reports.forEach(({ rate, step, norm, accuracy }, i) => {
    assert.equal(step, i + 1);
    const wanted = step <= 10 ? (3e-3 * step) / 10 : (3e-3 * (1 + Math.cos((Math.PI * (step - 11)) / 30))) / 2;
    assert.ok(Math.abs(rate - wanted) < 1e-12, `${step}: ${rate}, ${wanted}`);
    assert.ok(norm > 0 && accuracy >= 0 && accuracy <= 1);
  });
});

test("a step whose parts came from several trainings has the bits of one made alone", () => {
  const options = { ...small, sampling: "random", model: { width: 16, dropout: 0.1 } };
  const alone = lab.training(options);
  const workers = [lab.training(options), lab.training(options)];
  assert.equal(alone.shards, 4);
  const out = lab.buffer(alone.checkpoint().values.length);
  for (let step = 0; step < 3; ++step) {
    const shards = [];
    for (const shard of [3, 0, 2, 1]) {
      const made = workers[shard % 2].shardGradient(shard, shard === 2 ? { out: { gradient: out.view } } : {});
      assert.equal(shard === 2, made.gradient === out.view);
      shards[shard] = shard === 2 ? { ...made, gradient: out.view } : made;
    }
    const report = alone.step();
    for (const worker of workers) assert.deepEqual(worker.update(shards), report);
    assert.ok(shards.every(({ asked, correct }) => asked > 0 && correct <= asked));
    const loss = shards.reduce((sum, shard) => sum + shard.loss, 0) / shards.reduce((sum, { asked }) => sum + asked, 0);
    assert.equal(report.loss, loss);
  }
  for (const worker of workers) assert.deepEqual(bitsOf(worker), bitsOf(alone));
  const { shards } = lab.training({ ...small, optimizer: { batch: 3 } });
  assert.equal(shards, 3);
});

test("a checkpoint goes back, into another training too, which goes on with the same bits", () => {
  const training = lab.training(small);
  training.step(5);
  const kept = training.checkpoint();
  const copy = structuredClone(kept);
  training.step(7);
  const after = bitsOf(training);
  assert.deepEqual(kept, copy, "a copy");
  const other = lab.training(small);
  other.step(2);
  for (const one of [training, other]) {
    assert.equal(one.restore(kept), undefined);
    assert.equal(one.steps, 5);
    one.step(7);
    assert.deepEqual(bitsOf(one), after);
  }
  const { length } = kept.values;
  const buffers = ["values", "firstMoments", "secondMoments"].map((name) => [name, lab.buffer(length).view]);
  const made = training.checkpoint({ out: Object.fromEntries(buffers) });
  for (const [name, view] of buffers) assert.equal(made[name], view);
  training.step();
  training.restore(made);
  assert.deepEqual(bitsOf(training), after);
});

test("parameters after a refused update, step or checkpoint are those before it", () => {
  const training = lab.training(small);
  training.step(2);
  const before = bitsOf(training);
  const shards = Array.from({ length: 4 }, (_, i) => training.shardGradient(i));
  const { length } = shards[0].gradient;
  const refused = (call, message) => {
    assert.throws(call, { name: "RangeError", message });
    assert.deepEqual(bitsOf(training), before);
  };
  refused(() => training.update(shards.slice(1)), /^shards: 3, expected 4/);
  const cut = { ...shards[2], gradient: shards[2].gradient.slice(1) };
  refused(() => training.update(shards.with(2, cut)), new RegExp(`^shards\\[2\\]\\.gradient: ${length - 1}, expected`));
  refused(() => training.update(shards.with(1, { ...shards[1], loss: Number.NaN })), /^loss: NaN, expected a finite/);
  refused(() => training.step(39), /^count: 39, expected a whole number from 1 to 38/);
  refused(() => training.step(0), /^count: 0, expected/);
  const kept = training.checkpoint();
  refused(() => training.restore({ ...kept, step: 41 }), /^step: 41, expected/);
  refused(() => training.restore({ ...kept, values: kept.values.slice(1) }), /^values: /);
  refused(
    () => training.restore({ ...kept, secondMoments: kept.secondMoments.with(3, Number.NaN) }),
    /^secondMoments: NaN/,
  );
  refused(() => training.shardGradient(4), /^shard: 4, expected/);
});

test("a loss that is not finite is a RangeError, and parameters are those before it", () => {
  const training = lab.training({ ...small, optimizer: { steps: 200, batch: 4, rate: 1, clip: 0, warmUp: 0 } });
  const kept = training.checkpoint();
  training.restore({ ...kept, values: kept.values.map((value) => value * 1e30) });
  const before = bitsOf(training);
  assert.throws(() => training.step(3), { name: "RangeError", message: /^loss: .*, expected a finite loss/ });
  assert.deepEqual(bitsOf(training), before);
  assert.equal(training.steps, 0);
});

test("another seed, other parameters; the same one, the same", () => {
  const [a, b, c] = [7, 7, 8].map((seed) => lab.training({ ...small, seed }));
  assert.deepEqual(bitsOf(a), bitsOf(b));
  assert.notDeepEqual(bitsOf(a), bitsOf(c));
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
    checkpoint: () => deleted.checkpoint(),
    restore: () => deleted.restore(kept.checkpoint()),
    shardGradient: () => deleted.shardGradient(0),
    update: () => deleted.update(Array.from({ length: 4 }, (_, i) => kept.shardGradient(i))),
  };
  for (const [name, call] of Object.entries(calls)) {
    assert.throws(call, { name: "TypeError", message: /^training: "a deleted one", expected one/ }, name);
  }
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
