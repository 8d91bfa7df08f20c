// A program waits for these before its first result: import, load and a first table, each time in a new process, against
// the same steps of an Embind module that does nothing.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle } from "../../bindings/package/bundle.mjs";
import { markedWasm } from "../../bindings/package/wasm.mjs";
import { build, root } from "../../bindings/setup/paths.mjs";
import { resultOf } from "./report.mjs";
import { shuffled } from "./rounds.mjs";

export const FIRST_USE = "first use";

const modules = join(build, "wasm", "tests", "bench");
const emptyModule = join(build, "bench", "empty.js");

const TABLE = "pe.sinusoidal({ length: 512, dim: 512 })";
const EMPTY = "empty Embind module";
const STARTERS = {
  posenc: { file: join(root, "dist", "index.js"), first: TABLE },
  [EMPTY]: { file: emptyModule, first: "pe.nothing()" },
};

const program = ({ file, first }) => `
  const start = performance.now();
  const { load } = await import(${JSON.stringify(pathToFileURL(file).href)});
  const pe = await load();
  ${first};
  console.log(performance.now() - start);`;

const goals = [{ of: "posenc", against: EMPTY, measure: "cost", must: 2.5 }];

export async function firstUse(rounds) {
  mkdirSync(dirname(emptyModule), { recursive: true });
  await bundle({
    source: join(root, "tests", "bench", "empty.mjs"),
    folder: dirname(emptyModule),
    file: basename(emptyModule),
    glue: readFileSync(join(modules, "empty.mjs"), "utf8"),
    wasm: markedWasm(join(modules, "empty.wasm"), "empty"),
    mark: "empty",
    scalar: "scalar",
  });
  const times = Object.fromEntries(Object.keys(STARTERS).map((starter) => [starter, []]));
  for (let round = 0; round < rounds; ++round)
    for (const [starter, how] of shuffled(Object.entries(STARTERS)))
      times[starter].push(Number(execFileSync(process.execPath, ["--input-type=module", "-e", program(how)])));
  return resultOf({ name: FIRST_USE, goals }, times);
}
