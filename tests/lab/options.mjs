// The options of `npm run lab`, checked before anything is built.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SetupFailure } from "../../bindings/setup/failure.mjs";
import { learnersOf, PUBLISHED, TASKS } from "./runs.mjs";

const tasks = Object.keys(TASKS);
/** The names of what can learn any of some tasks. */
const learners = (some) => [...new Set(some.flatMap((task) => Object.keys(learnersOf(task))))];

const USAGE = `npm run lab -- [options]
  --task NAME        ${tasks.join(", ")}; again for more; all by default
  --encoding NAME    ${learners(tasks).join("; ")}
  --seeds N          how many trainings of each, 3 by default
  --text FILE        the text of the task text, in UTF-8; web/public/opticks.txt by default
  --store            instead, those that the page shows, and writes them to web/src/training/results.json`;

/** The text that the page shows results of. */
const TEXT = fileURLToPath(new URL("../../web/public/opticks.txt", import.meta.url));

function chosen(names, known, option) {
  for (const name of names)
    if (!known.includes(name)) throw new SetupFailure(`--${option}: ${name}, expected one of ${known.join("; ")}`);
  return names;
}

function parsed(args) {
  const options = {
    task: { type: "string", multiple: true },
    encoding: { type: "string", multiple: true },
    seeds: { type: "string", default: "3" },
    text: { type: "string", default: TEXT },
    store: { type: "boolean", default: false },
  };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new SetupFailure(`${error.message}\n${USAGE}`);
  }
}

/** The options in the arguments; a wrong one is a SetupFailure that names what is right. */
export function labOptions(args) {
  const { task, encoding, text, store, ...values } = parsed(args);
  if (!existsSync(text)) throw new SetupFailure(`--text: ${text}, expected a file`);
  if (store && (task || encoding || text !== TEXT))
    throw new SetupFailure("--store: with --task, --encoding or --text, expected with --seeds alone");
  const seeds = Number(values.seeds);
  if (!(Number.isInteger(seeds) && seeds >= 1 && seeds <= 1000))
    throw new SetupFailure(`--seeds: ${values.seeds}, expected a whole number from 1 to 1000`);
  if (store) return { published: PUBLISHED, seeds, text, store };
  const asked = chosen(task ?? tasks, tasks, "task");
  const names = encoding && chosen(encoding, learners(asked), "encoding");
  // Where there are several tasks each has those of the names that can learn it.
  const published = asked.map((each) => [each, learners([each]).filter((name) => names?.includes(name) ?? true)]);
  return { published: Object.fromEntries(published.filter(([, all]) => all.length > 0)), seeds, text, store };
}
