// Calls of every function with right and wrong arguments mixed: a hundred thousand, the same every time; `npm run
// test:fuzz` makes millions, others every time. A failure is printed with its seed, reduced to the smallest case.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inThreads } from "./threads.mjs";

const calls = 1e5;
const seed = 1;
const threads = 2;

/** Long after any call has ended, also on a busy machine: only one that never ends takes this. */
const timeout = 60 * 60 * 1000;

test(`${calls} calls end with a right-shaped result or an Error, and the library works after each`, {
  timeout,
}, async (t) => {
  const start = performance.now();
  const made = await inThreads("values", threads, { calls: calls / threads, seed });
  const took = (performance.now() - start) / 1000;
  t.diagnostic(
    `seed ${seed}: ${made.calls} calls of ${made.functions} functions, ${Math.round(made.calls / took)} a second, the slowest ${made.slowest.time.toFixed()} ms (${made.slowest.name}); ${made.refusals} were refused`,
  );
  assert.deepEqual(made.failures, []);
  assert.deepEqual(made.missing, [], "functions that no fuzzed call has");
  assert.ok(made.calls >= calls);
  assert.ok(made.refusals > calls / 10 && made.refusals < (9 * calls) / 10, "right and wrong calls are both made");
});
