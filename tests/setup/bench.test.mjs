// The benchmark's own working: options, fits, ratios, report, sizes. No times are asserted.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { root } from "../../bindings/setup/paths.mjs";
import { fittedExponent, fittedLine } from "../bench/fit.mjs";
import { benchOptions } from "../bench/options.mjs";
import { model, node, value } from "../bench/peers/onnx.mjs";
import { duration, markdown, text } from "../bench/report.mjs";
import { resultOf } from "../bench/results.mjs";
import { median, race } from "../bench/rounds.mjs";
import { checkSizes, report, sizesOf } from "../bench/size.mjs";
import { FIRST_USE, workloads } from "../bench/workloads.mjs";
import { scratch } from "./scratch.mjs";

const execute = promisify(execFile);

test("options have their defaults", () => {
  const { only, ...rest } = benchOptions([]);
  assert.deepEqual(rest, { mode: "workloads", rounds: 25, json: false, markdown: false });
  for (const { name } of workloads) assert.match(name, only);
  assert.equal(benchOptions(["--scaling"]).mode, "scaling");
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
    ["--scaling", "--only", "table"],
    /^--only and --scaling: expected one of them$/,
  ],
  "two modes": [["--peers", "--browser"], /^--peers and --browser: expected one of them$/],
  "two outputs": [["--json", "--markdown"], /^--json and --markdown: expected one of them$/],
  "a table of something else": [["--markdown", "--scaling"], /^--markdown and --scaling: /],
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

test("the exponent of made-up times is found", () => {
  const sizes = [10, 100, 1000, 10_000];
  for (const exponent of [0, 0.5, 1, 2]) {
    const found = fittedExponent(
      sizes,
      sizes.map((size) => 3 * size ** exponent),
    );
    assert.ok(Math.abs(found - exponent) < 1e-12, `${found}, expected ${exponent}`);
  }
});

test("a line is found, and what is furthest from it", () => {
  const sizes = [10, 100, 1000, 10_000];
  const exact = fittedLine(
    sizes,
    sizes.map((size) => 5 + 2 * size),
  );
  assert.ok(Math.abs(exact.fixed - 5) < 1e-9 && Math.abs(exact.perUnit - 2) < 1e-12, JSON.stringify(exact));
  assert.ok(exact.factor < 1 + 1e-12);
  const bent = fittedLine(sizes, [20, 200, 6000, 20_000]);
  assert.equal(bent.at, 1000);
  assert.ok(bent.factor > 1.5 && bent.factor < 3);
  const growing = fittedLine(sizes, [10, 100, 1000, 20_000]);
  assert.equal(growing.fixed, 0, "time is never less than none");
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
    { of: "other", against: "mine", measure: "nanoseconds", must: 15 },
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
      [6e6, false, false],
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

test("the table of bindings/README.md has a row for each way of posenc", () => {
  const lines = markdown([resultOf(WORKLOAD, TIMES)]).split("\n");
  assert.equal(lines.length, 2 + 2, "mine and other");
  assert.match(lines[2], /^\| made up +\| mine +\| 2\.00 ms \| 0\.500 of limit +\|.*\| yes +\|$/);
  assert.match(lines[3], /4\.00 x the time of mine; 6000000 ns more than mine +\| no +\|$/);
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

test("an ONNX file has the nodes it was asked for", () => {
  const bytes = model([node("Mul", ["a", "b"], ["c"], { axis: 300 })], [value("a", ["n", 1])], [value("c", ["n"])]);
  // Field 1, a number: version 8 of the format; field 7, the graph, of 96 bytes at most 127.
  assert.deepEqual([...bytes.slice(0, 3)], [8, 8, 58]);
  assert.equal(bytes[3], bytes.length - 4 - sets.length);
  assert.deepEqual([...bytes.slice(-sets.length)], sets);
  assert.ok(Buffer.from(bytes).includes(Buffer.from([24, 172, 2])), "300 in seven bits at a time");
});

/** Fields 8: the operator sets, "" 17 and com.microsoft 1. */
const sets = [66, 4, 10, 0, 16, 17, 66, 17, 10, 13, ...Buffer.from("com.microsoft"), 16, 1];

/** A folder like dist with entries whose strings nothing can compress below these sizes, and comments as large. */
function entries(t, small, full) {
  const folder = scratch(t);
  let state = 1;
  const noise = (size) =>
    Uint8Array.from({ length: size }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    });
  const encoded = (size) => Buffer.from(noise(size)).toString("base64");
  const text = (size) => `// ${encoded(size)}\nexport default "${encoded(size)}";`;
  writeFileSync(join(folder, "index.js"), text(small));
  writeFileSync(join(folder, "full.js"), text(full));
  return folder;
}

test("an entry that is too large is refused, by its size minified and with brotli", (t) => {
  const said = { log: [], error: [] };
  const out = { log: (line) => said.log.push(line), error: (line) => said.error.push(line) };
  const limits = { "index.js": 40_000, "full.js": 132_000 };
  assert.equal(report(checkSizes(entries(t, 30_000, 100_000), limits), out), 0);
  assert.deepEqual(said.error, []);
  assert.equal(report(checkSizes(entries(t, 45_000, 1000), limits), out), 1);
  assert.equal(said.error.length, 1);
  assert.match(said.error[0], /^index\.js: 45\d{3} bytes with brotli, expected at most 40000$/);
  assert.match(said.log.at(-1), /^full\.js +13\d{2} +1\d{3} +1\d{3} /);
  const { raw, gzip, brotli } = sizesOf(Buffer.alloc(5000));
  assert.ok(raw === 5000 && gzip < 100 && brotli < gzip, "zeros compress");
});
