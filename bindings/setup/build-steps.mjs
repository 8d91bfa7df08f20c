// Lists what `npm run build` makes: each step has its inputs, its outputs and how it is made.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildPreset } from "./cmake.mjs";
import { findEmscripten } from "./emscripten.mjs";
import { root } from "./paths.mjs";
import { node } from "./processes.mjs";
import { fingerprint, isMade } from "./stamps.mjs";

const PACKAGES = ["package.json", "package-lock.json", "tsconfig.json"];
const CORE = [
  "CMakeLists.txt",
  "CMakePresets.json",
  "src",
  "bindings/CMakeLists.txt",
  "bindings/embind",
  "bindings/js",
];
const LIBRARY = ["bindings/package", "bindings/js", "bindings/command"];
const PAGE = [...PACKAGES, "CITATION.cff", "dist", "bindings/js", "web"];
const REFERENCE = ["web/reference.config.mjs", "web/reference.css", "web/reference.tsconfig.json"];

const glueAndWasm = (name) => ["mjs", "wasm"].map((ending) => `build/wasm/bindings/${name}.${ending}`);
const NAMES = ["posenc", "posenc_full", "posenc_tools", "posenc_lab"];
const MODULES = NAMES.flatMap(glueAndWasm);
const SCALAR_MODULES = NAMES.flatMap((name) => glueAndWasm(`scalar/${name}`));
/** CMake's targets of the modules with SIMD. */
export const SIMD_TARGETS = NAMES.map((name) => `${name}_module`);

const filesOf = (target) => (typeof target === "string" ? [target] : Object.values(target).flatMap(filesOf));
/** The files that package.json publishes, under all conditions of all entries. */
const published = () => {
  const { exports: entries } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return [...new Set(filesOf(entries)), "./dist/licences.txt"].filter((file) => file.startsWith("./dist/"));
};

const modules = {
  name: "module",
  title: "the WebAssembly modules compile, and link to what they export",
  inputs: CORE,
  facts: findEmscripten,
  outputs: () => MODULES,
  run: (line) => buildPreset("wasm", SIMD_TARGETS, line),
};

const scalarModules = {
  ...modules,
  name: "scalar-module",
  title: "the same for engines without SIMD",
  needs: ["module"],
  outputs: () => SCALAR_MODULES,
  run: (line) => buildPreset("wasm", ["bindings/all"], line),
};

const packageOf = (needs, inputs, ...options) => ({
  name: "package",
  title: "the entries in dist are bundled and their types declared",
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
    title: "every published type is described, and links within the guide have targets",
    needs: ["package"],
    processors: 1,
    inputs: [...PACKAGES, ...LIBRARY, "bindings/guide", "src/posenc/hub/model_types.cpp", ...REFERENCE],
    outputs: () => ["build/reference/index.html"],
    run: () => node("reference", ["node_modules/typedoc/bin/typedoc", "--options", "web/reference.config.mjs"]),
  },
  {
    name: "page-build",
    title: "the page is bundled in both languages (build/page), with the reference beside it",
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
  title: "the WebAssembly module of the first figures",
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
  title: "the benchmark's modules compile",
  needs: ["module"],
  inputs: [...CORE, "tests/bench/CMakeLists.txt", "tests/bench/kernels.cpp", "tests/bench/empty.cpp"],
  facts: findEmscripten,
  outputs: () => ["build/wasm/tests/bench"],
  run: (line) => buildPreset("wasm", ["posenc_bench"], line),
};
