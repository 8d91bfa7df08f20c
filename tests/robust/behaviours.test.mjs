// A caller's own accessors dispose, detach, resize, throw or make the memory grow in the middle of a call: each of these
// at the first read of each option of each function, enumerated. A failure names the case. `npm run test:fuzz` has every
// behaviour at every read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inThreads } from "./threads.mjs";

/** Long after any call has ended, also on a busy machine. */
const timeout = 60 * 60 * 1000;

const kinds = {
  behaviours: {
    title: "whatever an option's accessor does, a call gives what it must or refuses",
    least: 10_000,
  },
  growing: { title: "the same where the memory grows at the read", least: 500 },
};

for (const [kind, { title, least }] of Object.entries(kinds)) {
  test(title, { timeout }, async (t) => {
    const start = performance.now();
    const { calls, refusals, reads, functions, failures } = await inThreads(kind, 2, {});
    const took = (performance.now() - start) / 1000;
    t.diagnostic(
      `${calls} calls: ${functions} functions, ${reads} reads, all enumerated; ${refusals} refused; ${Math.round(calls / took)} a second`,
    );
    assert.deepEqual(failures, []);
    assert.ok(calls >= least, `${calls} calls`);
    assert.ok(refusals > calls / 10 && refusals < (9 * calls) / 10, `${refusals} of ${calls} were refused`);
  });
}
