import type { PosencLab, TrainingRun, TrainOptions } from "posenc/lab";

/** Trainings in workers, of which it is known when they end. */

let library: Promise<PosencLab> | undefined;

/** The library; fetched when first needed, and again if that failed. */
function loaded(): Promise<PosencLab> {
  library ??= import("./library").then(
    ({ load }) => load(),
    (error) => {
      library = undefined;
      throw error;
    },
  );
  return library;
}

/** The error of a worker that has ended, with the library's code for it. */
const ended = () =>
  Object.assign(new Error("worker: it has ended, expected one that goes on"), { code: "worker", parameters: {} });

/** Starts a worker and waits until it has its lock (worker.ts): asked for earlier, the page might get it first. */
async function startedWorker(name: string): Promise<Worker> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name });
  await new Promise((hasLock, fail) => {
    worker.addEventListener("message", hasLock, { once: true });
    worker.addEventListener("error", () => fail(ended()), { once: true });
  });
  return worker;
}

let count = 0;

/** Starts one. It fails when its worker ends, whether the browser, the system or a reader has ended it. */
export async function train(options: TrainOptions): Promise<TrainingRun> {
  const lab = await loaded();
  // The name is this page's alone: locks are shared by all pages of an origin.
  const name = `training ${performance.timeOrigin} ${++count}`;
  const worker = await startedWorker(name);
  const workerEnded = new AbortController();
  navigator.locks?.request(name, () => workerEnded.abort(ended()));
  return lab.train({ ...options, worker, signal: workerEnded.signal });
}
