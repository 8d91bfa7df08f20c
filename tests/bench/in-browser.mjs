// The workloads in a page: window.bench(name, rounds) runs one of them.

import { load } from "posenc";
import { load as loadFull } from "posenc/full";
import { load as loadLab } from "posenc/lab";
import { grown, run, TEXT, workloads } from "./workloads.mjs";

const compiled = (path) => WebAssembly.compileStreaming(fetch(path));
const ofBench = (name) => compiled(`/build/wasm/tests/bench/${name}.wasm`);

const loading = Promise.all([
  load(),
  loadFull().then(grown),
  loadLab(),
  fetch(`/${TEXT}`).then((response) => response.text()),
  loadFull({ wasm: compiled("/dist/posenc-full-scalar.wasm"), shared: false }).then(grown),
  ofBench("yardsticks"),
  ofBench("kernels"),
]);

window.bench = async (name, rounds) => {
  const [pe, full, lab, text, scalar, yardsticks, kernels] = await loading;
  const workload = workloads.find((one) => one.name === name);
  return run(workload, { pe, full, lab, text, scalar, yardsticks, kernels }, rounds);
};
