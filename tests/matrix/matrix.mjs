// npm run test:matrix: every row, two at a time; prints a line for each and fails when one did not give what it should.
import { parseArgs } from "node:util";
import { explain, SetupFailure } from "../../bindings/setup/failure.mjs";
import { seconds } from "../../bindings/setup/steps.mjs";
import { packTarball } from "../packages.mjs";
import { launch } from "../page/browser.mjs";
import { rows } from "./rows.mjs";
import { runRow } from "./run-row.mjs";

const AT_ONCE = 2;

/** The rows that the command line asks for: --only PATTERN (a regular expression, in any case). */
function asked(args) {
  const { only } = parseArgs({ args, options: { only: { type: "string", default: "" } } }).values;
  const pattern = new RegExp(only, "i");
  const chosen = rows.filter((row) => pattern.test(`${row.name} ${row.entry ?? "posenc"}`));
  if (chosen.length > 0) return chosen;
  throw new SetupFailure(
    `--only: ${only}, expected to match one of\n${rows.map(({ name }) => `  ${name}`).join("\n")}`,
  );
}

/** Runs the rows; gives those that did not pass, whether they failed or could not be run. */
async function run(chosen, tools) {
  const failed = [];
  const waiting = [...chosen];
  let done = 0;
  async function work() {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const { state, version, ms, why } = await runRow(row, tools);
      const name = `${row.name}, ${row.entry ?? "posenc"}`;
      console.log(`${++done}/${chosen.length} ${name}, ${version}: ${state}, ${seconds(ms)}`);
      if (state !== "ok") failed.push(`${name}: ${state}: ${why}`);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failed;
}

async function main(args) {
  const chosen = asked(args);
  const [tarball, browser] = await Promise.all([packTarball(), launch()]);
  try {
    const failed = await run(chosen, { tarball, browser });
    if (failed.length > 0) throw new SetupFailure(`${failed.length} of ${chosen.length}:\n${failed.join("\n")}`);
  } finally {
    await browser.close();
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
