// npm run test:matrix: every row, two at a time; prints the table and fails when a row did not give what it should.
import { parseArgs } from "node:util";
import { explain, SetupFailure } from "../../bindings/setup/failure.mjs";
import { packTarball } from "../../bindings/setup/node-modules.mjs";
import { seconds } from "../../bindings/setup/steps.mjs";
import { launch } from "../page/browser.mjs";
import { rows } from "./rows.mjs";
import { runRow } from "./run-row.mjs";
import { summary, table } from "./table.mjs";

const AT_ONCE = 2;

/** The rows that the command line asks for: --only PATTERN (a regular expression, in any case). */
export function asked(args) {
  const { only, fast } = parseArgs({
    args,
    options: { only: { type: "string", default: "" }, fast: { type: "boolean" } },
  }).values;
  const pattern = new RegExp(only, "i");
  const chosen = rows.filter((row) => pattern.test(`${row.name} ${row.entry ?? "posenc"}`) && (!fast || row.fast));
  if (chosen.length > 0) return chosen;
  throw new SetupFailure(
    `--only: ${only}, expected to match one of\n${rows.map(({ name }) => `  ${name}`).join("\n")}`,
  );
}

/** Runs the rows; those of one project one after the other, for they share its folder. */
async function run(chosen, tools) {
  const outcomes = new Map();
  const waiting = [...chosen];
  async function work() {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const outcome = await runRow(row, tools);
      outcomes.set(row, outcome);
      console.log(
        `${outcomes.size}/${chosen.length} ${row.name}, ${row.entry ?? "posenc"}: ${outcome.state}, ${seconds(outcome.ms)}`,
      );
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return chosen.map((row) => outcomes.get(row));
}

async function main(args) {
  const chosen = asked(args);
  const [tarball, browser] = await Promise.all([packTarball(), launch()]);
  try {
    const outcomes = await run(chosen, { tarball, browser });
    const { passed, failed } = summary(outcomes);
    console.log(`\n${table(outcomes)}\n\n${passed} passed, ${failed} failed`);
    if (failed > 0) process.exitCode = 1;
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
