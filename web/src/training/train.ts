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

let count = 0;

/** Starts one. It fails when its worker ends, whether the browser, the system or a reader has ended it. */
export async function train(options: TrainOptions): Promise<TrainingRun> {
  const lab = await loaded();
  // Of this page's alone: locks are shared by all pages of an origin.
  const name = `training ${performance.timeOrigin} ${++count}`;
  const gone = new AbortController();
  const worker = () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name });
  const run = lab.train({ ...options, worker, signal: gone.signal });
  run.ready.then(
    () => navigator.locks?.request(name, () => gone.abort(new Error("the worker has ended"))),
    () => {}, // whoever goes through its points is told
  );
  return run;
}
