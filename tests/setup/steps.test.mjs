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
const broken = new Error("broken");
const bad = (name, error = broken) => ({ name, title: name, run: () => Promise.reject(error) });

test("steps are numbered, named and timed; a terminal's last line is overwritten and never wraps", async () => {
  const plain = printed();
  await runSteps([good("one"), good("two")], { out: plain });
  assert.match(plain.text, /^\[1\/2\] one: fine, \d\.\d s\n\[2\/2\] two: fine, \d\.\d s\n$/);
  const terminal = printed(12);
  await runSteps([{ ...good("one"), run: async (line) => line.print("two\nlines\n") }], { out: terminal });
  const lines = terminal.text.replace(/\d\.\d s/g, "T s").split("\r\x1b[K");
  assert.deepEqual(lines, ["", "[1/1] one, ", "[1/1] one: two\nlines\n", "[1/1] one, ", "[1/1] one: done, T s\n", ""]);
});

test("what stands alone runs beside others, as far as the processors go", async () => {
  const seen = [];
  const ends = {};
  const begin = (name) => {
    seen.push(name);
    return new Promise((done) => Object.assign(ends, { [name]: done }));
  };
  const rows = [["a", 1], ["b", 1], ["c", 1, ["a"]], ["all"], ["d", 1], ["network", 0]];
  const steps = rows.map(([name, processors, needs]) => ({ ...good(name, needs), processors, run: () => begin(name) }));
  const over = runSteps(steps, { out: printed(), machine: 2 });
  assert.deepEqual(seen.splice(0), ["a", "b", "network"]);
  // What begins when another ends; d does not overtake what wants all processors.
  for (const [name, next] of Object.entries({ b: [], a: ["c"], c: ["all"], all: ["d"], network: [], d: [] })) {
    ends[name]();
    await new Promise((done) => setImmediate(done));
    assert.deepEqual(seen.splice(0), next, name);
  }
  assert.deepEqual(namesOf(await over), namesOf(steps));
});

test("after a failure nothing starts, what is under way is waited for, and it is thrown", async () => {
  const beside = () => new Promise((done) => setTimeout(done, 50));
  const steps = [{ ...bad("broken"), processors: 1 }, { ...good("beside"), processors: 1, run: beside }, good("later")];
  const out = printed();
  await assert.rejects(runSteps(steps, { out, machine: 2 }), /broken/);
  assert.match(out.text, /^\[1\/3\] broken: failed, .*\n\[2\/3\] beside: done, .*\n$/);
});

test("tests go on after a failure, except those that need what failed; the table ends with why", async () => {
  const told = Object.assign(new Error("see above"), { gist: "1 is not 2" });
  const steps = [bad("build"), good("tests", ["build"]), good("more", ["tests"]), bad("told", told), good("other")];
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
    assert.deepEqual(only(names, steps), steps); // refuses needs that are not there
  }
  assert.deepEqual(new Set(namesOf([...quickSteps, ...restSteps])), new Set(namesOf(allSteps)));
  assert.deepEqual(namesOf(chosenSteps(["native"])), ["native"]);
});
