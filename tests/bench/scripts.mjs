// JavaScript loops run in a thread of their own. Where the memory of WebAssembly has grown, V8 looks at every access of
// a typed array whether its buffer is still there: in the library's thread the loops would take up to twice as long.

import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The loops of a workload: { loops: { name: { timed(repeats), results() } }, end() }. */
export async function scriptsOf({ name, scripts = {} }) {
  const names = Object.keys(scripts);
  if (names.length === 0) return { loops: {}, end() {} };
  const worker = new Worker(new URL("./script-thread.mjs", import.meta.url), { workerData: name });
  const ask = async (...question) => {
    worker.postMessage(question);
    return (await once(worker, "message"))[0];
  };
  const loops = names.map((loop) => [
    loop,
    { timed: (repeats) => ask("time", loop, repeats), results: () => ask("results", loop) },
  ]);
  return { loops: Object.fromEntries(loops), end: () => worker.terminate() };
}
