// `npm run lab`: repeats the trainings whose results the page has stored, and prints how far each encoding carries; with
// `--store` it also writes them.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { load } from "../../dist/lab.js";
import { labOptions } from "./options.mjs";
import { LESS, POINTS, TASKS } from "./runs.mjs";
import { store } from "./store.mjs";

const lab = await load();
const { tasks, seeds, store: isStored } = labOptions(process.argv.slice(2));
const text = readFileSync(new URL("../../web/public/opticks.txt", import.meta.url), "utf8");
const jobs = tasks.flatMap((task) =>
  Object.keys(TASKS[task].learners).flatMap((name) => [
    ...Array.from({ length: seeds }, (_, i) => ({ task, name, seed: i + 1 })),
    ...(isStored ? [{ task, name, seed: 1, less: LESS }] : []),
  ]),
);
const results = [];

/** Trains once: its losses, its tests by the names of encodings, and its cost. */
async function trained({ task: taskName, name, seed, less = 1 }) {
  const { isText, task, model, optimizer, stretches, learners } = TASKS[taskName];
  const { encoding, model: shape, tested = {} } = learners[name];
  const steps = optimizer.steps / less;
  const run = lab.train({
    task: isText ? { ...task, text } : task,
    encoding,
    model: { ...model, ...shape },
    optimizer: { ...optimizer, steps },
    seed,
    every: steps / POINTS,
    lengths: [],
  });
  try {
    for await (const _ of run); // to its end
    const { longest } = (await run.ready).options.task;
    const lengths = stretches.map((factor) => factor * longest);
    const tests = {};
    for (const [other, type] of [[name], ...Object.entries(tested)]) {
      const scaled =
        type &&
        ((factor) => ({ ...encoding, scaling: { type, factor, ...(type === "yarn" && { originalLength: longest }) } }));
      const made = await run.stretch(scaled ? { lengths, encoding: scaled } : { lengths });
      tests[other] = made.map(({ perplexity, accuracy }) => (isText ? perplexity : accuracy));
    }
    const [, ...points] = run.points;
    const { seconds, operations } = points.at(-1);
    const hash = createHash("sha256").update(new Uint8Array((await run.values()).buffer));
    const losses = points.map(({ loss }) => loss);
    return { losses, tests, longest, seconds, operations, hash: hash.digest("hex").slice(0, 16) };
  } finally {
    await run.dispose();
  }
}

/** Makes one training after the other until there are none. */
async function work(waiting) {
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    const { task, name, seed, less } = job;
    const what = `${task}, ${name}, seed ${seed}${less ? ", short" : ""}`;
    const result = await trained(job).catch((cause) => {
      throw new Error(`${what}: ${cause.message}`, { cause });
    });
    results.push({ job, ...result });
    const figures = `${(result.operations / 1e9).toFixed(0)} GFLOP, ${result.seconds.toFixed(1)} s, ${result.hash}`;
    console.error(`${results.length}/${jobs.length} ${what}: ${figures}`);
  }
}

const waiting = [...jobs];
await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, () => work(waiting)));

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The means over seeds of a trained encoding, or of a further rule that it was tested with. */
function row(name, trained, { isText, stretches }) {
  const by = isText ? 1 : 100;
  const cells = stretches.map((_, at) =>
    (by * mean(trained.map(({ tests }) => tests[name][at]))).toFixed(isText ? 1 : 0),
  );
  const hashes = trained.toSorted((a, b) => a.job.seed - b.job.seed).map(({ hash }) => hash);
  return `| ${[name, ...cells, hashes.join(" ")].join(" | ")} |`;
}

for (const name of tasks) {
  const task = TASKS[name];
  const what = task.isText ? "perplexity" : "accuracy in %";
  console.log(`\n${name}: ${what} by times the longest length trained on, seeds 1 to ${seeds}\n`);
  console.log(`| encoding | ${task.stretches.map((factor) => `${factor}x`).join(" | ")} | parameters |`);
  console.log(`|${" --- |".repeat(task.stretches.length + 2)}`);
  for (const learner of Object.keys(task.learners)) {
    const trained = results.filter(({ job }) => job.task === name && job.name === learner && !job.less);
    for (const tested of Object.keys(trained[0].tests)) console.log(row(tested, trained, task));
  }
}

if (isStored) console.error(store(text, results));
