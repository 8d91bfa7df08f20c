// Runs the JavaScript loops of a workload in a thread; scripts.mjs asks it.

import { parentPort, workerData } from "node:worker_threads";
import { workloads } from "./workloads.mjs";

const { scripts } = workloads.find(({ name }) => name === workerData);
const loops = Object.fromEntries(Object.entries(scripts).map(([name, make]) => [name, make()]));

const ANSWERS = {
  results: (name) => loops[name].results?.(),
  time(name, repeats) {
    const { run } = loops[name];
    const start = performance.now();
    for (let i = 0; i < repeats; ++i) run();
    return (performance.now() - start) / repeats;
  },
};

parentPort.on("message", ([question, ...given]) => parentPort.postMessage(ANSWERS[question](...given)));
