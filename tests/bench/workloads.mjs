// All workloads, in the report's order, and the one way to run them: in Node and in a browser.

import { resultOf } from "./results.mjs";
import { race } from "./rounds.mjs";
import { scriptsOf } from "./scripts.mjs";
import { attentions } from "./workloads/attention.mjs";
import { conversions } from "./workloads/conversions.mjs";
import { decode } from "./workloads/decode.mjs";
import { generation } from "./workloads/generation.mjs";
import { grids } from "./workloads/grid.mjs";
import { layersAndSums } from "./workloads/layers.mjs";
import { learned } from "./workloads/learned.mjs";
import { relatives } from "./workloads/relative.mjs";
import { rotations } from "./workloads/rotations.mjs";
import { tables } from "./workloads/tables.mjs";
import { trainings } from "./workloads/training.mjs";

/** A row of the report that is not measured within one process (first-use.mjs). */
export const FIRST_USE = "first use";

/**
 * A workload has a name, a description, the contestant that is the limit, its goals, and make(modules), which allocates
 * its memory and returns { contestants, missing, check, release }; `per` is how many units a contestant does in one call. `scripts` are loops in JavaScript, { name: make }, which make
 * { run, results }, and `check(name, results)` refuses what they give. `modules`: `pe`, `full` and `lab`, the
 * entries loaded, `scalar`, the full one without SIMD; `yardsticks` and `kernels`, compiled; `loops` on the memory of `full`; `text`, what a language
 * model learns.
 */
export const workloads = [
  ...tables,
  ...rotations,
  ...decode,
  ...generation,
  ...layersAndSums,
  ...attentions,
  ...relatives,
  ...learned,
  ...grids,
  ...conversions,
  ...trainings,
];

/** The text that a language model learns: a file of the project. */
export const TEXT = "web/public/opticks.txt";

/** A library whose memory has grown enough: a view that a row holds is then not lost in the middle of a call. */
export function grown(library) {
  library.buffer(1 << 25).dispose();
  return library;
}

/** A workload takes about so many milliseconds at most: slow ones have fewer rounds. */
const BUDGET = 3000;

export async function run(workload, modules, rounds) {
  const { contestants, missing = [], check, per = {}, release } = workload.make(modules);
  const { loops, end } = await scriptsOf(workload);
  try {
    for (const [name, { results }] of Object.entries(loops)) {
      const made = await results();
      if (made) check(name, made);
    }
    const times = await race({ ...contestants, ...loops }, rounds, { budget: BUDGET });
    for (const [name, units] of Object.entries(per)) times[name] = times[name].map((time) => time / units);
    return { ...resultOf({ ...workload, missing }, times), what: workload.what };
  } finally {
    end();
    await release?.();
  }
}
