// The workloads in a page: window.bench(name, rounds) runs one of them.

import { load } from "posenc";
import { load as loadFull } from "posenc/full";
import { load as loadLab } from "posenc/lab";
import { loadedWithMemory, loopsIn } from "./memory.mjs";
import { grown, run, TEXT, workloads } from "./workloads.mjs";

const compiled = (path) => WebAssembly.compileStreaming(fetch(path));
const ofBench = (name) => compiled(`/build/wasm/tests/bench/${name}.wasm`);

const loading = loadedWithMemory(loadFull).then((full) =>
  Promise.all([
    full,
    load(),
    loadLab(),
    fetch(`/${TEXT}`).then((response) => response.text()),
    loadFull({ wasm: compiled("/dist/posenc-full-scalar.wasm"), shared: false }).then(grown),
    ofBench("yardsticks"),
    ofBench("rotations"),
    ofBench("kernels"),
  ]),
);

window.bench = async (name, rounds) => {
  const [{ library, memory }, pe, lab, text, scalar, yardsticks, rotations, kernels] = await loading;
  const workload = workloads.find((one) => one.name === name);
  const loops = loopsIn(memory, rotations);
  return run(workload, { pe, full: grown(library), lab, text, scalar, yardsticks, loops, kernels }, rounds);
};
