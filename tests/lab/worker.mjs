// One training after another, as they come: { task, name, seed, text } in, its tests out.
import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { load } from "../../dist/lab.js";
import { ENCODINGS, STRETCHES, TASKS } from "./runs.mjs";

const lab = await load();

function run({ task: taskName, name, seed, text }) {
  const { isText, task, ...others } = TASKS[taskName];
  const { encoding, sampling, tested = {} } = ENCODINGS[name];
  const training = lab.training({ ...others, task: isText ? { ...task, text } : task, encoding, sampling, seed });
  try {
    const start = performance.now();
    training.step(training.options.optimizer.steps);
    const seconds = (performance.now() - start) / 1000;
    const { longest } = training.options.task;
    const test = (encodingOf) =>
      STRETCHES.map((factor) => {
        const result = training.evaluate({ n: factor * longest, encoding: encodingOf?.(factor) });
        return isText ? result.perplexity : 100 * result.accuracy;
      });
    const tests = { [name]: test() };
    for (const [other, encodingOf] of Object.entries(tested)) tests[other] = test(encodingOf);
    const { values } = training.checkpoint();
    const hash = createHash("sha256").update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    return { tests, seconds, operations: training.operations, hash: hash.digest("hex").slice(0, 16) };
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
