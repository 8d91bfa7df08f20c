// Fuzzed calls in several threads.
import { Worker } from "node:worker_threads";

const file = new URL("fuzz-worker.mjs", import.meta.url);

/** A thread that has reported nothing for so long, even on a busy machine, is in a call that does not end. */
const patience = 5 * 60 * 1000;

/** One task in a thread; `onProgress` sees its figures now and then. */
async function oneThread(workerData, onProgress) {
  const worker = new Worker(file, { workerData });
  let seen = {};
  const { figures, failure } = await new Promise((resolve, reject) => {
    const endless = () => resolve({ figures: seen, failure: `no end: ${seen.doing}` });
    const timer = setTimeout(endless, patience);
    worker.on("message", (message) => {
      timer.refresh();
      seen = message.figures;
      if (message.isOver) resolve(message);
      else onProgress(seen);
    });
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread ended with code ${code}`)));
    worker.once("exit", () => clearTimeout(timer));
  });
  await worker.terminate();
  return { ...figures, failure };
}

/** Adds up the counts of several threads. */
export function together(all) {
  const sum = (key) => all.reduce((total, figures) => total + (figures[key] ?? 0), 0);
  return {
    calls: sum("calls"),
    refusals: sum("refusals"),
    reads: sum("reads"),
    functions: Math.max(0, ...all.map(({ functions = 0 }) => functions)),
    missing: all[0]?.missing ?? [],
    slowest: all.reduce((one, { slowest }) => (slowest?.time > one.time ? slowest : one), { time: 0, name: "none" }),
    longest: all
      .map(({ longest = "" }) => longest)
      .reduce((one, other) => (other.length > one.length ? other : one), ""),
    failures: all.flatMap(({ failure }) => failure ?? []),
  };
}

/** Runs a kind of fuzzed calls in `threads` threads, every other one without SIMD; resolves to their counts. */
export async function inThreads(kind, threads, task, onProgress = () => {}) {
  const now = Array.from({ length: threads }, () => ({}));
  const ended = await Promise.all(
    now.map((_, thread) =>
      oneThread({ kind, thread, threads, isScalar: thread % 2 === 1, ...task }, (figures) => {
        now[thread] = figures;
        onProgress(together(now));
      }),
    ),
  );
  return together(ended);
}
