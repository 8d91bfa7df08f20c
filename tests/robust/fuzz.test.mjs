// Calls of every function with right and wrong arguments mixed. POSENC_FUZZ_CALLS and POSENC_FUZZ_SEED say how many and
// which: in a test run the same every time, with `npm run test:fuzz` others every time. A failure is printed with its
// seed, reduced to the smallest case.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

const calls = Number(process.env.POSENC_FUZZ_CALLS ?? 1e6);
const seed = Number(process.env.POSENC_FUZZ_SEED ?? 1);
const threads = 2;

/** Long after any call has ended, also on a busy machine: only one that never ends takes this. */
const timeout = 60 * 60 * 1000;

test(`${calls} calls end with a right-shaped result or an Error, and the library works after each`, {
  timeout,
}, async (t) => {
  const start = performance.now();
  const reports = await Promise.all(
    Array.from({ length: threads }, async (_, thread) => {
      const workerData = { calls: Math.ceil(calls / threads), seed: seed + thread };
      const worker = new Worker(new URL("fuzz-worker.mjs", import.meta.url), { workerData });
      const [report] = await once(worker, "message");
      await worker.terminate();
      return { ...report, seed: workerData.seed };
    }),
  );
  const all = (key) => reports.reduce((sum, report) => sum + report[key], 0);
  const took = (performance.now() - start) / 1000;
  const rate = `${Math.round(all("calls") / took)} a second, the slowest ${Math.max(...reports.map((r) => r.slowest)).toFixed()} ms`;
  t.diagnostic(
    `seed ${seed}: ${all("calls")} calls of ${reports[0].functions} functions, ${rate}; ${all("errors")} threw`,
  );
  for (const { failure, missing, seed } of reports) {
    assert.equal(failure, undefined, `seed ${seed}: ${failure}`);
    assert.deepEqual(missing, [], "functions that no fuzzed call has");
  }
  assert.ok(all("calls") >= calls);
  assert.ok(all("errors") > calls / 10 && all("errors") < (9 * calls) / 10, "right and wrong calls are both made");
});
