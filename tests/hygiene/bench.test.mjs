// The benchmark: options, ratios and report of made-up times, and short runs whose report is complete. No time is asserted.
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { root } from "../../bindings/setup/paths.mjs";
import { guarded, isReached, tooSlow } from "../bench/guard.mjs";
import { modulesInNode } from "../bench/in-node.mjs";
import { benchOptions } from "../bench/options.mjs";
import { duration, markdown, missedGoals, text } from "../bench/report.mjs";
import { resultOf } from "../bench/results.mjs";
import { median, race } from "../bench/rounds.mjs";
import { checkSame } from "../bench/row.mjs";
import { libraryDecoder, MODEL, PARAMETERS, VOCABULARY, weights } from "../bench/workloads/generation.mjs";
import { FIRST_USE, workloads } from "../bench/workloads.mjs";

const execute = promisify(execFile);

test("options have their defaults", () => {
  const { only, ...rest } = benchOptions([]);
  assert.deepEqual(rest, { mode: "workloads", browser: false, rounds: 25, json: false, markdown: false });
  const { mode, browser } = benchOptions(["--peers", "--browser"]);
  assert.deepEqual([mode, browser], ["peers", true]);
  for (const { name } of workloads) assert.match(name, only);
  assert.equal(benchOptions(["--first-use"]).mode, "first-use");
  assert.ok(!benchOptions(["--only", "^rope HALF"]).only.test("RoPE interleaved [2048, 32, 128]"));
  assert.ok(benchOptions(["--only", FIRST_USE]).only.test(FIRST_USE));
});

const WRONG = {
  "an unknown one": [["--round", "3"], /Unknown option '--round'.*--rounds N/s],
  "rounds that are no number": [["--rounds", "many"], /^--rounds: many, expected a whole number from 1 to 100000$/],
  "no rounds": [["--rounds", "0"], /^--rounds: 0, expected/],
  "half a round": [["--rounds", "1.5"], /^--rounds: 1.5, expected/],
  "a pattern that is none": [["--only", "("], /^--only: \(, expected a regular expression$/],
  "a pattern that matches nothing": [
    ["--only", "tabel"],
    /^--only: tabel, expected to match one of\n {2}table 2048 x 512\n/,
  ],
  "a pattern of what peers do not have": [["--peers", "--only", "ALiBi"], /^--only: ALiBi, expected to match one of/],
  "a pattern where nothing has a name": [
    ["--first-use", "--only", "table"],
    /^--only and --first-use: expected one of them$/,
  ],
  "two modes": [["--guard", "--browser"], /^--browser and --guard: expected one of them$/],
  "two outputs": [["--json", "--markdown"], /^--json and --markdown: expected one of them$/],
  "a table of something else": [["--markdown", "--first-use"], /^--markdown and --first-use: /],
};

for (const [what, [args, message]] of Object.entries(WRONG)) {
  test(`an option that cannot be used: ${what}`, () => {
    assert.throws(() => benchOptions(args), { name: "WrongOption", exitCode: 2, message });
  });
}

test("a wrong option ends with code 2, before anything is built, and without a stack", async () => {
  for (const program of [["tests/bench/bench.mjs"], ["bindings/setup/main.mjs", "bench"]]) {
    const failure = await execute(process.execPath, [...program, "--rounds", "x"], { cwd: root }).catch(
      (error) => error,
    );
    assert.equal(failure.code, 2);
    assert.match(failure.stderr, /--rounds: x, expected a whole number/);
    assert.doesNotMatch(failure.stderr + failure.stdout, /\n {4}at |\[1\//);
  }
});

test("each contestant runs in every round; late ones are waited for", async () => {
  const calls = { soon: 0, late: 0 };
  let under = 0;
  const contestants = {
    soon: () => {
      calls.soon += 1;
      assert.equal(under, 0, "nothing runs beside it");
    },
    late: async () => {
      calls.late += 1;
      under += 1;
      await new Promise((done) => setImmediate(done));
      under -= 1;
    },
  };
  const times = await race(contestants, 4, { warmUp: 0 });
  assert.deepEqual(Object.keys(times), ["soon", "late"]);
  for (const [name, list] of Object.entries(times)) {
    assert.equal(list.length, 4);
    assert.ok(list.every((time) => time >= 0));
    assert.ok(calls[name] >= 4);
  }
});

const TIMES = { limit: [1, 1, 4], mine: [2, 2, 2], other: [6, 8, 10] };
const WORKLOAD = {
  name: "made up",
  limit: "limit",
  missing: [{ name: "fast", why: "unknown" }],
  goals: [
    { of: "mine", against: "limit", must: 0.4, wanted: 0.6 },
    { of: "mine", against: "other" },
    { of: "other", against: "mine", measure: "cost", must: 3 },
    { of: "fast", against: "limit", must: 1 },
  ],
};

test("ratios are medians of ratios round by round", () => {
  assert.equal(median([3, 1, 2]), 2);
  const { contestants, goals } = resultOf(WORKLOAD, TIMES);
  assert.deepEqual(contestants[1], { name: "mine", milliseconds: 2, fastest: 2, ofLimit: 0.5 });
  assert.deepEqual(
    goals.map(({ value: found, holds, reached }) => [found, holds, reached]),
    [
      [0.5, true, false],
      [4, undefined, undefined],
      [4, false, false],
    ],
  );
});

test("the report names what is missing and what is not reached", () => {
  const said = text({ ...resultOf(WORKLOAD, TIMES), what: "for a test" });
  assert.match(said, /^made up, for a test\n/);
  assert.match(said, /fast: not offered \(unknown\)/);
  assert.match(said, /mine \/ limit: 0\.500 \(fastest: 0\.500\), >= 0\.4 \[0\.6\]: reached\n/);
  assert.match(said, /other \/ mine: 4\.00 x the time \(fastest: 3\.00 x the time\), <= 3: NOT REACHED/);
  assert.doesNotMatch(said, /undefined|NaN/);
});

test("the table of tests/bench/README.md has a row for each way of posenc", () => {
  const lines = markdown([resultOf(WORKLOAD, TIMES)]).split("\n");
  assert.equal(lines.length, 2 + 2, "mine and other");
  assert.match(lines[2], /^\| made up +\| mine +\| 2\.00 ms \| 0\.500 of limit +\|.*\| yes +\|$/);
  assert.match(lines[3], /4\.00 x the time of mine +\| no +\|$/);
  assert.equal(new Set(lines.map((line) => line.length)).size, 1, "columns are aligned");
});

test("a bar is reached by the one way or the other, or by the time of each value", () => {
  const goals = [
    { of: "mine", against: "other", must: 9, or: { against: "limit", must: 0.4 } },
    { of: "mine", against: "other", must: 9, or: { against: "limit", must: 0.6 } },
    { of: "mine", measure: "each", values: 1e6, must: 2 },
  ];
  const result = { ...resultOf({ name: "made up", limit: "limit", goals }, TIMES), what: "for a test" };
  assert.deepEqual(
    result.goals.map(({ value: found, holds }) => [found, holds]),
    [
      [4, true],
      [4, false],
      [2, true],
    ],
  );
  const said = text(result);
  assert.match(said, /mine \/ other: 4\.00 .*, >= 9 or mine \/ limit: 0\.500 .*, >= 0\.4: reached\n/);
  assert.match(said, /mine: 2\.00 ns a value \(fastest: 2\.00 ns a value\), <= 2: reached$/);
});

test("what is slow has fewer rounds, three at least", async () => {
  const wait = () => new Promise((done) => setTimeout(done, 25));
  const times = await race({ wait }, 50, { warmUp: 0, budget: 60 });
  assert.equal(times.wait.length, 3);
});

test("durations have three digits and their unit", () => {
  assert.deepEqual([1234, 12.34, 1.234, 0.01234, 0.0001234, 0].map(duration), [
    "1234 ms",
    "12.3 ms",
    "1.23 ms",
    "12.3 µs",
    "123 ns",
    "0.000 ns",
  ]);
});

test("every workload has a name of its own and goals", () => {
  const names = workloads.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, goals } of workloads) assert.ok(goals.length > 0, name);
});

test("the marks that are not reached are listed, and the program ends with code 1 because of them", () => {
  assert.deepEqual(missedGoals([resultOf(WORKLOAD, TIMES)]), [
    "made up: other / mine: 4.00 x the time (fastest: 3.00 x the time), <= 3: NOT REACHED",
  ]);
  const { status, stderr, stdout } = run("--json", "--only", "^decode half");
  const missed = missedGoals(JSON.parse(stdout).results);
  assert.equal(status, missed.length > 0 ? 1 : 0);
  assert.deepEqual(stderr.trim().split("\n").slice(1), missed);
});

test("the guard leaves a third of room, and refuses what was too slow each time", async () => {
  for (const [measure, must, enough, less] of [
    ["speed", 0.9, 0.6001, 0.5999],
    ["cost", 1.2, 1.799, 1.801],
  ]) {
    assert.ok(isReached({ measure, must, value: enough }));
    assert.ok(!isReached({ measure, must, value: less }));
    assert.ok(isReached({ measure, must, value: less, fastest: enough }), "other programs disturb the fastest least");
    assert.ok(isReached({ measure, must, value: less, or: { measure, must, value: enough } }));
  }
  assert.ok(isReached({ measure: "speed", value: 0 }), "nothing is stated");
  const goal = (of, value) => ({ of, against: "limit", measure: "speed", must: 1, value });
  const measures = [
    [goal("mine", 0.5), goal("other", 0.5)],
    [goal("mine", 0.9), goal("other", 0.5)],
    [goal("mine", 0.5), goal("other", 0.4)],
    [goal("mine", 0.5), goal("other", 0.6)],
  ];
  let count = 0;
  const left = await tooSlow(async () => ({ goals: measures[count++] }));
  assert.deepEqual([count, left.map(({ of }) => of)], [4, ["other"]]);
  count = 0;
  assert.deepEqual(await tooSlow(async () => ({ goals: [goal("mine", [0.1, 2][count++])] })), []);
  assert.equal(count, 2);
  assert.equal(guarded().length, 10);
});

const run = (...args) =>
  spawnSync(process.execPath, [join(root, "tests", "bench", "bench.mjs"), "--rounds", "1", ...args], {
    encoding: "utf8",
  });

/** Returns what a run prints; marks are not reached on a machine that does something else as well. */
function bench(...args) {
  const { status, stderr, stdout } = run(...args);
  assert.ok(status === 0 || (status === 1 && stderr.startsWith("Not reached")), stderr);
  return stdout;
}

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
    assert.ok(["speed", "cost", "each"].includes(measure));
    assert.ok(Number.isFinite(value));
    assert.equal(typeof holds, must === undefined ? "undefined" : "boolean");
  }
  for (const { name, why } of missing) assert.ok(name.startsWith("posenc") && why.length > 0);
}

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
  const { results } = JSON.parse(bench("--json", "--only", "^(adamStep|convertLayout)$"));
  assert.deepEqual(
    results.map(({ workload }) => workload),
    ["adamStep", "convertLayout"],
  );
  for (const result of results) {
    whole(result);
    const names = result.contestants.map(({ name }) => name);
    assert.deepEqual(names, ["memory.copy", "posenc", "posenc without SIMD", "JavaScript"]);
    const [first] = result.goals;
    assert.equal(typeof first.or.holds, "boolean");
  }
});

test("every workload can be made, and all that it races gives the same", async () => {
  const modules = await modulesInNode();
  const refused = [];
  for (const { name, make } of workloads) {
    try {
      await make(modules).release?.();
    } catch (error) {
      refused.push(`${name}: ${error.message}`);
    }
  }
  assert.deepEqual(refused, []);
});

test("the model whose tokens are generated is one of the lab: its tokens go on as the lab's", async () => {
  const { lab, full: pe } = await modulesInNode();
  const text = Array.from({ length: 4096 }, (_, i) => String.fromCharCode(0x4e00 + (i % VOCABULARY))).join("");
  const training = lab.training({ task: { type: "text", text }, model: MODEL, encoding: { type: "rope" } });
  const shapes = training.parameters.map(({ name, shape }) => [name, ...shape]);
  assert.deepEqual(shapes, PARAMETERS);
  const zeros = () => new Float32Array(values.length);
  const values = weights();
  training.restore({ step: 0, values, firstMoments: zeros(), secondMoments: zeros() });
  const [prompt, count] = [[3, 1, 4, 1, 5], 20];
  const expected = training.generate(prompt, { count, window: prompt.length + count, temperature: 0 });
  const logits = pe.buffer(VOCABULARY);
  const decode = libraryDecoder(pe, values, logits.view);
  const tokens = [...prompt];
  for (let position = 0; tokens.length < prompt.length + count; ++position) {
    decode(tokens[position], position);
    if (position + 1 === tokens.length) tokens.push(logits.view.indexOf(Math.max(...logits.view)));
  }
  assert.deepEqual(tokens.slice(prompt.length), expected);
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

test("--markdown is the table of tests/bench/README.md", () => {
  const said = bench("--markdown", "--only", "^decode half");
  assert.match(said, /^Medians of 1 shuffled rounds on .+:\n\n\| workload +\| .*\n\| -+ \|/);
  assert.match(said, /\n\| decode half \[1, 32, 128\] +\| /);
  assert.doesNotMatch(said, /undefined|NaN/);
});
