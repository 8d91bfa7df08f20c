// The workloads in this process.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "posenc";
import { load as loadFull } from "posenc/full";
import { load as loadLab } from "posenc/lab";
import { build, root } from "../../bindings/setup/paths.mjs";
import { firstUse } from "./first-use.mjs";
import { load as busy, machine, node } from "./machine.mjs";
import { loadedWithMemory, loopsIn } from "./memory.mjs";
import { print } from "./print.mjs";
import { FIRST_USE, grown, run, TEXT, workloads } from "./workloads.mjs";

const compiled = (...path) => WebAssembly.compile(readFileSync(join(...path)));
const ofBench = (name) => compiled(build, "wasm", "tests", "bench", `${name}.wasm`);

export async function modulesInNode() {
  const { library: full, memory } = await loadedWithMemory(loadFull);
  const [pe, lab, scalar, yardsticks, rotations, kernels] = await Promise.all([
    load(),
    loadLab(),
    loadFull({ wasm: await compiled(root, "dist", "posenc-full-scalar.wasm"), shared: false }),
    ofBench("yardsticks"),
    ofBench("rotations"),
    ofBench("kernels"),
  ]);
  const text = readFileSync(join(root, TEXT), "utf8");
  const loops = loopsIn(memory, rotations);
  return { pe, full: grown(full), lab, text, scalar: grown(scalar), yardsticks, loops, kernels };
}

export async function main(options) {
  const modules = await modulesInNode();
  const raced = workloads.map((workload) => ({
    name: workload.name,
    run: () => run(workload, modules, options.rounds),
  }));
  const all = [...raced, { name: FIRST_USE, run: () => firstUse(options.rounds) }];
  const tasks = all.filter(({ name }) => options.only.test(name)).map((task) => task.run);
  await print(tasks, { ...options, where: `${machine}, ${node}${busy()}` });
}
