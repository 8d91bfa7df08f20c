#!/usr/bin/env node
// The commands behind package.json's scripts. Plain Node without dependencies: it runs before node_modules exists.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchModules, buildSteps } from "./build-steps.mjs";
import { buildPreset } from "./cmake.mjs";
import { findChromium } from "./debian-packages.mjs";
import { explain, SetupFailure } from "./failure.mjs";
import { withLock } from "./lock.mjs";
import { build, checkPaths } from "./paths.mjs";
import { stream } from "./processes.mjs";
import { setupSteps } from "./set-up.mjs";
import { startPage } from "./start.mjs";
import { only, runSteps, table } from "./steps.mjs";
import { allSteps, chosenSteps, quickSteps, restSteps, sanitizedSteps } from "./test-steps.mjs";
import { toolEnvironment } from "./toolchain.mjs";

function options(args, known) {
  try {
    return parseArgs({ args, options: known }).values;
  } catch (error) {
    throw new SetupFailure(error.message);
  }
}

async function start(args) {
  const { "no-open": noOpen } = options(args, { "no-open": { type: "boolean" } });
  await startPage(setupSteps(), { open: !noOpen, alone });
}

/** `npm test`, and with `--all` or `--rest` what test:all runs or runs besides. */
async function test(args) {
  const known = { only: { type: "string", multiple: true } };
  for (const name of ["all", "rest", "again"]) known[name] = { type: "boolean" };
  const { only: names, all, rest, again } = options(args, known);
  const steps = names ? chosenSteps(names) : all ? allSteps : rest ? restSteps : quickSteps;
  const isNeeded = (kind) => kind === "test" || steps.some(({ needs = [] }) => needs.includes(`${kind}-packages`));
  const setup = setupSteps(["test", "more", "matrix"].filter(isNeeded));
  const results = await runSteps([...setup, ...steps], { keepGoing: true, again });
  console.log(`\n${table(results)}`);
  const failed = results.filter(({ state }) => state === "failed" || state === "not run");
  if (failed.length > 0) throw Object.assign(new SetupFailure(""), { isTold: true });
}

/**
 * A command that builds, and then hands the terminal to a program of Node's. `check` refuses options at once, whoever is
 * at work in this folder.
 */
function program(file, { kinds = [], steps = buildSteps, check } = {}) {
  async function run(args) {
    await runSteps([...setupSteps(kinds), ...steps], { out: process.stderr }); // stdout is the program's
    await stream(process.execPath, [file, ...args], { env: { ...process.env, CHROMIUM_PATH: findChromium() } });
  }
  return Object.assign(run, { check });
}

/** The benchmark of the C++ library. */
async function benchNative() {
  const made = {
    name: "native-bench",
    title: "Native bench",
    needs: ["toolchain", "system-packages", "bench-packages"],
    run: (line) => buildPreset("native-bench", ["posenc_native_bench"], line),
  };
  await runSteps([...setupSteps(["bench"]), made], { out: process.stderr });
  await stream(join(build, "native-bench", "tests", "bench", "native", "posenc_native_bench"), []);
}

const quote = (value) => `'${value.replaceAll("'", "'\\''")}'`;

async function toolchain(args) {
  const { "print-env": printEnv } = options(args, { "print-env": { type: "boolean" } });
  await runSteps(setupSteps(), { out: printEnv ? process.stderr : process.stdout });
  if (!printEnv) return;
  for (const [name, value] of Object.entries(toolEnvironment())) console.log(`export ${name}=${quote(value)}`);
}

const COMMANDS = {
  start,
  test,
  build: () => runSteps([...setupSteps(), ...buildSteps]),
  lint: () => runSteps([...setupSteps(["test", "more"]), ...only(["lint", "tidy"], allSteps)]),
  bench: program("tests/bench/bench.mjs", {
    steps: [...buildSteps, benchModules],
    check: async (args) => (await import("../../tests/bench/options.mjs")).benchOptions(args),
  }),
  lab: program("tests/lab/lab.mjs", {
    check: async (args) => (await import("../../tests/lab/options.mjs")).labOptions(args),
  }),
  "bench-native": benchNative,
  size: program("tests/hygiene/size.mjs"),
  "test-matrix": program("tests/matrix/matrix.mjs", { kinds: ["matrix"] }),
  "test-fuzz": program("tests/robust/fuzz.mjs"),
  "test-sanitized": () => runSteps([...setupSteps(), ...sanitizedSteps]),
  toolchain,
};

/** One command at a time works in this folder: two builds would overwrite each other's files. */
const alone = (work) =>
  withLock(join(build, "lock"), work, (pid) =>
    console.error(`Waiting for process ${pid}, which is at work in this folder …`),
  );

try {
  const [name, ...args] = process.argv.slice(2);
  if (!Object.hasOwn(COMMANDS, name ?? "")) throw new SetupFailure(`Commands: ${Object.keys(COMMANDS).join(", ")}`);
  checkPaths();
  await COMMANDS[name].check?.(args);
  const run = () => COMMANDS[name](args);
  await (["toolchain", "start"].includes(name) ? run() : alone(run)); // start serves without holding the lock
} catch (error) {
  if (!error.isTold) console.error(`\n${explain(error)}`);
  process.exitCode = error.exitCode ?? 1;
}
