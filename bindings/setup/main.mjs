#!/usr/bin/env node
// The commands behind package.json's scripts. Plain Node without dependencies: it runs before node_modules exists.
import { parseArgs } from "node:util";
import { alone, benchModules, buildSteps, NATIVE_BENCH_PACKAGES, nativeBenchSteps } from "./build-steps.mjs";
import { ensurePackages, findChromium } from "./debian-packages.mjs";
import { explain, SetupFailure } from "./failure.mjs";
import { LINT_PACKAGES } from "./lint.mjs";
import { ensureNodePackages } from "./node-modules.mjs";
import { checkPaths } from "./paths.mjs";
import { stream } from "./processes.mjs";
import { start as startPage } from "./start.mjs";
import { runSteps } from "./steps.mjs";
import { only, sanitizedSteps, table, testSteps } from "./test-steps.mjs";
import { compilerPackages, fetchToolchain, toolEnvironment, unpackToolchain } from "./toolchain.mjs";

const BUILD_PACKAGES = ["python3", "cmake", "ninja-build", "fonts-dejavu-core", "fonts-wqy-microhei"];
const FUZZ_PACKAGES = ["clang-19", "llvm-19", "libclang-rt-19-dev"];
const OTHER_TEST_PACKAGES = ["chromium-headless-shell", "fonts-noto-cjk", "jupyter-nbconvert", "python3-numpy"];
const MATRIX_PACKAGES = ["chromium", "firefox-esr", "libwebkit2gtk-4.1-0", "xvfb"];
const TEST_PACKAGES = [...LINT_PACKAGES, ...FUZZ_PACKAGES, ...OTHER_TEST_PACKAGES];

/** The steps that every command begins with; `packages` is what it needs beyond a build. They wait for the network. */
const setupSteps = (packages = []) => [
  { name: "node-packages", title: "Node packages", processors: 0, run: alone(ensureNodePackages) },
  {
    name: "system-packages",
    title: "System packages",
    processors: 0,
    run: (line) => ensurePackages([...new Set([...BUILD_PACKAGES, ...compilerPackages(), ...packages])], line),
  },
  { name: "toolchain-download", title: "Toolchain: download", processors: 0, run: fetchToolchain },
  {
    name: "toolchain",
    title: "Toolchain",
    needs: ["node-packages", "toolchain-download"], // one of Emscripten's own is copied
    processors: 1,
    run: unpackToolchain,
  },
];

function options(args, known) {
  try {
    return parseArgs({ args, options: known }).values;
  } catch (error) {
    throw new SetupFailure(error.message);
  }
}

const build = () => runSteps([...setupSteps(), ...buildSteps]);

async function start(args) {
  const { "no-open": noOpen } = options(args, { "no-open": { type: "boolean" } });
  await startPage(setupSteps(), { open: !noOpen });
}

async function test(args) {
  const { only: names } = options(args, { only: { type: "string", multiple: true } });
  const steps = names ? only(names) : testSteps;
  await runSteps(setupSteps(TEST_PACKAGES));
  const results = await runSteps(steps, { keepGoing: true });
  console.log(`\n${table(results)}`);
  const failed = results.filter(({ state }) => state !== "ok");
  if (failed.length > 0) throw new SetupFailure(`Failed or not run: ${failed.map(({ name }) => name).join(", ")}`);
}

const lintAll = () => runSteps([...setupSteps(LINT_PACKAGES), ...only(["lint", "tidy"])]);

async function bench(args) {
  const { benchOptions } = await import("../../tests/bench/options.mjs");
  benchOptions(args); // before anything is built
  const run = {
    name: "bench",
    title: "Bench",
    run: (line) => {
      const env = { ...process.env, CHROMIUM_PATH: findChromium() };
      return stream(process.execPath, ["tests/bench/bench.mjs", ...args], line, { env });
    },
  };
  const packages = args.includes("--browser") ? ["chromium"] : [];
  await runSteps([...setupSteps(packages), ...buildSteps, benchModules, run], { out: process.stderr }); // stdout is the bench's
}

/** The trainings of the lab, and how far each encoding carries. */
async function lab(args) {
  const { labOptions } = await import("../../tests/lab/options.mjs");
  labOptions(args); // before anything is built
  const run = {
    name: "lab",
    title: "Lab",
    run: (line) => stream(process.execPath, ["tests/lab/lab.mjs", ...args], line),
  };
  await runSteps([...setupSteps(), ...buildSteps, run], { out: process.stderr }); // stdout is the tables'
}

/** The package in every program that it supports. */
async function testMatrix(args) {
  const run = {
    name: "matrix",
    title: "Matrix",
    run: (line) => {
      const env = { ...process.env, CHROMIUM_PATH: findChromium() };
      return stream(process.execPath, ["tests/matrix/matrix.mjs", ...args], line, { env });
    },
  };
  await runSteps([...setupSteps(MATRIX_PACKAGES), ...buildSteps, run]);
}

/** Ten million fuzzed calls, unless another number is given: values and behaviours. */
async function fuzz(args) {
  const run = {
    name: "fuzz-calls",
    title: "Fuzzed calls",
    run: (line) => stream(process.execPath, ["tests/robust/long-fuzz.mjs", ...args], line),
  };
  await runSteps([...setupSteps(), ...buildSteps, run], { out: process.stderr });
}

/** The tests of the API with modules that have sanitizers. */
const testSanitized = () => runSteps([...setupSteps(), ...sanitizedSteps]);

/** The sizes of dist as it is built. */
async function size() {
  const run = {
    name: "size",
    title: "Sizes",
    run: (line) => stream(process.execPath, ["tests/hygiene/size.mjs"], line),
  };
  await runSteps([...setupSteps(), ...buildSteps, run], { out: process.stderr });
}

const benchNative = (args) =>
  runSteps([...setupSteps(NATIVE_BENCH_PACKAGES), ...nativeBenchSteps(args)], { out: process.stderr });

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
  "test-matrix": testMatrix,
  build,
  lint: lintAll,
  bench,
  lab,
  "bench-native": benchNative,
  size,
  "test-fuzz": fuzz,
  "test-sanitized": testSanitized,
  toolchain,
};

async function main([name, ...args]) {
  if (!Object.hasOwn(COMMANDS, name ?? "")) throw new SetupFailure(`Commands: ${Object.keys(COMMANDS).join(", ")}`);
  checkPaths();
  await COMMANDS[name](args);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`\n${explain(error)}`);
  process.exitCode = error.exitCode ?? 1;
}
