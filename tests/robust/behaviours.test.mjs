// A caller's getters, traps and iterators do what they can in the middle of a call: each behaviour at each read of each
// function, enumerated. A failure says which.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inThreads } from "./threads.mjs";

/** Long after any call has ended, also on a busy machine. */
const timeout = 60 * 60 * 1000;

const kinds = {
  behaviours: {
    title: "whatever happens at a read of a caller's, a call gives what it must or refuses",
    least: 100_000,
  },
  growing: { title: "the same where the memory grows at a read", least: 1000 },
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
