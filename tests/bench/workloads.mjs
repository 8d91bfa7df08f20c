// All workloads, in the report's order, and the one way to run them: in Node and in a browser.

import { resultOf } from "./results.mjs";
import { race } from "./rounds.mjs";
import { biases } from "./workloads/biases.mjs";
import { decode } from "./workloads/decode.mjs";
import { rotations } from "./workloads/rotations.mjs";
import { tables } from "./workloads/tables.mjs";

/** A row of the report that is not measured within one process (first-use.mjs). */
export const FIRST_USE = "first use";

/**
 * A workload has a name, a description, the contestant that is the limit, its goals, and make(modules), which allocates
 * its memory and returns { contestants, missing }; `per` says how many units a contestant does in one call. `modules`:
 * `pe` and `full`, the two entries loaded; `limits` and `kernels`, compiled.
 */
export const workloads = [...tables, ...rotations, ...decode, ...biases];

export async function run(workload, modules, rounds) {
  const { contestants, missing = [], per = {} } = workload.make(modules);
  const times = await race(contestants, rounds);
  for (const [name, units] of Object.entries(per)) times[name] = times[name].map((time) => time / units);
  return { ...resultOf({ ...workload, missing }, times), what: workload.what };
}
