// Fuzzed calls in several threads.
import { once } from "node:events";
import { Worker } from "node:worker_threads";

const file = new URL("fuzz-worker.mjs", import.meta.url);

/** One task in a thread; `onProgress` sees its figures now and then. */
async function oneThread(workerData, onProgress) {
  const worker = new Worker(file, { workerData });
  worker.on("message", ({ figures }) => onProgress(figures));
  const last = new Promise((resolve) => {
    worker.on("message", (message) => message.isOver && resolve(message));
  });
  const { figures, failure } = await Promise.race([
    last,
    once(worker, "error").then(([error]) => Promise.reject(error)),
    once(worker, "exit").then(([code]) => Promise.reject(new Error(`the thread ended with code ${code}`))),
  ]);
  await worker.terminate();
  return { ...figures, failure };
}

/** What several threads have counted, as one. */
export function together(all) {
  const sum = (key) => all.reduce((total, figures) => total + (figures[key] ?? 0), 0);
  return {
    calls: sum("calls"),
    refusals: sum("refusals"),
    reads: sum("reads"),
    functions: Math.max(0, ...all.map(({ functions = 0 }) => functions)),
    missing: all[0]?.missing ?? [],
    slowest: Math.max(0, ...all.map(({ slowest = 0 }) => slowest)),
    longest: all
      .map(({ longest = "" }) => longest)
      .reduce((one, other) => (other.length > one.length ? other : one), ""),
    failures: all.flatMap(({ failure }) => failure ?? []),
  };
}

/** A kind of fuzzed calls in `threads` threads at once, every other one without SIMD; gives what they have counted. */
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
