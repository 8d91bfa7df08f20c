#!/usr/bin/env node
// The commands behind package.json's scripts. Plain Node without dependencies: it runs before node_modules exists.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchModules, buildSteps } from "./build-steps.mjs";
import { buildPreset } from "./cmake.mjs";
import { findChromium } from "./debian-packages.mjs";
import { explain, SetupFailure } from "./failure.mjs";
import { format } from "./lint.mjs";
import { withLock } from "./lock.mjs";
import { build, checkPaths } from "./paths.mjs";
import { stream } from "./processes.mjs";
import { setUp } from "./set-up.mjs";
import { startPage } from "./start.mjs";
import { runSteps, table } from "./steps.mjs";

function options(args, known) {
  try {
    return parseArgs({ args, options: known }).values;
  } catch (error) {
    throw new SetupFailure(error.message);
  }
}

const FLAG = { type: "boolean" };

const testSteps = () => import("../../tests/steps.mjs");

/** `npm test`, and with `--all` or `--rest` what test:all runs or runs besides. */
async function test(args) {
  const known = { only: { type: "string", multiple: true }, all: FLAG, rest: FLAG, again: FLAG };
  const { only: names, all, rest, again } = options(args, known);
  const { allSteps, chosenSteps, quickSteps, restSteps } = await testSteps();
  const steps = names ? chosenSteps(names) : all ? allSteps : rest ? restSteps : quickSteps;
  const before = await setUp(["test", ...steps.flatMap(({ packages = [] }) => packages)]);
  const results = [...before, ...(await runSteps(steps, { keepGoing: true, again }))];
  console.log(`\n${table(results)}`);
  if (results.some(({ state }) => state === "failed" || state === "not run")) process.exitCode = 1;
}

/**
 * A command that builds, and then hands the terminal to a program of Node's. `check` refuses options at once, whoever is
 * at work in this folder.
 */
function program(file, { kinds = () => [], steps = buildSteps, check } = {}) {
  async function run(args) {
    const out = process.stderr; // stdout is the program's
    await setUp(kinds(args), { out });
    await runSteps(steps, { out });
    await stream(process.execPath, [file, ...args], { env: { ...process.env, CHROMIUM_PATH: findChromium() } });
  }
  return Object.assign(run, { check });
}

/** A command that makes these steps, with what they need of the machine. */
const making = (stepsOf, kinds) => async () => {
  await setUp(kinds);
  await runSteps(await stepsOf());
};

/** The benchmark of the C++ library. */
async function benchNative() {
  const out = process.stderr;
  const run = (line) => buildPreset("native-bench", ["posenc_native_bench"], line);
  await setUp(["bench"], { out });
  await runSteps([{ name: "native-bench", title: "the benchmark compiles", run }], { out });
  await stream(join(build, "native-bench", "tests", "bench", "native", "posenc_native_bench"), []);
}

const COMMANDS = {
  start: (args) => startPage(!options(args, { "no-open": FLAG })["no-open"]),
  test,
  build: making(() => buildSteps),
  lint: making(async () => (await testSteps()).chosenSteps(["lint", "tidy"]), ["test", "tidy"]),
  format: making(() => [{ name: "format", title: "what can be mended is", run: format }], ["test"]),
  bench: program("tests/bench/bench.mjs", {
    steps: [...buildSteps, benchModules],
    check: async (args) => (await import("../../tests/bench/options.mjs")).benchOptions(args),
  }),
  judge: program("tests/judge/main.mjs"),
  lab: program("tests/lab/lab.mjs", {
    check: async (args) => (await import("../../tests/lab/options.mjs")).labOptions(args),
  }),
  "bench-native": benchNative,
  size: program("tests/hygiene/size.mjs"),
  "test-matrix": program("tests/matrix/matrix.mjs", { kinds: () => ["matrix"] }),
  "test-fuzz": program("tests/robust/fuzz.mjs"),
  "test-sanitized": making(async () => (await testSteps()).sanitizedSteps),
};

const say = (pid) => console.error(`Waiting for process ${pid}, which is at work in this folder …`);

try {
  const [name, ...args] = process.argv.slice(2);
  if (!Object.hasOwn(COMMANDS, name ?? "")) throw new SetupFailure(`Commands: ${Object.keys(COMMANDS).join(", ")}`);
  checkPaths();
  await COMMANDS[name].check?.(args);
  // One command at a time works in this folder: two builds would overwrite each other's files.
  await withLock(join(build, "lock"), () => COMMANDS[name](args), say);
} catch (error) {
  console.error(`\n${explain(error)}`);
  process.exitCode = error.exitCode ?? 1;
}
