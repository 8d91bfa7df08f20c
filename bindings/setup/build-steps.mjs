// What `npm run build` makes, in order: each row has its inputs, its outputs and how it is made. A step is skipped when
// none of its inputs changed since it last succeeded.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildPreset } from "./cmake.mjs";
import { findEmscripten } from "./emscripten.mjs";
import { withLock } from "./lock.mjs";
import { build, root } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { fingerprint, unlessStamped } from "./stamps.mjs";

const PACKAGES = ["package.json", "package-lock.json", "tsconfig.json"];
const MODULES = ["posenc", "posenc_full", "scalar/posenc", "scalar/posenc_full"].flatMap((name) =>
  ["mjs", "wasm"].map((ending) => `build/wasm/bindings/${name}.${ending}`),
);
const REFERENCE = ["web/reference.config.mjs", "web/reference.tsconfig.json"];

/** The files that package.json publishes, under all conditions of all entries, and those that these share. */
const filesOf = (target) => (typeof target === "string" ? [target] : Object.values(target).flatMap(filesOf));
const published = () =>
  [
    ...new Set(filesOf(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports)),
    ...["api", "full-api", "scalar", "full-scalar"].map((shared) => `./dist/${shared}.js`),
  ].filter((file) => file.startsWith("./dist/"));

const ROWS = [
  {
    name: "module",
    title: "WebAssembly modules",
    inputs: ["CMakeLists.txt", "CMakePresets.json", "src", "bindings/CMakeLists.txt", "bindings/embind"],
    facts: findEmscripten,
    outputs: () => MODULES,
    make: (line) => buildPreset("wasm", ["bindings/all"], line),
  },
  {
    name: "package",
    title: "Package (dist)",
    needs: ["module"],
    inputs: [...PACKAGES, ...MODULES, "bindings/build.mjs", "bindings/bundle.mjs", "bindings/glue.mjs", "bindings/js"],
    outputs: published,
    make: () => capture(process.execPath, ["bindings/build.mjs"], { log: "package" }),
  },
  {
    name: "page",
    title: "Page (build/page, build/single)",
    needs: ["package"],
    inputs: [...PACKAGES, "dist", "bindings/js", "web"],
    outputs: () => ["build/page/index.html", "build/single/posenc.html"],
    make: async () => {
      const build = ["node_modules/vite/bin/vite.js", "build", "--config", "web/vite.config.ts"];
      await capture(process.execPath, build, { log: "page" });
      await capture(process.execPath, [...build, "--mode", "single"], { log: "page-single" });
    },
  },
  {
    name: "reference",
    title: "Reference (build/page/api)",
    needs: ["page"], // which begins with an empty folder
    inputs: [...PACKAGES, "dist/index.d.ts", "dist/full.d.ts", "dist/npy.d.ts", "dist/types", ...REFERENCE],
    outputs: () => ["build/page/api/index.html"],
    make: () =>
      capture(process.execPath, ["node_modules/typedoc/bin/typedoc", "--options", REFERENCE[0]], { log: "reference" }),
  },
];

/** Runs a step alone in this clone: two builds in one folder would overwrite each other's files. */
export const alone = (run) => (line) =>
  withLock(
    join(build, "lock"),
    () => run(line),
    (pid) => line.note(`waiting for process ${pid}, which is at work in this folder`),
  );

export const buildSteps = ROWS.map(({ name, title, needs, inputs, facts = () => ({}), outputs, make }) => ({
  name,
  title,
  needs,
  run: alone(async (line) => {
    const made = await unlessStamped(name, fingerprint(inputs, facts()), outputs(), () => make(line));
    return made ? "built" : "up to date";
  }),
}));

/** The modules of the benchmark, which only it and its tests need. */
export const benchModules = {
  name: "bench-modules",
  title: "Modules of the bench",
  run: alone((line) => buildPreset("wasm", ["posenc_bench"], line)),
};

/** Embind's declarations of the module's functions, as TypeScript: for a test alone. */
export const declarations = {
  name: "declarations",
  title: "Declarations of the crossing",
  run: alone((line) => buildPreset("wasm", ["posenc_declarations"], line)),
};
