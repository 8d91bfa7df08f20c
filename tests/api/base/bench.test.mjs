// A short run of the benchmark: its report is complete, whatever the times are.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { load } from "posenc/full";
import { root } from "../../../bindings/setup/paths.mjs";
import { checkSame } from "../../bench/row.mjs";
import { WITHOUT_ROWS } from "../../bench/without-rows.mjs";
import { workloads } from "../../bench/workloads.mjs";
import { whole as all } from "../testing/calls/calls.mjs";

const bench = (...args) =>
  execFileSync(process.execPath, [join(root, "tests", "bench", "bench.mjs"), "--rounds", "1", ...args], {
    encoding: "utf8",
  });

/** Whether a workload's result has all its parts. */
function whole({ workload, what, limit, contestants, goals, missing }) {
  assert.ok(typeof workload === "string" && typeof what === "string");
  const names = contestants.map(({ name }) => name);
  assert.ok(names.includes(limit), `${limit} among ${names}`);
  for (const { name, milliseconds, fastest, ofLimit } of contestants) {
    assert.ok(milliseconds > 0 && fastest > 0 && fastest <= milliseconds, name);
    assert.ok(ofLimit > 0, name);
  }
  for (const { of, against = of, measure, value, must, holds } of goals) {
    assert.ok(names.includes(of) && names.includes(against), `${of} / ${against}`);
    assert.ok(["speed", "cost", "nanoseconds", "each"].includes(measure));
    assert.ok(Number.isFinite(value));
    assert.equal(typeof holds, must === undefined ? "undefined" : "boolean");
  }
  for (const { name, why } of missing) assert.ok(name.startsWith("posenc") && why.length > 0);
}

test("every function of the API has a row, or a reason to have none", async () => {
  const called = [...Object.keys(all.makers), ...Object.keys(all.others)].map((name) => name.split(" ")[0]);
  const functions = new Set([...Object.keys(await load()), ...called]);
  const measured = new Set(workloads.flatMap((workload) => workload.functions ?? []));
  for (const name of functions) {
    assert.ok(measured.has(name) !== Object.hasOwn(WITHOUT_ROWS, name), `${name}: a row or a reason, and not both`);
  }
  for (const name of [...measured, ...Object.keys(WITHOUT_ROWS)])
    assert.ok(functions.has(name), `${name} is no function`);
});

test("--json is JSON alone, with a result for each workload that was asked for", () => {
  const { machine, rounds, results } = JSON.parse(bench("--json", "--only", "^decode"));
  assert.match(machine, /Node \d+/);
  assert.equal(rounds, 1);
  assert.deepEqual(
    results.map(({ workload }) => workload),
    ["decode half [1, 32, 128]", "decode interleaved [1, 32, 128]"],
  );
  for (const result of results) {
    whole(result);
    const names = result.contestants.map(({ name }) => name);
    assert.ok(names.includes("core alone") && names.some((name) => name.startsWith("posenc")));
    assert.ok(result.goals.length > 0);
  }
});

test("a loop that gives something else is not raced", () => {
  checkSame("made up", { y: [1, -2, Number.NEGATIVE_INFINITY] }, { y: [1, -2, Number.NEGATIVE_INFINITY] });
  checkSame("made up", { y: [1, 1e-9] }, { y: [1.000001, 0] });
  for (const wrong of [[1], [1, Number.NaN], [1, 2.1], [1, Number.POSITIVE_INFINITY]]) {
    assert.throws(() => checkSame("made up", { y: wrong }, { y: [1, 2] }), /^Error: made up: y is off by /);
  }
});

test("a row has the library with SIMD and without, a JavaScript loop and its limits", () => {
  const { results } = JSON.parse(bench("--json", "--only", "^(sgdStep|convertLayout)$"));
  assert.deepEqual(
    results.map(({ workload }) => workload),
    ["sgdStep", "convertLayout"],
  );
  for (const result of results) {
    whole(result);
    const names = result.contestants.map(({ name }) => name);
    assert.deepEqual(names, ["memory.copy", "posenc", "posenc without SIMD", "JavaScript"]);
    const [first] = result.goals;
    assert.equal(typeof first.or.holds, "boolean");
  }
});

test("rotation of 16-bit values is raced too", () => {
  const { results } = JSON.parse(bench("--json", "--only", "float16 half"));
  assert.equal(results.length, 2, "float16 and bfloat16");
  for (const result of results) whole(result);
});

test("training steps are raced with operations in registers, and one worker with two", () => {
  const { results } = JSON.parse(bench("--json", "--only", "^training step, (order|shared, language)"));
  assert.deepEqual(
    results.map(({ workload }) => workload),
    ["training step, order", "training step, shared, language model"],
  );
  for (const result of results) {
    whole(result);
    assert.ok(result.goals.length > 0);
  }
});

test("first use has its steps, each in a new process", () => {
  const { results } = JSON.parse(bench("--json", "--first-use"));
  assert.equal(results.length, 1);
  whole(results[0]);
  const names = results[0].contestants.map(({ name }) => name);
  for (const entry of ["posenc", "posenc/full", "empty Embind module"]) {
    for (const step of ["", ": import", ": load", ": first"]) assert.ok(names.includes(entry + step), entry + step);
  }
});

test("--markdown is the table of bindings/README.md", () => {
  const said = bench("--markdown", "--only", "^decode half");
  assert.match(said, /^Medians of 1 shuffled rounds on .+:\n\n\| workload +\| .*\n\| -+ \|/);
  assert.match(said, /\n\| decode half \[1, 32, 128\] +\| /);
  assert.doesNotMatch(said, /undefined|NaN/);
});
