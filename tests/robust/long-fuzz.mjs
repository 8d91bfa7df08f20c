// `npm run test:fuzz` runs every behaviour at every read of every function, then values and pairs of behaviours,
// half of the calls each, as many as are asked for. Progress goes to stderr; figures, and how to repeat the first
// failure, to stdout.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { inThreads, together } from "./threads.mjs";

const { values: given } = parseArgs({
  options: {
    calls: { type: "string", default: "10000000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    only: { type: "string" }, // "reads", "values" or "behaviours"
    from: { type: "string", default: "0" },
  },
});
const [calls, seed, from] = ["calls", "seed", "from"].map((name) => Number(given[name]));
const kinds = { reads: ["behaviours", "growing"], values: ["values"], behaviours: ["pairs"] };
const chosen = given.only === undefined ? Object.keys(kinds) : [given.only];
if (![calls, seed, from].every(Number.isSafeInteger) || !chosen.every((name) => Object.hasOwn(kinds, name))) {
  console.error("expected whole numbers for --calls, --seed and --from; reads, values or behaviours for --only");
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
  const task = {
    seed,
    from,
    calls: Math.ceil(calls / Math.max(1, chosen.filter((one) => one !== "reads").length) / threads),
    isLong: true,
  };
  const all = [];
  for (const kind of kinds[name])
    all.push(
      await inThreads(kind, threads, task, ({ calls: done, doing = "" }) =>
        progress(`${name}: ${done} calls, ${Math.round(seconds())} s ${doing}`),
      ),
    );
  const made = together(all.map(({ failures, ...figures }) => ({ ...figures, failure: failures[0] })));
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  const took = seconds() - began;
  console.log(`${name}: ${made.calls} calls of ${made.functions} functions, ${made.refusals} refused`);
  console.log(
    `  ${took.toFixed(1)} s, ${Math.round(made.calls / took)} a second, the slowest call ${made.slowest.time.toFixed()} ms (${made.slowest.name})`,
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
