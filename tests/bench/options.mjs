// The options of `npm run bench`.

import { parseArgs } from "node:util";
import { SetupFailure } from "../../bindings/setup/failure.mjs";
import { BIASED, DECODING } from "./peers/packages.mjs";
import { FIRST_USE, workloads } from "./workloads.mjs";

const KNOWN = {
  rounds: { type: "string", default: "25" },
  only: { type: "string", default: "" },
  json: { type: "boolean", default: false },
  markdown: { type: "boolean", default: false },
  peers: { type: "boolean", default: false },
  browser: { type: "boolean", default: false },
  guard: { type: "boolean", default: false },
  "first-use": { type: "boolean", default: false },
};

/** Modes that run something else than the workloads in Node. */
const MODES = ["peers", "browser", "first-use", "guard"];

export const USAGE = `npm run bench -- [options]
  --rounds N       shuffled rounds, each running everything once (${KNOWN.rounds.default})
  --only PATTERN   only the workloads whose name matches (a regular expression, in any case)
  --json           JSON alone
  --markdown       the table of tests/bench/README.md
  --peers          other libraries beside posenc; installs those from npm into build/bench-peers
  --browser        in Chromium: the workloads or, with --peers, these, but for the training step
  --guard          ten workloads, with a third of room: what test:all runs
  --first-use      import, load and first table in new processes

Ends with code 1 where a mark is not reached.`;

/** An option that cannot be used: the program ends with code 2. */
export class WrongOption extends SetupFailure {
  name = "WrongOption";
  exitCode = 2;
}

function parsed(args) {
  try {
    return parseArgs({ args, options: KNOWN }).values;
  } catch (error) {
    throw new WrongOption(`${error.message}\n${USAGE}`);
  }
}

/** Which workloads each mode has. */
const raced = workloads.map(({ name }) => name);
const NAMES = {
  workloads: [...raced, FIRST_USE],
  browser: raced,
  guard: raced,
  peers: [
    ...raced.filter((name) =>
      /^(table|RoPE (half|interleaved)|decode|(linear|softmax) \[1024|attention \[|training step, language)/.test(name),
    ),
    BIASED,
    DECODING,
  ],
};

function pattern(text, mode) {
  const names = NAMES[mode];
  if (names === undefined && text !== "") throw new WrongOption(`--only and --${mode}: expected one of them`);
  let only;
  try {
    only = new RegExp(text, "i");
  } catch {
    throw new WrongOption(`--only: ${text}, expected a regular expression`);
  }
  if (names === undefined || names.some((name) => only.test(name))) return only;
  throw new WrongOption(`--only: ${text}, expected to match one of\n${names.map((name) => `  ${name}`).join("\n")}`);
}

/** { mode, browser, rounds, only: RegExp, json, markdown } of a command line. */
export function benchOptions(args) {
  const values = parsed(args);
  const rounds = Number(values.rounds);
  if (!/^\d+$/.test(values.rounds) || rounds < 1 || rounds > 100_000) {
    throw new WrongOption(`--rounds: ${values.rounds}, expected a whole number from 1 to 100000`);
  }
  const { browser } = values;
  const modes = MODES.filter((mode) => values[mode] && !(mode === "browser" && values.peers));
  if (modes.length > 1) throw new WrongOption(`--${modes.join(" and --")}: expected one of them`);
  if (values.json && values.markdown) throw new WrongOption("--json and --markdown: expected one of them");
  const [mode = "workloads"] = modes;
  if (values.markdown && mode !== "workloads" && mode !== "browser") {
    throw new WrongOption(`--markdown and --${mode}: the table of tests/bench/README.md has the workloads alone`);
  }
  return { mode, browser, rounds, only: pattern(values.only, mode), json: values.json, markdown: values.markdown };
}
