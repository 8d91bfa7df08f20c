// `npm run lab`: repeats the trainings of runs.mjs and prints how far each encoding carries, with what it cost; with
// `--store` it also writes those that the page shows.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { labOptions } from "./options.mjs";
import { LESS, STRETCHES, TASKS } from "./runs.mjs";
import { store } from "./store.mjs";

const { published, seeds, text: path, store: isStored } = labOptions(process.argv.slice(2));
const text = readFileSync(path, "utf8");
const jobs = Object.entries(published).flatMap(([task, names]) =>
  names.flatMap((name) => [
    ...Array.from({ length: seeds }, (_, i) => ({ task, name, seed: i + 1, text })),
    ...(isStored ? [{ task, name, seed: 1, text, less: LESS }] : []),
  ]),
);
const results = [];

/** Gives a worker one job after the other until there are none. */
function work(waiting) {
  const worker = new Worker(new URL("./worker.mjs", import.meta.url));
  return new Promise((resolve, reject) => {
    const next = () => {
      const job = waiting.shift();
      if (job) worker.postMessage(job);
      else worker.terminate().then(resolve, reject);
    };
    worker.on("error", reject);
    worker.on("message", ({ failure, ...result }) => {
      const { task, name, seed, less } = result.job;
      const what = `${task}, ${name}, seed ${seed}${less ? ", short" : ""}`;
      if (failure) return reject(new Error(`${what}: ${failure}`));
      results.push(result);
      const figures = `${(result.operations / 1e9).toFixed(0)} GFLOP, ${result.seconds.toFixed(1)} s, ${result.hash}`;
      console.error(`${results.length}/${jobs.length} ${what}: ${figures}`);
      next();
    });
    next();
  });
}

const waiting = [...jobs];
await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, () => work(waiting)));

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values) =>
  values.length < 2 ? 0 : Math.sqrt(values.reduce((sum, x) => sum + (x - mean(values)) ** 2, 0) / (values.length - 1));

/** One row for an encoding as it was trained, or as it was tested besides. */
function row(name, trained, isText) {
  const digits = isText ? 1 : 0;
  const cells = STRETCHES.map((_, at) => trained.map(({ tests }) => tests[name][at] * (isText ? 1 : 100)));
  const largest = Math.max(...cells.map(deviation));
  const shown = cells.map((values) => mean(values).toFixed(digits));
  const gflop = (mean(trained.map(({ operations }) => operations)) / 1e9).toFixed(0);
  const seconds = mean(trained.map(({ seconds }) => seconds)).toFixed(1);
  const ordered = trained.toSorted((a, b) => a.job.seed - b.job.seed);
  return `| ${[name, ...shown, largest.toFixed(digits), gflop, seconds, ordered.map(({ hash }) => hash).join(" ")].join(" | ")} |`;
}

for (const [task, encodings] of Object.entries(published)) {
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
    const trained = results.filter(({ job }) => job.task === task && job.name === name && !job.less);
    for (const tested of Object.keys(trained[0].tests)) console.log(row(tested, trained, isText));
  }
}

if (isStored) console.error(store(published, text, results));
