// The workloads in this process.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "posenc";
import { load as loadFull } from "posenc/full";
import { firstUse } from "./first-use.mjs";
import { load as busy, machine, node } from "./machine.mjs";
import { markdown, text } from "./report.mjs";
import { run, workloads } from "./workloads.mjs";

const compiled = (name) => {
  const file = join(import.meta.dirname, "..", "..", "build", "wasm", "tests", "bench", `${name}.wasm`);
  return WebAssembly.compile(readFileSync(file));
};

export async function modulesInNode() {
  const [pe, full, limits, kernels] = await Promise.all([
    load(),
    loadFull(),
    compiled("limits"),
    compiled("kernels"),
  ]);
  return { pe, full, limits, kernels };
}

const raced = workloads.map((workload) => ({
  name: workload.name,
  result: (modules, rounds) => run(workload, modules, rounds),
}));

const all = [...raced, firstUse];

export async function main({ rounds, only, json, markdown: asTable }) {
  const wanted = all.filter(({ name }) => only.test(name));
  const modules = await modulesInNode();
  const where = `${machine}, ${node}${busy()}`;
  const isText = !json && !asTable;
  if (isText) console.log(`${where}\nMedians of ${rounds} shuffled rounds, memory warmed; ratios round by round\n`);
  const results = [];
  for (const { result } of wanted) {
    results.push(await result(modules, rounds));
    if (isText) console.log(`${text(results.at(-1))}\n`);
  }
  if (json) console.log(JSON.stringify({ machine: where, rounds, results }, undefined, 2));
  if (asTable) console.log(`Medians of ${rounds} shuffled rounds on ${where}:\n\n${markdown(results)}`);
}
