// The workloads in a page: window.bench(name, rounds) runs one of them.

import { load } from "posenc";
import { load as loadFull } from "posenc/full";
import { run, workloads } from "./workloads.mjs";

const compiled = (name) => WebAssembly.compileStreaming(fetch(`/build/wasm/tests/bench/${name}.wasm`));

const loading = Promise.all([load(), loadFull(), compiled("limits"), compiled("kernels")]);

window.bench = async (name, rounds) => {
  const [pe, full, limits, kernels] = await loading;
  const workload = workloads.find((one) => one.name === name);
  return run(workload, { pe, full, limits, kernels }, rounds);
};
