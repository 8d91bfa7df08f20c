// Lists what `npm run build` makes: each step has its inputs, its outputs and how it is made.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildPreset } from "./cmake.mjs";
import { findEmscripten } from "./emscripten.mjs";
import { root } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { fingerprint, isMade } from "./stamps.mjs";

const PACKAGES = ["package.json", "package-lock.json", "tsconfig.json"];
const CMAKE = ["CMakeLists.txt", "CMakePresets.json"];
const CORE = [...CMAKE, "src", "bindings/CMakeLists.txt", "bindings/embind", "bindings/js"];
const LIBRARY = ["bindings/package", "bindings/js", "bindings/command"];
const TYPES = [
  ...["index", "full", "tools", "lab", "npy", "files", "engines"].map((name) => `dist/${name}.d.ts`),
  "dist/types",
];
const PAGE = [...PACKAGES, "CITATION.cff", "dist", "bindings/js", "web"];

const glueAndWasm = (name) => ["mjs", "wasm"].map((ending) => `build/wasm/bindings/${name}.${ending}`);
const NAMES = ["posenc", "posenc_full", "posenc_tools", "posenc_lab"];
const MODULES = NAMES.flatMap(glueAndWasm);
const SCALAR_MODULES = NAMES.flatMap((name) => glueAndWasm(`scalar/${name}`));
/** CMake's targets of the modules with SIMD. */
export const SIMD_TARGETS = NAMES.map((name) => `${name}_module`);

/** The files that package.json publishes, under all conditions of all entries. */
const filesOf = (target) => (typeof target === "string" ? [target] : Object.values(target).flatMap(filesOf));
const published = () =>
  [
    ...new Set(filesOf(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports)),
    "./dist/licences.txt",
  ].filter((file) => file.startsWith("./dist/"));

/** Runs a script of Node's, its output kept in build/logs. */
export const node = (log, args) => capture(process.execPath, args, { log });

const modules = {
  name: "module",
  title: "WebAssembly modules",
  guards: "the bindings compile, and link to what they export",
  needs: ["toolchain", "system-packages"],
  inputs: CORE,
  facts: findEmscripten,
  outputs: () => MODULES,
  run: (line) => buildPreset("wasm", SIMD_TARGETS, line),
};

const scalarModules = {
  ...modules,
  name: "scalar-module",
  title: "WebAssembly modules without SIMD",
  guards: "the same for engines without SIMD",
  needs: ["module"],
  outputs: () => SCALAR_MODULES,
  run: (line) => buildPreset("wasm", ["bindings/all"], line),
};

const packageOf = (needs, inputs, ...options) => ({
  name: "package",
  title: "Package (dist)",
  guards: "the entries are bundled and their types declared",
  needs,
  processors: 1,
  inputs: [...PACKAGES, ...inputs, ...LIBRARY],
  facts: () => options,
  outputs: published,
  run: () => node("package", ["bindings/package/build.mjs", ...options]),
});

const pageSteps = [
  {
    name: "reference",
    title: "Reference",
    guards: "every published type is described, and links within the guide have targets",
    needs: ["package"],
    processors: 1,
    inputs: [
      ...PACKAGES,
      ...TYPES,
      "bindings/guide",
      ...["config.mjs", "css", "tsconfig.json"].map((name) => `web/reference.${name}`),
      "src/posenc/hub/model_types.cpp",
    ],
    outputs: () => ["build/reference/index.html"],
    run: () => node("reference", ["node_modules/typedoc/bin/typedoc", "--options", "web/reference.config.mjs"]),
  },
  {
    name: "page-build",
    title: "Page (build/page)",
    guards: "the page is bundled in both languages, with the reference beside it",
    needs: ["reference"],
    processors: 1,
    inputs: [...PAGE, "build/reference"],
    outputs: () => ["build/page/index.html", "build/page/api/index.html"],
    run: async () => {
      await node("page", ["node_modules/vite/bin/vite.js", "build", "--config", "web/vite.config.ts"]);
      cpSync(join(root, "build", "reference"), join(root, "build", "page", "api"), { recursive: true });
    },
  },
];

/** The module that `npm start` shows the page with. */
export const FIRST_MODULE = {
  ...modules,
  name: "first-module",
  title: "WebAssembly module of the first figures",
  outputs: () => glueAndWasm("posenc"),
  run: (line) => buildPreset("wasm", SIMD_TARGETS.slice(0, 1), line),
};
export const PAGE_INPUTS = [...PACKAGES, "CITATION.cff", ...glueAndWasm("posenc"), ...LIBRARY, "web", "bindings/setup"];

export const buildSteps = [
  modules,
  scalarModules,
  packageOf(["scalar-module"], [...MODULES, ...SCALAR_MODULES]),
  ...pageSteps,
];

/**
 * `npm test` runs everything on the modules with SIMD: in dist they replace those without, which take as long to
 * compile.
 */
export const simdSteps = [modules, packageOf(["module"], MODULES, "--simd"), ...pageSteps];

/** Whether everything that `npm run build` makes is there and made of today's sources. */
export const isBuilt = () =>
  buildSteps.every(({ name, inputs, facts = () => ({}), outputs }) =>
    isMade(name, fingerprint(inputs, facts()), outputs()),
  );

/** The modules of the benchmark, which only it and its tests need. */
export const benchModules = {
  name: "bench-modules",
  title: "Modules of the bench",
  guards: "the benchmark compiles",
  needs: ["module"],
  inputs: [...CORE, "tests/bench/CMakeLists.txt", "tests/bench/kernels.cpp", "tests/bench/empty.cpp"],
  facts: findEmscripten,
  outputs: () => ["build/wasm/tests/bench"],
  run: (line) => buildPreset("wasm", ["posenc_bench"], line),
};
