// Results on standard output: each in words as soon as it is there, or all at the end as JSON or the table of
// tests/bench/README.md.

import { SetupFailure } from "../../bindings/setup/failure.mjs";
import { markdown, missedGoals, text } from "./report.mjs";

/**
 * Runs `tasks`, each of which gives a result, in order; failures are reported at the end, after all have run, and so are the
 * marks that were not reached: the program ends with code 1 then.
 */
export async function print(tasks, { where, rounds, json, markdown: asTable }) {
  const inWords = !json && !asTable;
  if (inWords) console.log(`${where}\nMedians of ${rounds} shuffled rounds, memory warmed; ratios round by round\n`);
  const [results, failed] = [[], []];
  for (const task of tasks) {
    try {
      results.push(await task());
    } catch (error) {
      failed.push(error.message);
      continue;
    }
    if (inWords) console.log(`${text(results.at(-1))}\n`);
  }
  if (json) console.log(JSON.stringify({ machine: where, rounds, results }, undefined, 2));
  if (asTable) console.log(`Medians of ${rounds} shuffled rounds on ${where}:\n\n${markdown(results)}`);
  const missed = missedGoals(results);
  if (missed.length > 0) {
    console.error(`Not reached, of what tests/bench/README.md states:\n${missed.join("\n")}`);
    process.exitCode = 1;
  }
  if (failed.length > 0) throw new SetupFailure(failed.join("\n"));
}
