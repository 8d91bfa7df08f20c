// A training in a worker: its points, its bits, and what it is asked meanwhile.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { load } from "posenc/lab";
import { isStored } from "../testing/testing.mjs";

const lab = await load();

const small = {
  task: { type: "order", longest: 6 },
  encoding: { type: "rope" },
  model: { width: 16 },
  optimizer: { steps: 40, batch: 10, warmUp: 10 },
  stretch: 4,
  seed: 7,
};

async function pointsOf(run) {
  const points = [];
  for await (const point of run) points.push(point);
  return points;
}

test("points come every so many steps, with what a training reports, and tests", async () => {
  const run = lab.train({ ...small, every: 15, sequences: 8 });
  const training = lab.training(small);
  const seen = await pointsOf(run);
  assert.deepEqual(
    seen.map(({ step, steps }) => [step, steps]),
    [0, 15, 30, 40].map((step) => [step, 40]),
  );
  for (const { steps, tests, seconds, remaining, operations, ...report } of seen) {
    const made = report.step > training.steps ? training.step(report.step - training.steps) : { step: 0 };
    assert.deepEqual(report, made);
    assert.deepEqual(tests, training.stretch({ sequences: 8 }));
    assert.equal(operations, training.operations);
    assert.ok(seconds >= 0 && (made.step === 0 ? remaining === undefined : remaining >= 0));
  }
  assert.equal(seen.at(-1).remaining, 0);
  assert.deepEqual(run.points, seen);
  assert.deepEqual(await pointsOf(run), seen, "again, from the first on");
  assert.equal(run.state, "done");
  await run.dispose();
  assert.equal(run.state, "disposed");
  assert.deepEqual(await pointsOf(run), seen, "they are there when the worker is not");
});

test("by default fifty points, at 1, 2, 4 and 8 times the longest, as far as positions reach", async () => {
  const lengthsOf = async (options) => {
    const run = lab.train({ ...options, optimizer: { steps: 100, batch: 2 } });
    const points = await pointsOf(run);
    await run.dispose();
    assert.equal(points.length, 51);
    assert.ok(points.every(({ tests }) => tests.every(({ asked }) => asked === 32)));
    return points[7].tests.map(({ n }) => n);
  };
  assert.deepEqual(await lengthsOf(small), [6, 12, 24]);
  assert.deepEqual(await lengthsOf({ ...small, stretch: 64 }), [6, 12, 24, 48]);
  assert.deepEqual(await lengthsOf({ ...small, task: { type: "roles" } }), [3]);
});

test("several runs at once, one a worker, have the core's bits and do not know of each other", async () => {
  const trained = async (type) => {
    const run = lab.train({
      task: { type: "order", longest: 6 },
      encoding: { type },
      model: { layers: 2, width: 16, heads: 2, dropout: 0.1 },
      optimizer: { steps: 12, batch: 6, rate: 0.01, warmUp: 3, clip: 1, weightDecay: 0.01 },
      sampling: "random",
      stretch: 2,
      seed: 5,
    });
    await pointsOf(run);
    const [data, { loss }] = await Promise.all([run.values(), run.evaluate({ sequences: 8 })]);
    await run.dispose();
    assert.ok(isStored(`training ${type}`, [{ data }, { data: Float32Array.of(loss) }]));
  };
  await Promise.all(["fox", "rope"].map(trained));
});

test("questions are answered as by a training, while it is paused and after its end", async () => {
  const run = lab.train({ ...small, every: 40 });
  run.pause();
  assert.equal(run.state, "paused");
  const facts = await run.ready;
  const training = lab.training(small);
  for (const name of ["options", "words", "parameters"]) assert.deepEqual(facts[name], training[name]);
  const encodings = [undefined, { type: "alibi" }, (factor) => ({ type: "rope", scaling: { type: "linear", factor } })];
  async function compare() {
    const tokens = await run.encode("a A b B ?");
    assert.deepEqual(tokens, training.encode("a A b B ?"));
    assert.equal(await run.decode(tokens), "a A b B ?");
    assert.deepEqual(await run.evaluate({ n: 20, sequences: 3 }), training.evaluate({ n: 20, sequences: 3 }));
    assert.deepEqual(await run.evaluate(), training.evaluate());
    for (const encoding of encodings) {
      const options = { lengths: [6, 9, 24], sequences: 4, ...(encoding && { encoding }) };
      assert.deepEqual(await run.stretch(options), training.stretch(options));
    }
    assert.deepEqual(await run.attention(tokens), training.attention(tokens));
    assert.deepEqual(await run.generate(tokens, { count: 5 }), training.generate(tokens, { count: 5 }));
    assert.deepEqual(await run.values(), training.values());
  }
  await compare();
  run.resume();
  assert.equal(run.state, "training");
  await pointsOf(run);
  training.step(40);
  await compare();
  await assert.rejects(run.evaluate({ n: 0.5 }), { name: "RangeError", message: /^n: 0.5, expected a whole number/ });
  await assert.rejects(run.encode(5), { name: "TypeError", message: /^text: 5, expected a string/ });
  await assert.rejects(run.stretch({ lengths: 5 }), { name: "TypeError", message: /^lengths: 5, expected an array/ });
  const never = () => {};
  await assert.rejects(run.attention(never), {
    name: "TypeError",
    message: /^attention: .*, expected what can be sent/,
  });
  await run.dispose();
});

test("it answers while it trains; paused it makes no step; stopped it is as it was", async () => {
  const optimizer = { steps: 2 ** 20, batch: 2 };
  const run = lab.train({ ...small, task: { type: "back" }, optimizer, every: 20, lengths: [] });
  const lossOf = async () => (await run.evaluate({ sequences: 4 })).loss;
  const points = run[Symbol.asyncIterator]();
  /** Goes on until there are so many points more. */
  async function more(count) {
    const wanted = run.points.length + count;
    while (run.points.length < wanted) await points.next();
  }
  try {
    const losses = new Set();
    for (let i = 0; i < 4; ++i) {
      await more(2);
      losses.add(await lossOf());
    }
    assert.ok(losses.size > 1, "it trains on");
    run.pause();
    const paused = await lossOf();
    const { length } = run.points;
    assert.equal(await lossOf(), paused);
    assert.equal(run.points.length, length);
    run.resume();
    await more(2);
    run.stop();
    const seen = await pointsOf(run);
    assert.equal(run.state, "stopped");
    assert.ok(seen.length >= length + 2 && seen.at(-1).step < 2 ** 20);
    const stopped = await lossOf();
    assert.notEqual(stopped, paused);
    assert.equal(await lossOf(), stopped);
  } finally {
    run.stop();
  }
  run.resume();
  run.pause();
  assert.equal(run.state, "stopped");
  await run.dispose();
});

test("texts of one letter and of ten million", async () => {
  const one = lab.train({ ...small, task: { type: "text", longest: 8, text: "a".repeat(200) }, lengths: [8] });
  const points = await pointsOf(one);
  assert.equal(points.at(-1).tests[0].accuracy, 1);
  const [a] = await one.encode("a");
  assert.deepEqual(await one.generate([a], { count: 3 }), [a, a, a]);
  await one.dispose();
  const text = "The cat sat on the mat. ".repeat(416_667).slice(0, 10_000_000);
  const optimizer = { steps: 4, batch: 4 };
  const long = lab.train({ ...small, task: { type: "text", longest: 16, text }, optimizer, lengths: [16] });
  await pointsOf(long);
  const { options } = await long.ready;
  assert.equal(options.task.text, text);
  await long.dispose();
});

test("a process ends when its run has, whoever forgot to dispose of it", () => {
  const program = `import { load } from "posenc/lab";
    const run = (await load()).train(${JSON.stringify(small)});
    for await (const { step } of run) if (step === 40) console.log(step);`;
  const args = ["--input-type=module", "-e", program];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 });
  assert.deepEqual([status, stdout, stderr], [0, "40\n", ""]);
});
