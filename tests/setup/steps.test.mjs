import assert from "node:assert/strict";
import { test } from "node:test";
import { aptStatus } from "../../bindings/setup/debian-packages.mjs";
import { only, runSteps, table } from "../../bindings/setup/steps.mjs";
import { allSteps, chosenSteps, quickSteps, restSteps } from "../steps.mjs";

/** Collects what a command would print; `columns` makes it a terminal. */
function printed(columns) {
  const out = { text: "", isTTY: columns !== undefined, columns, write: (text) => (out.text += text) };
  return out;
}

const namesOf = (steps) => steps.map(({ name }) => name);
const good = (name, needs) => ({ name, title: name, needs, run: async () => "fine" });
const bad = (name) => ({ name, title: name, run: () => Promise.reject(new Error("broken")) });

test("steps are numbered, named and timed; a terminal's last line is overwritten and never wraps", async () => {
  const plain = printed();
  await runSteps([good("one"), good("two")], { out: plain });
  assert.match(plain.text, /^\[1\/2\] one: fine, \d\.\d s\n\[2\/2\] two: fine, \d\.\d s\n$/);
  const terminal = printed(12);
  await runSteps([{ ...good("one"), run: async (line) => line.print("two\nlines\n") }], { out: terminal });
  const lines = terminal.text.replace(/\d\.\d s/g, "T s").split("\r\x1b[K");
  assert.deepEqual(lines, ["", "[1/1] one, ", "[1/1] one: two\nlines\n", "[1/1] one, ", "[1/1] one: done, T s\n", ""]);
});

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
  assert.deepEqual(namesOf(await over), namesOf(steps));
});

test("after a failure nothing starts, what is under way is waited for, and it is thrown", async () => {
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

test("tests go on after a failure, except those that need what failed; the table ends with why", async () => {
  const told = Object.assign(new Error("see above"), { gist: "1 is not 2" });
  const steps = [
    bad("build"),
    good("tests", ["build"]),
    good("more", ["tests"]),
    { ...good("told"), run: () => Promise.reject(told) },
    good("other"),
  ];
  assert.match(
    table(await runSteps(steps, { out: printed(), keepGoing: true })),
    /^build +\d\.\d s {2}failed {3}build\ntests +0\.0 s {2}not run {2}tests\n[\s\S]*\n\n1 passed, 4 failed\n\nbuild:\n.*broken[\s\S]*\ntold:\n1 is not 2$/,
  );
});

test("--only takes what the named steps need along, in order", () => {
  const steps = [good("a"), good("b", ["a"]), good("c"), good("d", ["b"])];
  assert.deepEqual(namesOf(only(["d"], steps)), ["a", "b", "d"]);
  assert.throws(() => only(["x"], steps), /^SetupFailure: x, expected one of a, b, c, d$/);
});

test("apt's status lines are read as progress", () => {
  assert.equal(aptStatus("dlstatus:1:20.6:Retrieving file 1 of 3"), "downloading 21 %");
  assert.equal(aptStatus("pmstatus:cmake:50.0:Unpacking cmake"), "installing 50 %");
  assert.equal(aptStatus("something else"), "working");
});

test("every step has a name of its own, says what it guards, and is in test:all, as are those that it needs", () => {
  for (const { name, title } of allSteps) assert.match(title ?? "", /^.{10,100}$/, name);
  for (const steps of [quickSteps, restSteps, allSteps]) {
    const names = namesOf(steps);
    assert.equal(new Set(names).size, names.length);
    for (const { name, needs = [] } of steps)
      assert.deepEqual(
        needs.filter((need) => !names.includes(need)),
        [],
        name,
      );
  }
  assert.deepEqual(new Set(namesOf([...quickSteps, ...restSteps])), new Set(namesOf(allSteps)));
  assert.deepEqual(namesOf(chosenSteps(["native"])), ["native"]);
});
