// What `npm run build` makes, and `npm start` first: each row has its inputs, its outputs and how it is made. A step is skipped when
// none of its inputs changed since it last succeeded.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildPreset } from "./cmake.mjs";
import { findEmscripten } from "./emscripten.mjs";
import { sharedLock } from "./lock.mjs";
import { build, root } from "./paths.mjs";
import { capture, stream } from "./processes.mjs";
import { fingerprint, isMade, unlessStamped } from "./stamps.mjs";

const SETUP = ["node-packages", "system-packages", "toolchain"];
const PACKAGES = ["package.json", "package-lock.json", "tsconfig.json"];
const CORE = [
  "CMakeLists.txt",
  "CMakePresets.json",
  "src",
  "bindings/CMakeLists.txt",
  "bindings/embind",
  "bindings/js",
];
const glueAndWasm = (name) => ["mjs", "wasm"].map((ending) => `build/wasm/bindings/${name}.${ending}`);
const NAMES = ["posenc", "posenc_full", "posenc_tools", "posenc_lab"];
const SIMD_MODULES = NAMES.flatMap(glueAndWasm);
const MODULES = [...SIMD_MODULES, ...NAMES.flatMap((name) => glueAndWasm(`scalar/${name}`))];
/** The targets of CMake that make those with SIMD. */
export const SIMD_TARGETS = NAMES.map((name) => `${name}_module`);
const LIBRARY = ["bindings/package", "bindings/js"];
const REFERENCE = ["web/reference.config.mjs", "web/reference.tsconfig.json"];

/** The files that package.json publishes, under all conditions of all entries, and those that these share. */
const filesOf = (target) => (typeof target === "string" ? [target] : Object.values(target).flatMap(filesOf));
const published = () =>
  [
    ...new Set(filesOf(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports)),
    ...["api", "full-api", "scalar", "full-scalar", "tools-scalar", "lab-scalar"].map(
      (shared) => `./dist/${shared}.js`,
    ),
  ].filter((file) => file.startsWith("./dist/"));

const vite = (log, options = []) =>
  capture(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--config", "web/vite.config.ts", ...options], {
    log,
  });

const ROWS = [
  {
    name: "module",
    title: "WebAssembly modules",
    needs: SETUP,
    inputs: CORE,
    facts: findEmscripten,
    outputs: () => MODULES,
    make: (line) => buildPreset("wasm", ["bindings/all"], line),
  },
  {
    name: "package",
    title: "Package (dist)",
    needs: ["module"],
    inputs: [...PACKAGES, ...MODULES, ...LIBRARY],
    outputs: published,
    make: () => capture(process.execPath, ["bindings/package/build.mjs"], { log: "package" }),
  },
  {
    name: "page-build",
    title: "Page (build/page)",
    needs: ["package"],
    processors: 1,
    inputs: [...PACKAGES, "CITATION.cff", "dist", "bindings/js", "web"],
    outputs: () => ["build/page/index.html"],
    make: () => vite("page"),
  },
  {
    name: "single",
    title: "Page in one file (build/single)",
    needs: ["package"],
    processors: 1,
    inputs: [...PACKAGES, "CITATION.cff", "dist", "bindings/js", "web"],
    outputs: () => ["build/single/posenc.html"],
    make: () => vite("single", ["--mode", "single"]),
  },
  {
    name: "reference",
    title: "Reference (build/page/api)",
    needs: ["page-build"], // which begins with an empty folder
    processors: 1,
    inputs: [
      ...PACKAGES,
      "dist/index.d.ts",
      "dist/full.d.ts",
      "dist/tools.d.ts",
      "dist/lab.d.ts",
      "dist/npy.d.ts",
      "dist/files.d.ts",
      "dist/engines.d.ts",
      "dist/types",
      ...REFERENCE,
    ],
    outputs: () => ["build/page/api/index.html"],
    make: () =>
      capture(process.execPath, ["node_modules/typedoc/bin/typedoc", "--options", REFERENCE[0]], { log: "reference" }),
  },
];

/** The page that `npm start` opens with: as the one above, with what few visitors want left to be made while it is seen. */
const FIRST_ROWS = [
  {
    name: "first-modules",
    title: "WebAssembly modules with SIMD",
    needs: SETUP,
    inputs: CORE,
    facts: findEmscripten,
    outputs: () => SIMD_MODULES,
    make: (line) => buildPreset("wasm", SIMD_TARGETS, line),
  },
  {
    name: "first-page",
    title: "Page (build/first)",
    needs: ["first-modules"],
    inputs: [...PACKAGES, "CITATION.cff", ...SIMD_MODULES, ...LIBRARY, "web"],
    outputs: () => ["build/first/page/index.html"],
    make: async () => (await import("./first-page.mjs")).makeFirstPage(),
  },
];

const cloneLock = sharedLock(join(build, "lock"));

/** Runs a step while no other process builds in this clone: two builds in one folder would overwrite each other's files. */
export const alone = (run) => (line) =>
  cloneLock(
    () => run(line),
    (pid) => line.note(`waiting for process ${pid}, which is at work in this folder`),
  );

/** What `npm run build` makes is there, and made of what lies in the folder now. */
export const isBuilt = () =>
  ROWS.every(({ name, inputs, facts = () => ({}), outputs }) => isMade(name, fingerprint(inputs, facts()), outputs()));

const stepOf = ({ name, title, needs, processors, inputs, facts = () => ({}), outputs, make }) => ({
  name,
  title,
  needs,
  processors,
  run: alone(async (line) => {
    const made = await unlessStamped(name, fingerprint(inputs, facts()), outputs(), () => make(line));
    return made ? "built" : "up to date";
  }),
});

export const buildSteps = ROWS.map(stepOf);

/** What `npm start` makes before it shows the page. */
export const firstSteps = FIRST_ROWS.map(stepOf);

/** The modules of the benchmark, which only it and its tests need. */
export const benchModules = {
  name: "bench-modules",
  title: "Modules of the bench",
  run: alone((line) => buildPreset("wasm", ["posenc_bench"], line)),
};

export const NATIVE_BENCH_PACKAGES = ["g++", "libbenchmark-dev"];

const PROGRAM = join(build, "native-bench", "tests", "bench", "native", "posenc_native_bench");

/** `npm run bench:native`: the benchmark of the C++ library, `args` being options of Google Benchmark's. */
export const nativeBenchSteps = (args) => [
  {
    name: "native-bench-build",
    title: "Native bench: build",
    run: alone((line) => buildPreset("native-bench", ["posenc_native_bench"], line)),
  },
  { name: "native-bench", title: "Native bench", run: (line) => stream(PROGRAM, args, line) },
];
