import assert from "node:assert/strict";
import { test } from "node:test";
import { aptStatus } from "../../bindings/setup/debian-packages.mjs";
import { runSteps } from "../../bindings/setup/steps.mjs";
import { only, table } from "../../bindings/setup/test-steps.mjs";

/** Collects what a command would print; `columns` makes it a terminal. */
function printed(columns) {
  const out = { text: "", isTTY: columns !== undefined, columns, write: (text) => (out.text += text) };
  return out;
}

const good = (name, needs) => ({ name, title: name, needs, run: async () => "fine" });
const bad = (name) => ({ name, title: name, run: () => Promise.reject(new Error("broken")) });

test("steps are numbered, named and timed", async () => {
  const out = printed();
  await runSteps([good("one"), good("two")], { out });
  assert.match(out.text, /^\[1\/2\] one: fine, \d\.\d s\n\[2\/2\] two: fine, \d\.\d s\n$/);
});

test("a terminal's line is overwritten and never wraps", async () => {
  const out = printed(20);
  await runSteps([{ ...good("one"), title: "a title that is longer than the line" }], { out });
  for (const line of out.text.split(/[\r\n]/)) assert.ok(line.replace("\x1b[K", "").length < 20, line);
});

test("the first failure ends a set-up", async () => {
  const after = { name: "after", title: "after", run: () => assert.fail("ran") };
  await assert.rejects(runSteps([bad("one"), after], { out: printed() }), /broken/);
});

test("tests go on after a failure, except those that need what failed", async () => {
  const steps = [bad("build"), good("tests", ["build"]), good("more", ["tests"]), good("other")];
  const results = await runSteps(steps, { out: printed(), keepGoing: true });
  assert.deepEqual(
    results.map(({ state }) => state),
    ["failed", "not run", "not run", "ok"],
  );
  assert.match(table(results), /^build +\d\.\d s {2}failed\ntests +0\.0 s {2}not run\n/);
});

test("--only takes what the named steps need along, in order", () => {
  const steps = [good("a"), good("b", ["a"]), good("c"), good("d", ["b"])];
  assert.deepEqual(
    only(["d"], steps).map(({ name }) => name),
    ["a", "b", "d"],
  );
  assert.throws(() => only(["x"], steps), /--only: x, expected one of a, b, c, d/);
});

test("apt's status lines are read as progress", () => {
  assert.equal(aptStatus("dlstatus:1:20.6:Retrieving file 1 of 3"), "downloading 21 %");
  assert.equal(aptStatus("pmstatus:cmake:50.0:Unpacking cmake"), "installing 50 %");
  assert.equal(aptStatus("something else"), "working");
});
