// The options of `npm run lab`, checked before anything is built.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SetupFailure } from "../../bindings/setup/failure.mjs";
import { ENCODINGS, TASKS } from "./runs.mjs";

const USAGE = `npm run lab -- [options]
  --task NAME        ${Object.keys(TASKS).join(", ")}; again for more; all by default
  --encoding NAME    ${Object.keys(ENCODINGS).join("; ")}
  --seeds N          how many trainings of each, 3 by default
  --text FILE        what the task text reads, in UTF-8; Newton's Opticks by default, as the page has it`;

const opticks = fileURLToPath(new URL("../../web/public/opticks.txt", import.meta.url));

function chosen(names, known, option) {
  for (const name of names)
    if (!Object.hasOwn(known, name))
      throw new SetupFailure(`--${option}: ${name}, expected one of ${Object.keys(known).join("; ")}`);
  return names;
}

function parsed(args) {
  const options = {
    task: { type: "string", multiple: true },
    encoding: { type: "string", multiple: true },
    seeds: { type: "string", default: "3" },
    text: { type: "string", default: opticks },
  };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new SetupFailure(`${error.message}\n${USAGE}`);
  }
}

/** What the arguments ask for; a wrong one is a SetupFailure that says what is right. */
export function labOptions(args) {
  const values = parsed(args);
  const { text } = values;
  if (!existsSync(text)) throw new SetupFailure(`--text: ${text}, expected a file`);
  const tasks = chosen(values.task ?? Object.keys(TASKS), TASKS, "task");
  const seeds = Number(values.seeds);
  if (!(Number.isInteger(seeds) && seeds >= 1 && seeds <= 1000))
    throw new SetupFailure(`--seeds: ${values.seeds}, expected a whole number from 1 to 1000`);
  return { tasks, encodings: chosen(values.encoding ?? Object.keys(ENCODINGS), ENCODINGS, "encoding"), seeds, text };
}
