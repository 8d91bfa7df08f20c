// JavaScript loops run in a thread of their own. Where the memory of WebAssembly has grown, V8 looks at every access of
// a typed array whether its buffer is still there: in the library's thread the loops would take up to twice as long.

/** Starts a thread, in Node or in a page: gives { ask(question, ...given): its answer, end() }. */
async function thread() {
  const url = new URL("./script-thread.mjs", import.meta.url);
  const isPage = typeof Worker === "function";
  const worker = isPage ? new Worker(url, { type: "module" }) : new (await import("node:worker_threads")).Worker(url);
  let waiting;
  const listen = isPage
    ? (kind, use) => worker.addEventListener(kind, ({ data, message }) => use(data ?? message))
    : (kind, use) => worker.on(kind, use);
  listen("message", (answer) => waiting.resolve(answer));
  listen("error", (error) => waiting.reject(error));
  return {
    ask: (...question) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        worker.postMessage(question);
      }),
    end: () => worker.terminate(),
  };
}

/** The loops of a workload: { loops: { name: { timed(repeats), results() } }, end() }. */
export async function scriptsOf({ name, scripts = {} }) {
  if (Object.keys(scripts).length === 0) return { loops: {}, end() {} };
  const { ask, end } = await thread();
  const names = await ask("make", name);
  const loops = names.map((loop) => [
    loop,
    { timed: (repeats) => ask("time", loop, repeats), results: () => ask("results", loop) },
  ]);
  return { loops: Object.fromEntries(loops), end };
}
