// `npm run lab`: repeats the trainings of runs.mjs and prints how far each encoding carries, with what it cost.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { load } from "../../dist/lab.js";
import { labOptions } from "./options.mjs";
import { ENCODINGS, STRETCHES, TASKS } from "./runs.mjs";

const lab = await load();
const { tasks, encodings, seeds, text: path } = labOptions(process.argv.slice(2));
const text = readFileSync(path, "utf8");
const jobs = tasks.flatMap((task) =>
  encodings.flatMap((name) => Array.from({ length: seeds }, (_, i) => ({ task, name, seed: i + 1 }))),
);
const results = [];

/** What came of one training: its tests by the names of encodings, and what it cost. */
async function trained({ task: taskName, name, seed }) {
  const { isText, task, optimizer, ...others } = TASKS[taskName];
  const { encoding, sampling, optimizer: own, tested = {} } = ENCODINGS[name];
  const run = lab.train({
    ...others,
    task: isText ? { ...task, text } : task,
    encoding,
    sampling,
    seed,
    optimizer: { ...optimizer, ...own },
    every: optimizer.steps,
    lengths: [],
  });
  try {
    for await (const _ of run); // to its end
    const { options } = await run.ready;
    const lengths = STRETCHES.map((factor) => factor * options.task.longest);
    const tests = {};
    for (const [other, encodingOf] of [[name], ...Object.entries(tested)]) {
      const made = await run.stretch(encodingOf ? { lengths, encoding: encodingOf } : { lengths });
      tests[other] = made.map(({ perplexity, accuracy }) => (isText ? perplexity : 100 * accuracy));
    }
    const { seconds, operations } = run.points.at(-1);
    const hash = createHash("sha256").update(new Uint8Array((await run.values()).buffer));
    return { tests, seconds, operations, hash: hash.digest("hex").slice(0, 16) };
  } finally {
    await run.dispose();
  }
}

/** Makes one training after the other until there are none. */
async function work(waiting) {
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    const { task, name, seed } = job;
    const result = await trained(job).catch((cause) => {
      throw new Error(`${task}, ${name}, seed ${seed}: ${cause.message}`, { cause });
    });
    results.push({ job, ...result });
    const figures = `${(result.operations / 1e9).toFixed(0)} GFLOP, ${result.seconds.toFixed(1)} s, ${result.hash}`;
    console.error(`${results.length}/${jobs.length} ${task}, ${name}, seed ${seed}: ${figures}`);
  }
}

const waiting = [...jobs];
await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, () => work(waiting)));

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values) =>
  values.length < 2 ? 0 : Math.sqrt(values.reduce((sum, x) => sum + (x - mean(values)) ** 2, 0) / (values.length - 1));

/** One row for an encoding as it was trained, or as it was tested besides. */
function row(name, trained, isText) {
  const digits = isText ? 1 : 0;
  const cells = STRETCHES.map((_, at) => trained.map(({ tests }) => tests[name][at]));
  const largest = Math.max(...cells.map(deviation));
  const shown = cells.map((values) => mean(values).toFixed(digits));
  const gflop = (mean(trained.map(({ operations }) => operations)) / 1e9).toFixed(0);
  const seconds = mean(trained.map(({ seconds }) => seconds)).toFixed(1);
  const ordered = trained.toSorted((a, b) => a.job.seed - b.job.seed);
  return `| ${[name, ...shown, largest.toFixed(digits), gflop, seconds, ordered.map(({ hash }) => hash).join(" ")].join(" | ")} |`;
}

for (const task of tasks) {
  const { isText } = TASKS[task];
  const what = isText ? "perplexity" : "accuracy in %";
  console.log(
    `\n${task}: ${what} at ${STRETCHES.join(", ")} times the longest length trained on, seeds 1 to ${seeds}\n`,
  );
  console.log(
    `| encoding | ${STRETCHES.map((factor) => `${factor}x`).join(" | ")} | largest s.d. | GFLOP | s | parameters |`,
  );
  console.log(`|${" --- |".repeat(STRETCHES.length + 5)}`);
  for (const name of encodings) {
    const trained = results.filter(({ job }) => job.task === task && job.name === name);
    for (const tested of Object.keys(trained[0].tests)) console.log(row(tested, trained, isText));
  }
}
