// npm run bench: the library through its public API, against the machine's limits and good JavaScript, in one process.

import { explain, SetupFailure } from "../../bindings/setup/failure.mjs";
import { FIRST_USE, firstUse } from "./first-use.mjs";
import { growth } from "./growth.mjs";
import { loadedModules } from "./modules.mjs";
import { benchOptions } from "./options.mjs";
import { heads, missedOf, rowsOf } from "./report.mjs";
import { machine } from "./rounds.mjs";
import { run, workloads } from "./workloads.mjs";

/** How far below its mark a guarded row may be: other programs disturb ratios by less than a third. */
const ROOM = 1.5;

/** A row that is too slow so often is not disturbed but slow. */
const TRIES = 4;

/** Ten rows that came within a third of their marks on each processor tried: a regression is seen when it lands. */
const GUARDED = [
  "table 2048 x 512",
  "RoPE half [256, 32, 128]",
  "decode half [1, 32, 128]",
  "linear [1024, 256] x [256, 256]",
  "softmax [1024, 1024]",
  "attention [8, 512, 64]",
  "attention, one query [32, 4096, 128]",
  "alibi [16, 1024, 1024]",
  "convertLayout",
  "add",
];

async function guard(asked, modules, rounds) {
  const slow = [];
  for (const workload of asked.filter(({ name }) => GUARDED.includes(name))) {
    let missed = [true];
    for (let attempt = 0; attempt < TRIES && missed.length > 0; ++attempt)
      missed = missedOf(await run(workload, modules, rounds, ROOM));
    console.log(`${workload.name}: ${missed.length === 0 ? "ok" : "TOO SLOW"}`);
    slow.push(...missed);
  }
  if (slow.length > 0) throw new SetupFailure(`A third below its mark, ${TRIES} times:\n${slow.join("\n")}`);
}

async function measure(asked, modules, rounds) {
  console.log(`Medians of ${rounds} shuffled rounds on ${machine()}:\n\n${heads}`);
  const [missed, failed] = [[], []];
  for (const workload of asked) {
    try {
      const result = workload.name === FIRST_USE ? await firstUse(rounds) : await run(workload, modules, rounds);
      console.log(rowsOf(result));
      missed.push(...missedOf(result));
    } catch (error) {
      failed.push(`${workload.name}: ${error.message}`);
    }
  }
  if (missed.length > 0) failed.push("Not reached, of what tests/bench/README.md states:", ...missed);
  if (failed.length > 0) throw new SetupFailure(failed.join("\n"));
}

try {
  const { rounds, only, guard: isGuard, growth: isGrowth } = benchOptions(process.argv.slice(2));
  const asked = [...workloads, { name: FIRST_USE }].filter(({ name }) => only.test(name));
  if (isGrowth) await growth();
  else await (isGuard ? guard : measure)(asked, await loadedModules(), rounds);
} catch (error) {
  console.error(explain(error));
  process.exitCode = error.exitCode ?? 1;
}
