// What `npm test` runs, in order, and the table it ends with.
import { availableParallelism } from "node:os";
import { basename, join, relative } from "node:path";
import { alone, benchModules, buildSteps } from "./build-steps.mjs";
import { buildPreset, testPreset } from "./cmake.mjs";
import { testCoverage } from "./coverage.mjs";
import { findHeadless } from "./debian-packages.mjs";
import { SetupFailure } from "./failure.mjs";
import { lint } from "./lint.mjs";
import { root } from "./paths.mjs";
import { stream } from "./processes.mjs";
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

/** Node's test runner over the test files below one folder of tests/, which hands Node's `flags` on to each. */
const nodeTests = (folder, needs, { name = folder, title = `tests/${folder}`, flags = [], leaveOut = [] } = {}) => ({
  name,
  title,
  needs,
  run: (line) => {
    const files = testFiles(folder).filter((file) => !leaveOut.includes(basename(file)));
    if (files.length === 0) return "no test files";
    const args = [...flags, "--test", "--test-reporter=spec", ...files];
    return stream(process.execPath, args, line, { env: { ...process.env, CHROMIUM_PATH: findHeadless() } });
  },
});

/** Jupyter's kernels and Observable's tools, below build/notebooks. */
const notebookPrograms = {
  name: "notebook-programs",
  title: "Notebooks: programs",
  needs: ["package"],
  run: alone(async (line) => (await import("../../tests/notebooks/install.mjs")).installNotebooks(line)),
};

/** The programs that check the package, below build/hygiene. */
const hygienePrograms = {
  name: "hygiene-programs",
  title: "Hygiene: programs",
  needs: ["package"],
  run: alone(async (line) => (await import("../../tests/hygiene/install.mjs")).installHygiene(line)),
};

export const testSteps = [
  { name: "lint", title: "Lint", run: lint },
  ...presetSteps("native", "C++ core, native"),
  // Clang where "native" is mostly GCC, and AVX2 where that is SSE2: the stored hashes are the same.
  ...presetSteps("coverage", "C++ core, sanitizers and coverage", testCoverage),
  ...presetSteps("fuzz", "C++ core, fuzzers"),
  ...presetSteps("wasm", "C++ core, WebAssembly under Node"),
  ...buildSteps,
  benchModules,
  nodeTests("setup", []),
  nodeTests("api", ["package", "bench-modules"]),
  // The flag disables wasm SIMD in V8 on x86: the files left out start Node or the benchmark, or load files with SIMD.
  nodeTests("api", ["package"], {
    name: "api-scalar",
    title: "tests/api without SIMD",
    flags: ["--no-enable-ssse3"],
    leaveOut: ["package.test.mjs", "entries.test.mjs", "load.test.mjs", "scalar.test.mjs", "bench.test.mjs"],
  }),
  nodeTests("interop", ["package"]),
  nodeTests("robust", ["package"]),
  nodeTests("matrix", ["package"], { title: "tests/matrix, the rows that download nothing" }),
  hygienePrograms,
  nodeTests("hygiene", ["hygiene-programs"]),
  // They wait for frames half of the time: one file for each processor, where Node would leave one processor free.
  nodeTests("page", ["reference"], { flags: [`--test-concurrency=${availableParallelism()}`] }),
  notebookPrograms,
  nodeTests("notebooks", ["notebook-programs"]),
];

/** The steps named and all that they need, in the table's order. */
export function only(names, steps = testSteps) {
  const wanted = new Set();
  const add = (name) => {
    const step = steps.find((candidate) => candidate.name === name);
    if (!step)
      throw new SetupFailure(`--only: ${name}, expected one of ${steps.map((known) => known.name).join(", ")}`);
    wanted.add(name);
    for (const need of step.needs ?? []) add(need);
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
