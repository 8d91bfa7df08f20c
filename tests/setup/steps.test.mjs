import assert from "node:assert/strict";
import { test } from "node:test";
import { aptStatus } from "../../bindings/setup/debian-packages.mjs";
import { only, runSteps, table } from "../../bindings/setup/steps.mjs";
import { allSteps, chosenSteps, quickSteps, restSteps } from "../../bindings/setup/test-steps.mjs";

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

const untimed = (text) => text.replaceAll(/\d+\.\d s/g, "T s");

/** Steps that note when they begin and end, and last until they are let go. */
function noted() {
  const seen = [];
  const gates = new Map();
  const step = (name, more = {}) => ({
    name,
    title: name,
    run: async () => {
      seen.push(`${name} begins`);
      await new Promise((done) => gates.set(name, done));
      seen.push(`${name} ends`);
    },
    ...more,
  });
  const letGo = async (name) => {
    gates.get(name)();
    await new Promise((done) => setImmediate(done));
  };
  return { seen, step, letGo };
}

test("what stands alone runs beside others, as far as the processors go", async () => {
  const { seen, step, letGo } = noted();
  const one = { processors: 1 };
  const steps = [
    step("a", one),
    step("b", one),
    step("c", { ...one, needs: ["a"] }),
    step("all"),
    step("d", one),
    step("network", { processors: 0 }),
  ];
  const over = runSteps(steps, { out: printed(), machine: 2 });
  assert.deepEqual(seen.splice(0), ["a begins", "b begins", "network begins"]);
  await letGo("b");
  assert.deepEqual(seen.splice(0), ["b ends"], "d does not overtake what wants all processors");
  await letGo("a");
  assert.deepEqual(seen.splice(0), ["a ends", "c begins"]);
  await letGo("c");
  assert.deepEqual(seen.splice(0), ["c ends", "all begins"]);
  await letGo("all");
  assert.deepEqual(seen.splice(0), ["all ends", "d begins"]);
  await letGo("network");
  await letGo("d");
  assert.deepEqual(
    (await over).map(({ name }) => name),
    steps.map(({ name }) => name),
  );
});

test("after a failure nothing starts, and what is under way is waited for", async () => {
  const { seen, step, letGo } = noted();
  const steps = [{ ...bad("broken"), processors: 1 }, step("beside", { processors: 1 }), step("later")];
  let thrown;
  const over = runSteps(steps, { out: printed(), machine: 2 }).catch((error) => {
    thrown = error;
  });
  await new Promise((done) => setImmediate(done));
  assert.equal(thrown, undefined);
  await letGo("beside");
  await over;
  assert.match(thrown.message, /broken/);
  assert.deepEqual(seen, ["beside begins", "beside ends"]);
});

test("what a step prints, and what is under way on a terminal, does not mix", async () => {
  const { step, letGo } = noted();
  const out = printed(60);
  const talks = { processors: 1, run: async (line) => line.print("two\nlines\n") };
  const over = runSteps([step("a", { processors: 1 }), { ...step("b"), ...talks }], { out, machine: 2 });
  const last = () => untimed(out.text).split("\r\x1b[K").slice(-2);
  assert.equal(last().at(-1), "[1/2] a, T s · [2/2] b, T s");
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(last(), ["[2/2] b: done, T s\n", "[1/2] a, T s"]);
  assert.match(out.text, /\[2\/2\] b: two\nlines\n/);
  await letGo("a");
  await over;
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
  assert.match(
    table(results),
    /^build +\d\.\d s {2}failed\ntests +0\.0 s {2}not run\n[\s\S]*\n\n1 passed, 3 failed\n\nbuild:\n.*broken/,
  );
});

test("the closing table ends with what a failed program printed last", async () => {
  const tests = {
    name: "tests",
    title: "tests",
    run: () => Promise.reject(Object.assign(new Error("see above"), { gist: "1 is not 2" })),
  };
  assert.match(
    table(await runSteps([tests], { out: printed(), keepGoing: true })),
    /0 passed, 1 failed\n\ntests:\n1 is not 2$/,
  );
});

test("--only takes what the named steps need along, in order", () => {
  const steps = [good("a"), good("b", ["a"]), good("c"), good("d", ["b"])];
  assert.deepEqual(
    only(["d"], steps).map(({ name }) => name),
    ["a", "b", "d"],
  );
  assert.throws(() => only(["x"], steps), /^SetupFailure: x, expected one of a, b, c, d$/);
});

test("apt's status lines are read as progress", () => {
  assert.equal(aptStatus("dlstatus:1:20.6:Retrieving file 1 of 3"), "downloading 21 %");
  assert.equal(aptStatus("pmstatus:cmake:50.0:Unpacking cmake"), "installing 50 %");
  assert.equal(aptStatus("something else"), "working");
});

test("two steps of one name are an error: only one of them would run", async () => {
  await assert.rejects(runSteps([good("one"), good("one")], { out: printed() }), /two steps have the same name/);
});

test("every step says what it guards, and what is left after npm test is all the rest", () => {
  for (const { name, guards } of allSteps) assert.match(guards ?? "", /^.{10,100}$/, name);
  const names = (steps) => new Set(steps.map(({ name }) => name));
  assert.deepEqual(new Set([...names(quickSteps), ...names(restSteps)]), names(allSteps));
  assert.deepEqual(names(chosenSteps(["native"])), new Set(["native-build", "native"]));
});
