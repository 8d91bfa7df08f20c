// The options of `npm run lab`, checked before anything is built.
import { parseArgs } from "node:util";
import { SetupFailure } from "../../bindings/setup/failure.mjs";
import { TASKS } from "./runs.mjs";

const names = Object.keys(TASKS);
const USAGE = `npm run lab -- [options]
  --task NAME   ${names.join(", ")}; again for more; all by default
  --seeds N     how many trainings of each, 3 by default
  --store       writes the results to web/src/training/results.json, for the page`;

const options = {
  task: { type: "string", multiple: true, default: names },
  seeds: { type: "string", default: "3" },
  store: { type: "boolean", default: false },
};

/** The options in the arguments; a wrong one is a SetupFailure that names what is right. */
export function labOptions(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options }));
  } catch (error) {
    throw new SetupFailure(`${error.message}\n${USAGE}`);
  }
  const { task: tasks, seeds, store } = values;
  const unknown = tasks.find((name) => !names.includes(name));
  if (unknown) throw new SetupFailure(`--task: ${unknown}, expected one of ${names.join(", ")}`);
  if (!/^[1-9]\d{0,2}$/.test(seeds)) throw new SetupFailure(`--seeds: ${seeds}, expected a whole number from 1 to 999`);
  if (store && tasks.length < names.length) throw new SetupFailure("--store: with --task, expected with all tasks");
  return { tasks, seeds: Number(seeds), store };
}
