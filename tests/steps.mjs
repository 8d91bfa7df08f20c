// Lists what `npm test` and `npm run test:all` run, in order.
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, relative } from "node:path";
import { benchModules, buildSteps, SIMD_TARGETS, simdSteps } from "../bindings/setup/build-steps.mjs";
import { buildPreset, testPreset } from "../bindings/setup/cmake.mjs";
import { findChromium, findHeadless } from "../bindings/setup/debian-packages.mjs";
import { lint, tidy } from "../bindings/setup/lint.mjs";
import { build, root } from "../bindings/setup/paths.mjs";
import { node, report } from "../bindings/setup/processes.mjs";
import { filesUnder } from "../bindings/setup/stamps.mjs";
import { only } from "../bindings/setup/steps.mjs";
import { testCoverage } from "./core/coverage.mjs";

const CONFIGURATION = ["package.json", "package-lock.json", "biome.json", "tsconfig.json", ".clang-format"];
const CORE = ["CMakeLists.txt", "CMakePresets.json", "src", "tests/core"];

/**
 * Lists what a test's result may depend on besides its files: the machine's programs and fonts, and what the shell
 * says.
 */
const machine = () => ({
  node: process.version,
  packages: statSync("/var/lib/dpkg/status", { throwIfNoEntry: false })?.mtimeMs,
  ...Object.fromEntries(["TZ", "LANG", "LC_ALL", "CHROMIUM_PATH"].map((name) => [name, process.env[name]])),
});

/** A test of `npm test`: up to date when none of its inputs changed since it passed. */
const tested = (step) => ({ ...step, isTest: true, facts: machine });

/** Tests of the API that start Node, or need the modules without SIMD. */
const ofWholePackage = ["package.test.mjs", "entries.test.mjs", "load.test.mjs", "scalar.test.mjs"];
const isOfWholePackage = (file) => ofWholePackage.includes(basename(file));

/** Tests of the API that compare stored bits: of every function, with each of its options, and of trainings. */
const ofBits = ["options.test.mjs", "training-bits.test.mjs"];

/** A test file that hangs fails by name; the longest takes a sixth of it. */
const TEST_TIMEOUT = 20 * 60_000;

/**
 * Node's test runner over the test files below one folder of tests/ that `choose` takes, after `prepare`; Node's `flags`
 * go to each.
 */
function nodeTests(folder, title, more = {}) {
  const { flags = [], choose = () => true, prepare = () => {}, ...rest } = more;
  const step = { name: folder, title, needs: ["package"], ...rest };
  const run = async (line) => {
    await prepare(line);
    const files = filesUnder(join(root, "tests", folder))
      .filter((file) => file.endsWith(".test.mjs") && choose(file))
      .map((file) => relative(root, file));
    const atOnce = step.processors ?? availableParallelism();
    const runner = ["--test", `--test-concurrency=${atOnce}`, `--test-timeout=${TEST_TIMEOUT}`, "--test-reporter=spec"];
    const env = { ...process.env, CHROMIUM_PATH: findHeadless() };
    return report(process.execPath, [...flags, ...runner, ...files], line, { log: `test-${step.name}`, env });
  };
  return { ...step, run };
}

/** Playwright's test runner over tests/page, with these options of its command line; each of `fonts` in turn. */
function pageTests(name, title, options, more = {}) {
  const { fonts = [""], prepare = () => {}, ...rest } = more;
  const command = ["node_modules/@playwright/test/cli.js", "test", "--config", "tests/page/playwright.config.mjs"];
  const run = async (line) => {
    await prepare(line);
    const outcomes = [];
    for (const set of fonts) {
      const env = { ...process.env, ...(set && { POSENC_FONTS: set }) };
      outcomes.push(await report(process.execPath, [...command, ...options], line, { log: `test-${name}`, env }));
    }
    return outcomes.join(", ");
  };
  return { name, title, needs: ["page-build"], ...rest, run };
}

/** The targets of a preset (all when none is named), built, and those of its tests that CTest's options choose. */
const coreTests = (name, title, preset, targets, options, more) => ({
  name,
  title,
  ...more,
  run: async (line) => {
    await buildPreset(preset, targets, line);
    return testPreset(preset, options, line);
  },
});

/** The names that CTest has for the core's tests, compiled quickly. */
const EVERY_TEST = "^every test, ";

/** Installs programs from npm that a folder of tests needs, by a function of its install.mjs. */
const programs = (folder, install) => async (line) => (await import(`./${folder}/install.mjs`))[install](line);

/** The steps of `npm test`: what is quick or breaks often comes first. */
export const quickSteps = [
  tested({
    name: "lint",
    title: "types, style, form, which module may use which, and how large each floor may be",
    inputs: [...CONFIGURATION, ".clang-tidy", "src", "bindings", "web", "tests"],
    run: lint,
  }),
  ...simdSteps,
  tested(
    coreTests(
      "native",
      "every function of the core, against formulas in 113 bits",
      "native",
      ["core_tests"],
      ["--tests-regex", EVERY_TEST],
      {
        processors: 1, // beside the package and the page, which are made by one process each
        inputs: CORE,
      },
    ),
  ),
  tested(
    nodeTests("setup", "what the commands do where something is missing or was interrupted", {
      inputs: [...CONFIGURATION, "bindings", "web", "tests/setup"],
    }),
  ),
  tested(
    nodeTests("api", "every function of the library, its errors and its memory", {
      choose: (file) => !isOfWholePackage(file),
      inputs: [...CONFIGURATION, "dist", "bindings", "tests/api"],
    }),
  ),
  tested(
    pageTests("page", "the page in a browser, in both languages", ["--grep-invert", "@all|@layout"], {
      inputs: [...CONFIGURATION, "dist", "build/page", "tests/page"],
    }),
  ),
];

/** Lists what `npm run test:all` runs besides. */
const moreSteps = [
  benchModules,
  nodeTests("api", "what the package publishes, entry by entry", { name: "api-package", choose: isOfWholePackage }),
  // The flag disables wasm SIMD in V8 on x86.
  nodeTests("api", "every function of the library has the same bits where an engine has no SIMD", {
    name: "api-scalar",
    flags: ["--no-enable-ssse3"],
    choose: (file) => ofBits.includes(basename(file)),
  }),
  coreTests(
    "dispatch",
    "the optimised core gives the same on each level; a project builds with what is installed",
    "native",
    ["all", "core_tests_optimized"],
    ["--exclude-regex", EVERY_TEST],
  ),
  pageTests(
    "page-long",
    "all widths of the page, WCAG criterion by criterion, trainings, wrong libraries",
    ["--grep", "@all", "--grep-invert", "@layout"],
    { packages: ["fonts"] },
  ),
  pageTests("page-fonts", "no layout depends on the machine's fonts", ["--grep", "@layout"], {
    packages: ["fonts"],
    fonts: ["bare", "desktop", "noto"],
    prepare: async () => (await import("./page/fonts.mjs")).unpackFonts(),
  }),
  nodeTests("interop", "what other libraries read and write", {
    needs: ["page-build", "dispatch"],
    packages: ["interop"],
    processors: 1,
  }),
  nodeTests("robust", "no call breaks memory or other calls, whatever it is given"),
  nodeTests("matrix", "the browsers that the matrix starts"),
  {
    name: "matrix-rows",
    title: "the package in every engine, bundler, framework and browser",
    needs: ["page-build"],
    packages: ["matrix"],
    run: (line) => {
      const env = { ...process.env, CHROMIUM_PATH: findChromium() };
      return report(process.execPath, ["tests/matrix/matrix.mjs"], line, { log: "matrix", env });
    },
  },
  nodeTests("hygiene", "published types in every module resolution; nothing unused", {
    needs: ["package", "bench-modules"],
    processors: 1,
    prepare: programs("hygiene", "installHygiene"),
  }),
  {
    name: "bench-guard",
    title: "nothing is a third slower than its mark, beside loops in the same process",
    needs: ["package", "bench-modules"],
    run: (line) =>
      report(process.execPath, ["tests/bench/bench.mjs", "--guard", "--rounds", "9"], line, { log: "bench-guard" }),
  },
  coreTests("wasm", "every function of the core under Node, with SIMD and without", "wasm", [], [], {
    needs: ["package"],
  }),
  { name: "tidy", title: "bug patterns and paths through the core", packages: ["tidy"], run: tidy },
  // Clang where "native" is mostly GCC, and AVX2 where that is SSE2: the stored hashes are the same.
  {
    name: "coverage",
    title: "no undefined behaviour, no stray access, and 95 % of all lines of the core run",
    packages: ["clang"],
    run: testCoverage,
  },
  coreTests("fuzz", "invariants of the core for any input", "clang", [], ["--label-regex", "fuzz"], {
    packages: ["clang"],
  }),
  nodeTests("notebooks", "the notebooks run and show what they say", {
    packages: ["notebooks"],
    prepare: programs("notebooks", "installNotebooks"),
  }),
];

/** Lists what is left of `npm run test:all` after `npm test`; the package is whole now, and so is the page. */
export const restSteps = [...buildSteps, ...moreSteps];

/** All tests, on the whole package. */
export const allSteps = [
  ...buildSteps,
  ...quickSteps.filter(({ name }) => !buildSteps.some((step) => step.name === name)),
  ...moreSteps,
];

/** The steps named and what they need, of `npm test` if it has them all. */
export const chosenSteps = (names) =>
  only(names, names.every((name) => quickSteps.some((step) => step.name === name)) ? quickSteps : allSteps);

/** `npm run test:sanitized`: the modules with sanitizers, the package made of them, and the tests that load it. */
export const sanitizedSteps = [
  {
    name: "sanitized-modules",
    title: "the WebAssembly modules with sanitizers",
    run: (line) => buildPreset("wasm-asan", SIMD_TARGETS, line),
  },
  {
    name: "sanitized-package",
    title: "the package of them (build/sanitized)",
    needs: ["sanitized-modules"],
    run: () => node("sanitized-package", ["bindings/package/build.mjs", "--sanitized", join(build, "sanitized")]),
  },
  nodeTests("api", "no call of the API makes the core read or write astray", {
    name: "api-sanitized",
    needs: ["sanitized-package"],
    // Freed memory is not used again soon, so that its use is found.
    flags: [
      "--import=./tests/robust/sanitized.mjs",
      "--test-name-pattern=/^(?!<root>|.*leave the memory as it was|when the memory grows|.*what stands there now)/",
    ],
    choose: (file) => !isOfWholePackage(file),
  }),
];
