// Runs the JavaScript loops of a workload in a thread; scripts.mjs asks it.

import { workloads } from "./workloads.mjs";

const port =
  typeof globalThis.postMessage === "function" ? globalThis : (await import("node:worker_threads")).parentPort;
const loops = {};

const ANSWERS = {
  make(workload) {
    const { scripts } = workloads.find(({ name }) => name === workload);
    for (const [name, make] of Object.entries(scripts)) loops[name] = make();
    return Object.keys(loops);
  },
  results: (name) => loops[name].results?.(),
  time(name, repeats) {
    const { run } = loops[name];
    const start = performance.now();
    for (let i = 0; i < repeats; ++i) run();
    return (performance.now() - start) / repeats;
  },
};

const answer = ([question, ...given]) => port.postMessage(ANSWERS[question](...given));
if (port === globalThis) port.onmessage = ({ data }) => answer(data);
else port.on("message", answer);
