// What `npm run test:fuzz` runs: values and behaviours, half of the calls each, as many as are asked for. On stderr it
// tells how far it is; on stdout its figures, and of the first failure what makes it happen again.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { inThreads } from "./threads.mjs";

const { values: given } = parseArgs({
  options: {
    calls: { type: "string", default: "10000000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    only: { type: "string" }, // "values" or "behaviours"
    from: { type: "string", default: "0" },
  },
});
const [calls, seed, from] = ["calls", "seed", "from"].map((name) => Number(given[name]));
const kinds = { behaviours: "pairs", values: "values" };
const chosen = given.only === undefined ? Object.keys(kinds) : [given.only];
if (![calls, seed, from].every(Number.isSafeInteger) || !chosen.every((name) => Object.hasOwn(kinds, name))) {
  console.error("expected whole numbers for --calls, --seed and --from, values or behaviours for --only");
  process.exit(2);
}
// A case that is made again is made alone.
const threads = given.from !== "0" || given.only ? 1 : availableParallelism();

const start = performance.now();
const seconds = () => (performance.now() - start) / 1000;
let shown = 0;

function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`.slice(0, process.stderr.columns));
  else if (seconds() - shown > 10) {
    shown = seconds();
    process.stderr.write(`${text}\n`);
  }
}

async function run(name) {
  const began = seconds();
  const task = { seed, from, calls: Math.ceil(calls / chosen.length / threads) };
  const made = await inThreads(kinds[name], threads, task, ({ calls: done }) =>
    progress(`${name}: ${done} of ${task.calls * threads} calls, ${Math.round(seconds())} s`),
  );
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  const took = seconds() - began;
  console.log(`${name}: ${made.calls} calls of ${made.functions} functions, ${made.refusals} refused`);
  console.log(
    `  ${took.toFixed(1)} s, ${Math.round(made.calls / took)} a second, the slowest call ${made.slowest.toFixed()} ms`,
  );
  console.log(
    `  the longest message (${made.longest.length} characters): ${JSON.stringify(made.longest.slice(0, 300))}`,
  );
  return made.failures;
}

console.log(`seed ${seed}, ${threads} threads`);
for (const name of chosen) {
  const [failure] = await run(name);
  if (failure !== undefined) {
    console.log(`failed: ${failure}`);
    process.exit(1);
  }
}
