// `npm run lab`: repeats the trainings of runs.mjs and prints how far each encoding carries, with what it cost; with
// `--store` it also writes those that the page shows.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { load } from "../../dist/lab.js";
import { labOptions } from "./options.mjs";
import { LESS, learnersOf, POINTS, STRETCHES, TASKS } from "./runs.mjs";
import { store } from "./store.mjs";

const lab = await load();
const { published, seeds, text: path, store: isStored } = labOptions(process.argv.slice(2));
const text = readFileSync(path, "utf8");
const jobs = Object.entries(published).flatMap(([task, names]) =>
  names.flatMap((name) => [
    ...Array.from({ length: seeds }, (_, i) => ({ task, name, seed: i + 1 })),
    ...(isStored ? [{ task, name, seed: 1, less: LESS }] : []),
  ]),
);
const results = [];

/** Trains once: its losses, its tests by the names of encodings, and its cost. */
async function trained({ task: taskName, name, seed, less = 1 }) {
  const { isText, task, model, optimizer, stretches = STRETCHES } = TASKS[taskName];
  const { encoding, sampling, model: shape, optimizer: own, tested = {} } = learnersOf(taskName)[name];
  const steps = optimizer.steps / less;
  const run = lab.train({
    task: isText ? { ...task, text } : task,
    encoding,
    model: { ...model, ...shape },
    optimizer: { ...optimizer, ...own, steps },
    sampling,
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
      const scaled = type && ((factor) => ({ ...encoding, scaling: { type, factor } }));
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
const deviation = (values) =>
  values.length < 2 ? 0 : Math.sqrt(values.reduce((sum, x) => sum + (x - mean(values)) ** 2, 0) / (values.length - 1));

/** The row of a trained encoding, or of a further rule that it was tested with. */
function row(name, trained, { isText, stretches = STRETCHES }) {
  const digits = isText ? 1 : 0;
  const cells = stretches.map((_, at) => trained.map(({ tests }) => tests[name][at] * (isText ? 1 : 100)));
  const largest = Math.max(...cells.map(deviation));
  const shown = cells.map((values) => mean(values).toFixed(digits));
  const gflop = (mean(trained.map(({ operations }) => operations)) / 1e9).toFixed(0);
  const seconds = mean(trained.map(({ seconds }) => seconds)).toFixed(1);
  const ordered = trained.toSorted((a, b) => a.job.seed - b.job.seed);
  return `| ${[name, ...shown, largest.toFixed(digits), gflop, seconds, ordered.map(({ hash }) => hash).join(" ")].join(" | ")} |`;
}

for (const [task, encodings] of Object.entries(published)) {
  const { isText, stretches = STRETCHES } = TASKS[task];
  const what = isText ? "perplexity" : "accuracy in %";
  console.log(
    `\n${task}: ${what} at ${stretches.join(", ")} times the longest length trained on, seeds 1 to ${seeds}\n`,
  );
  console.log(
    `| encoding | ${stretches.map((factor) => `${factor}x`).join(" | ")} | largest s.d. | GFLOP | s | parameters |`,
  );
  console.log(`|${" --- |".repeat(stretches.length + 5)}`);
  for (const name of encodings) {
    const trained = results.filter(({ job }) => job.task === task && job.name === name && !job.less);
    for (const tested of Object.keys(trained[0].tests)) console.log(row(tested, trained, TASKS[task]));
  }
}

if (isStored) console.error(store(published, text, results));
