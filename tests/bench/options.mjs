// The options of `npm run bench`.

import { parseArgs } from "node:util";
import { SetupFailure } from "../../bindings/setup/failure.mjs";

const KNOWN = {
  rounds: { type: "string", default: "25" },
  only: { type: "string", default: "" },
  guard: { type: "boolean", default: false },
  growth: { type: "boolean", default: false },
};

const USAGE = `npm run bench -- [options]
  --rounds N       shuffled rounds, each running everything once (${KNOWN.rounds.default})
  --only PATTERN   only the workloads whose name matches (a regular expression, in any case)
  --guard          ten workloads, with a third of room: what test:all runs
  --growth         time and memory by length, heads and dtype, in place of all these

Ends with code 1 where a mark is not reached.`;

/** { rounds, only: RegExp, guard, growth } of a command line. */
export function benchOptions(args) {
  try {
    const { rounds, only, ...ways } = parseArgs({ args, options: KNOWN }).values;
    if (!/^[1-9]\d{0,4}$/.test(rounds)) throw new RangeError(`--rounds: ${rounds}, expected a whole number from 1`);
    return { rounds: Number(rounds), only: new RegExp(only, "i"), ...ways };
  } catch (error) {
    throw Object.assign(new SetupFailure(`${error.message}\n${USAGE}`), { exitCode: 2 });
  }
}
