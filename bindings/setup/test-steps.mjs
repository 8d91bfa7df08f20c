// What `npm test` runs, in order, and the table it ends with.
import { availableParallelism } from "node:os";
import { basename, join, relative } from "node:path";
import { alone, benchModules, buildSteps, SIMD_TARGETS } from "./build-steps.mjs";
import { buildPreset, testPreset } from "./cmake.mjs";
import { testCoverage } from "./coverage.mjs";
import { findHeadless } from "./debian-packages.mjs";
import { SetupFailure } from "./failure.mjs";
import { lint, tidy } from "./lint.mjs";
import { build, root } from "./paths.mjs";
import { capture, report } from "./processes.mjs";
import { filesUnder } from "./stamps.mjs";
import { seconds } from "./steps.mjs";

/** A preset's build and its tests: two steps, so that the table tells which of them failed. */
const presetSteps = (preset, what, run = (line) => testPreset(preset, line)) => [
  { name: `${preset}-build`, title: `${what}: build`, run: alone((line) => buildPreset(preset, [], line)) },
  { name: preset, title: `${what}: tests`, needs: [`${preset}-build`], run },
];

/** The test files below a folder of tests/, from the project's root. */
export const testFiles = (folder) =>
  filesUnder(join(root, "tests", folder))
    .filter((file) => file.endsWith(".test.mjs"))
    .map((file) => relative(root, file));

/**
 * Node's test runner over the test files below one folder of tests/, which hands Node's `flags` on to each: `files` of
 * them at once, by default as many as the step has processors.
 */
function nodeTests(folder, needs, options = {}) {
  const { name = folder, title = `tests/${folder}`, flags = [], leaveOut = [], processors } = options;
  const { files: atOnce = processors ?? availableParallelism() } = options;
  const run = (line) => {
    const files = testFiles(folder).filter((file) => !leaveOut.includes(basename(file)));
    if (files.length === 0) return "no test files";
    const args = [...flags, "--test", `--test-concurrency=${atOnce}`, "--test-reporter=spec", ...files];
    const env = { ...process.env, CHROMIUM_PATH: findHeadless() };
    return report(process.execPath, args, line, { log: `test-${name}`, env });
  };
  return { name, title, needs, processors, run };
}

/** Tests of the API that start Node, or load files of dist by name. */
const ofOtherModules = ["package.test.mjs", "entries.test.mjs", "load.test.mjs", "scalar.test.mjs"];

/** Jupyter's kernels and Observable's tools, below build/notebooks. */
const notebookPrograms = {
  name: "notebook-programs",
  title: "Notebooks: programs",
  needs: ["package"],
  processors: 0,
  run: async (line) => (await import("../../tests/notebooks/install.mjs")).installNotebooks(line),
};

/** The programs that check the package, below build/hygiene. */
const hygienePrograms = {
  name: "hygiene-programs",
  title: "Hygiene: programs",
  needs: ["package"],
  processors: 0,
  run: async (line) => (await import("../../tests/hygiene/install.mjs")).installHygiene(line),
};

// What is quick or breaks often comes first.
export const testSteps = [
  { name: "lint", title: "Lint", run: lint },
  ...buildSteps,
  nodeTests("setup", ["package"], { processors: 1 }),
  ...presetSteps("native", "C++ core, native"),
  benchModules,
  nodeTests("api", ["package"]),
  // The flag disables wasm SIMD in V8 on x86.
  nodeTests("api", ["package"], {
    name: "api-scalar",
    title: "tests/api without SIMD",
    flags: ["--no-enable-ssse3"],
    leaveOut: ofOtherModules,
  }),
  nodeTests("interop", ["package", "page-build", "native-build"], { processors: 1 }),
  nodeTests("robust", ["package"]),
  nodeTests("matrix", ["package"], { title: "tests/matrix, the rows that download nothing" }),
  hygienePrograms,
  nodeTests("hygiene", ["hygiene-programs", "bench-modules"], { processors: 1 }),
  // They wait for frames, and some for seconds: one file more than there are processors.
  nodeTests("page", ["reference", "single"], { files: availableParallelism() + 1 }),
  ...presetSteps("wasm", "C++ core, WebAssembly under Node"),
  { name: "tidy", title: "clang-tidy", run: tidy },
  // Clang where "native" is mostly GCC, and AVX2 where that is SSE2: the stored hashes are the same.
  ...presetSteps("coverage", "C++ core, sanitizers and coverage", testCoverage),
  ...presetSteps("fuzz", "C++ core, fuzzers"),
  notebookPrograms,
  nodeTests("notebooks", ["notebook-programs"]),
];

/** `npm run test:sanitized`: the modules with sanitizers, the package made of them, and the tests that load it. */
export const sanitizedSteps = [
  {
    name: "sanitized-modules",
    title: "WebAssembly modules with sanitizers",
    run: alone((line) => buildPreset("wasm-asan", SIMD_TARGETS, line)),
  },
  {
    name: "sanitized-package",
    title: "Package of them (build/sanitized)",
    needs: ["sanitized-modules"],
    run: () =>
      capture(process.execPath, ["bindings/package/build.mjs", "--sanitized", join(build, "sanitized")], {
        log: "sanitized-package",
      }),
  },
  nodeTests("api", ["sanitized-package"], {
    name: "api-sanitized",
    title: "tests/api with sanitizers",
    // What is freed is not used again soon, so that its use is found; a part of the 2 GiB is the sanitizer's, and where
    // nothing is left it ends the instance.
    flags: [
      "--import=./tests/robust/sanitized.mjs",
      "--test-name-pattern=/^(?!<root>|.*leave the memory as it was|when the memory grows|.*what stands there now|full of|forgotten in one loop)/",
    ],
    leaveOut: ofOtherModules,
  }),
];

/** The steps named and all that they need, in the table's order. */
export function only(names, steps = testSteps) {
  const wanted = new Set();
  const add = (name) => {
    const step = steps.find((candidate) => candidate.name === name);
    if (!step)
      throw new SetupFailure(`--only: ${name}, expected one of ${steps.map((known) => known.name).join(", ")}`);
    wanted.add(name);
    for (const need of step.needs ?? []) if (steps.some((candidate) => candidate.name === need)) add(need);
  };
  for (const name of names) add(name);
  return steps.filter(({ name }) => wanted.has(name));
}

/** The closing table, one row per step. */
export function table(results) {
  const width = Math.max(...results.map(({ title }) => title.length));
  return results
    .map(({ title, ms, state }) => `${title.padEnd(width)}  ${seconds(ms).padStart(7)}  ${state}`)
    .join("\n");
}
