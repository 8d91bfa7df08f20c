// One training after another, as they come: { task, name, seed, text, less } in, its losses and tests out.
import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { load } from "../../dist/lab.js";
import { ENCODINGS, POINTS, STRETCHES, TASKS } from "./runs.mjs";

const lab = await load();

function run({ task: taskName, name, seed, text, less = 1 }) {
  const { isText, task, optimizer, model } = TASKS[taskName];
  const { encoding, sampling, tested = {} } = ENCODINGS[name];
  const training = lab.training({
    task: isText ? { ...task, text } : task,
    encoding,
    model,
    optimizer: { ...optimizer, steps: optimizer.steps / less },
    sampling,
    seed,
  });
  try {
    const start = performance.now();
    const losses = Array.from({ length: POINTS }, () => training.step(training.options.optimizer.steps / POINTS).loss);
    const seconds = (performance.now() - start) / 1000;
    const { longest } = training.options.task;
    const test = (rule) =>
      STRETCHES.map((factor) => {
        const scaled = rule && { ...encoding, scaling: { type: rule, factor } };
        const { perplexity, accuracy } = training.evaluate({ n: factor * longest, encoding: scaled });
        return isText ? perplexity : accuracy;
      });
    const tests = { [name]: test() };
    for (const [other, rule] of Object.entries(tested)) tests[other] = test(rule);
    const { values } = training.checkpoint();
    const hash = createHash("sha256").update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    return {
      losses,
      tests,
      longest,
      seconds,
      operations: training.operations,
      hash: hash.digest("hex").slice(0, 16),
    };
  } finally {
    training.dispose();
  }
}

parentPort.on("message", (job) => {
  try {
    parentPort.postMessage({ job, ...run(job) });
  } catch (error) {
    parentPort.postMessage({ job, failure: error.message });
  }
});
