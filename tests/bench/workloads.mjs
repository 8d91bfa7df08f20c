// All workloads, in the report's order.

import { resultOf } from "./report.mjs";
import { race } from "./rounds.mjs";
import { scriptsOf } from "./scripts.mjs";
import { attentions } from "./workloads/attention.mjs";
import { conversions } from "./workloads/conversions.mjs";
import { decode } from "./workloads/decode.mjs";
import { grids } from "./workloads/grid.mjs";
import { layersAndSums } from "./workloads/layers.mjs";
import { learned } from "./workloads/learned.mjs";
import { relatives } from "./workloads/relative.mjs";
import { rotations } from "./workloads/rotations.mjs";
import { tables } from "./workloads/tables.mjs";

/**
 * A workload has a name, its goals, and make(modules), which allocates its memory and returns { contestants, check,
 * release }; `per` is how many units contestants do in one call. `scripts` are loops in JavaScript, { name: make }, which
 * make { run, results }, and `check(name, results)` refuses what they give.
 */
export const workloads = [
  ...tables,
  ...rotations,
  ...decode,
  ...layersAndSums,
  ...attentions,
  ...relatives,
  ...learned,
  ...grids,
  ...conversions,
];

/** What races in a workload, when all has given the same; end() releases its memory. */
export async function contestantsOf(workload, modules) {
  const { contestants, check, release } = workload.make(modules);
  const { loops, end } = await scriptsOf(workload);
  try {
    for (const [name, { results }] of Object.entries(loops)) {
      const made = await results();
      if (made) check(name, made);
    }
  } catch (error) {
    end();
    throw error;
  }
  return {
    contestants: { ...contestants, ...loops },
    end() {
      end();
      release?.();
    },
  };
}

/** Races a workload; with `room` its goals are judged that much less strictly. */
export async function run(workload, modules, rounds, room) {
  const { contestants, end } = await contestantsOf(workload, modules);
  const times = await race(contestants, rounds);
  end();
  for (const [name, units] of Object.entries(workload.per ?? {})) times[name] = times[name].map((time) => time / units);
  return resultOf(workload, times, room);
}
