// A program waits for these before its first result: import, load and a first table, each time in a new process, against
// the same steps of an Embind module that does nothing.

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { bundle } from "../../bindings/package/bundle.mjs";
import { markedWasm } from "../../bindings/package/wasm.mjs";
import { build, root } from "../../bindings/setup/paths.mjs";
import { load as busy, machine, node } from "./machine.mjs";
import { print } from "./print.mjs";
import { resultOf } from "./results.mjs";
import { shuffled } from "./rounds.mjs";
import { FIRST_USE } from "./workloads.mjs";

const modules = join(build, "wasm", "tests", "bench");
const emptyModule = join(build, "bench", "empty.js");

const TABLE = "pe.sinusoidal({ length: 512, dim: 512 })";
const EMPTY = "empty Embind module";
const STARTERS = {
  posenc: { file: join(root, "dist", "index.js"), first: TABLE },
  "posenc/full": { file: join(root, "dist", "full.js"), first: TABLE },
  [EMPTY]: { file: emptyModule, first: "pe.nothing()" },
};

const program = ({ file, first }) => `
  const start = performance.now();
  const { load } = await import(${JSON.stringify(pathToFileURL(file).href)});
  const imported = performance.now();
  const pe = await load();
  const loaded = performance.now();
  ${first};
  const end = performance.now();
  console.log(JSON.stringify({
    total: end - start, import: imported - start, load: loaded - imported, first: end - loaded
  }));`;

const execute = promisify(execFile);

/** The milliseconds of each step in a new process. */
async function timed(starter) {
  const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", program(starter)]);
  return JSON.parse(stdout);
}

function makeEmpty() {
  mkdirSync(dirname(emptyModule), { recursive: true });
  return bundle({
    source: join(root, "tests", "bench", "empty.mjs"),
    folder: dirname(emptyModule),
    file: basename(emptyModule),
    glue: readFileSync(join(modules, "empty.mjs"), "utf8"),
    wasm: markedWasm(join(modules, "empty.wasm"), "empty"),
    mark: "empty",
    scalar: "scalar",
  });
}

const what = "import, load, first table 512 x 512 in a new process";
const goals = [
  { of: "posenc", against: EMPTY, measure: "cost", must: 2.5 },
  { of: "posenc/full", against: EMPTY, measure: "cost" },
];

export async function firstUse(rounds) {
  await makeEmpty();
  const times = {};
  for (let round = 0; round < rounds; ++round) {
    for (const [starter, how] of shuffled(Object.entries(STARTERS))) {
      const { total, ...steps } = await timed(how);
      times[starter] = [...(times[starter] ?? []), total];
      for (const [step, time] of Object.entries(steps)) {
        const row = `${starter}: ${step}`;
        times[row] = [...(times[row] ?? []), time];
      }
    }
  }
  const inOrder = Object.keys(STARTERS).flatMap((starter) => [
    starter,
    ...["import", "load", "first"].map((step) => `${starter}: ${step}`),
  ]);
  const sorted = Object.fromEntries(inOrder.map((row) => [row, times[row]]));
  return { ...resultOf({ name: FIRST_USE, limit: EMPTY, goals }, sorted), what };
}

export const main = (options) =>
  print([() => firstUse(options.rounds)], { ...options, where: `${machine}, ${node}${busy()}` });
