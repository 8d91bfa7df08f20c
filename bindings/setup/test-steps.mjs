// Lists what `npm test` and `npm run test:all` run, in order.
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, relative } from "node:path";
import { benchModules, buildSteps, node, SIMD_TARGETS, simdSteps } from "./build-steps.mjs";
import { buildPreset, testPreset } from "./cmake.mjs";
import { testCoverage } from "./coverage.mjs";
import { findChromium, findHeadless } from "./debian-packages.mjs";
import { lint, tidy } from "./lint.mjs";
import { build, root } from "./paths.mjs";
import { report } from "./processes.mjs";
import { filesUnder } from "./stamps.mjs";
import { only } from "./steps.mjs";

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

/** The test files below a folder of tests/, from the project's root. */
export const testFiles = (folder) =>
  filesUnder(join(root, "tests", folder))
    .filter((file) => file.endsWith(".test.mjs"))
    .map((file) => relative(root, file));

/** A test file that hangs fails by name; the longest takes a sixth of it. */
const TEST_TIMEOUT = 20 * 60_000;

/** Node's test runner over the test files below one folder of tests/ that `choose` takes; Node's `flags` go to each. */
function nodeTests(folder, guards, needs, options = {}) {
  const { name = folder, title = `tests/${folder}`, flags = [], choose = () => true, processors, inputs } = options;
  const run = (line) => {
    const files = testFiles(folder).filter((file) => choose(basename(file)));
    const atOnce = processors ?? availableParallelism();
    const runner = ["--test", `--test-concurrency=${atOnce}`, `--test-timeout=${TEST_TIMEOUT}`, "--test-reporter=spec"];
    const args = [...flags, ...runner, ...files];
    return report(process.execPath, args, line, {
      log: `test-${name}`,
      env: { ...process.env, CHROMIUM_PATH: findHeadless() },
    });
  };
  return { name, title, guards, needs, processors, inputs, run };
}

/** Playwright's test runner over tests/page, with these options of its command line; each of `fonts` in turn. */
function pageTests(name, title, guards, options, more = {}) {
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
  return { name, title, guards, needs: ["page-build", "test-packages"], ...rest, run };
}

/** Programs from npm that a folder of tests needs, below build/; `install` is a function of its install.mjs. */
const programs = (folder, install) => ({
  name: `${folder}-programs`,
  title: `tests/${folder}: programs`,
  guards: "what these tests need is there",
  needs: ["package"],
  processors: 0,
  run: async (line) => (await import(`../../tests/${folder}/install.mjs`))[install](line),
});

/** The steps of `npm test`: what is quick or breaks often comes first. */
export const quickSteps = [
  tested({
    name: "lint",
    title: "Lint",
    guards: "types, style, form, and which module may use which",
    needs: ["node-packages", "test-packages"],
    inputs: [...CONFIGURATION, ".clang-tidy", "src", "bindings", "web", "tests"],
    run: lint,
  }),
  ...simdSteps,
  {
    name: "native-build",
    title: "C++ core, native: build",
    guards: "the core and its tests compile without warnings",
    needs: ["toolchain", "system-packages", "test-packages"],
    processors: 1, // beside the package and the page, which are made by one process each
    run: (line) => buildPreset("native", ["core_tests"], line),
  },
  tested({
    name: "native",
    title: "C++ core, native: tests",
    guards: "every function of the core, against formulas in 113 bits",
    needs: ["native-build"],
    inputs: CORE,
    run: (line) => testPreset("native", ["--tests-regex", "^every test, "], line),
  }),
  tested(
    nodeTests("setup", "what the commands do where something is missing or was interrupted", ["package"], {
      inputs: [...CONFIGURATION, "bindings", "web", "tests/setup"],
    }),
  ),
  tested(
    nodeTests("api", "every function of the library, its errors and its memory", ["package"], {
      choose: (file) => !ofWholePackage.includes(file),
      inputs: [...CONFIGURATION, "dist", "bindings", "tests/api"],
    }),
  ),
  tested(
    pageTests("page", "tests/page", "the page in a browser, in both languages", ["--grep-invert", "@all|@layout"], {
      inputs: [...CONFIGURATION, "dist", "build/page", "tests/page"],
    }),
  ),
];

/** Lists what `npm run test:all` runs besides. */
const moreSteps = [
  benchModules,
  nodeTests("api", "what the package publishes, entry by entry", ["package"], {
    name: "api-package",
    title: "tests/api, the package",
    choose: (file) => ofWholePackage.includes(file),
  }),
  // The flag disables wasm SIMD in V8 on x86.
  nodeTests("api", "the same functions where an engine has no SIMD", ["package"], {
    name: "api-scalar",
    title: "tests/api without SIMD",
    flags: ["--no-enable-ssse3"],
    choose: (file) => !ofWholePackage.includes(file),
  }),
  {
    name: "dispatch-build",
    title: "C++ core, optimised: build",
    guards: "the shared library for each level of the processor",
    needs: ["native-build", "test-packages"],
    run: (line) => buildPreset("native", ["all", "core_tests_optimized"], line),
  },
  {
    name: "dispatch",
    title: "C++ core, optimised: tests",
    guards: "optimised code gives the same, on each level; a project builds with what is installed",
    needs: ["dispatch-build"],
    run: (line) => testPreset("native", ["--exclude-regex", "^every test, "], line),
  },
  pageTests(
    "page-long",
    "tests/page, the rest",
    "all widths of the page, WCAG criterion by criterion, trainings, wrong libraries",
    ["--grep", "@all", "--grep-invert", "@layout"],
  ),
  pageTests(
    "page-fonts",
    "tests/page, other fonts",
    "no layout depends on the machine's fonts",
    ["--grep", "@layout"],
    {
      fonts: ["bare", "desktop", "noto"],
      prepare: async () => (await import("../../tests/page/fonts.mjs")).unpackFonts(),
    },
  ),
  nodeTests(
    "interop",
    "what other libraries read and write",
    ["package", "page-build", "dispatch-build", "test-packages", "more-packages"],
    {
      processors: 1,
    },
  ),
  nodeTests("robust", "no call breaks memory or other calls, whatever it is given", ["package"]),
  nodeTests("matrix", "the tables that the matrix compares with", ["package"]),
  {
    name: "matrix-rows",
    title: "Matrix",
    guards: "the package in every engine, bundler, framework and browser",
    needs: ["page-build", "test-packages", "matrix-packages"],
    run: (line) =>
      report(process.execPath, ["tests/matrix/matrix.mjs"], line, {
        log: "matrix",
        env: { ...process.env, CHROMIUM_PATH: findChromium() },
      }),
  },
  programs("hygiene", "installHygiene"),
  nodeTests(
    "hygiene",
    "published types in every module resolution; nothing unused",
    ["hygiene-programs", "bench-modules"],
    {
      processors: 1,
    },
  ),
  {
    name: "bench-guard",
    title: "Bench: ten rows",
    guards: "nothing is a third slower than its mark, beside loops in the same process",
    needs: ["package", "bench-modules"],
    run: (line) =>
      report(process.execPath, ["tests/bench/bench.mjs", "--guard", "--rounds", "9"], line, { log: "bench-guard" }),
  },
  {
    name: "wasm-build",
    title: "C++ core, WebAssembly: build",
    guards: "the core's tests compile for WebAssembly",
    needs: ["package"],
    run: (line) => buildPreset("wasm", [], line),
  },
  {
    name: "wasm",
    title: "C++ core, WebAssembly: tests",
    guards: "every function of the core under Node, with SIMD and without",
    needs: ["wasm-build"],
    run: (line) => testPreset("wasm", [], line),
  },
  {
    name: "tidy",
    title: "clang-tidy",
    guards: "bug patterns and paths through the core",
    needs: ["native-build", "test-packages", "more-packages"],
    run: tidy,
  },
  // Clang where "native" is mostly GCC, and AVX2 where that is SSE2: the stored hashes are the same.
  {
    name: "clang-build",
    title: "C++ core, sanitizers: build",
    guards: "Clang compiles the core for AVX2",
    needs: ["toolchain", "system-packages", "test-packages", "more-packages"],
    run: (line) => buildPreset("clang", [], line),
  },
  {
    name: "coverage",
    title: "C++ core, sanitizers and coverage: tests",
    guards: "no undefined behaviour, no stray access, and 95 % of all lines run",
    needs: ["clang-build"],
    run: testCoverage,
  },
  {
    name: "fuzz",
    title: "C++ core, fuzzers",
    guards: "invariants for any input",
    needs: ["clang-build"],
    run: (line) => testPreset("clang", ["--label-regex", "fuzz"], line),
  },
  programs("notebooks", "installNotebooks"),
  nodeTests("notebooks", "the notebooks run and show what they say", [
    "notebooks-programs",
    "test-packages",
    "more-packages",
  ]),
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
    title: "WebAssembly modules with sanitizers",
    needs: ["toolchain", "system-packages"],
    run: (line) => buildPreset("wasm-asan", SIMD_TARGETS, line),
  },
  {
    name: "sanitized-package",
    title: "Package of them (build/sanitized)",
    needs: ["sanitized-modules", "node-packages"],
    run: () => node("sanitized-package", ["bindings/package/build.mjs", "--sanitized", join(build, "sanitized")]),
  },
  nodeTests("api", "no call of the API makes the core read or write astray", ["sanitized-package"], {
    name: "api-sanitized",
    title: "tests/api with sanitizers",
    // Freed memory is not used again soon, so that its use is found.
    flags: [
      "--import=./tests/robust/sanitized.mjs",
      "--test-name-pattern=/^(?!<root>|.*leave the memory as it was|when the memory grows|.*what stands there now)/",
    ],
    choose: (file) => !ofWholePackage.includes(file),
  }),
];
