// Makes the package, dist/, from the compiled modules (build/wasm/bindings) and the TypeScript API (bindings/js): the
// entries, the .wasm files and the types. Made in another folder and renamed, so that dist/ is always complete.

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, root } from "../setup/paths.mjs";
import { bundle, textModule } from "./bundle.mjs";
import { declare } from "./declare.mjs";
import { trimGlue } from "./glue.mjs";
import { markedWasm } from "./wasm.mjs";

// `--first FOLDER [ENTRY]`: only the entries that the page imports, or one of them, there, from the modules with SIMD. `--sanitized FOLDER`:
// the same from those of the preset "wasm-asan", whose glue is not Closure's and stays as it is. `--simd`: all of dist, for
// tests that never run without SIMD; the modules with it stand in for those without, which need not be compiled.
const [how, first, alone] = process.argv.slice(2);
const isSanitized = how === "--sanitized";
const isSimd = how === "--simd";
const compiled = join(build, isSanitized ? "wasm-asan" : "wasm", "bindings");
const folder = first ?? join(build, "dist-in-the-making");
const sources = join(root, "bindings", "package");

/**
 * Each family of entries has the same API, `functions` of bindings/js, and the same compiled module. Tools and the lab are
 * for machines that people work at: they have no entries for other platforms.
 */
const families = [
  { index: "index", functions: "basics", module: "posenc", name: "posenc", prefix: "" },
  { index: "full", functions: "everything", module: "posenc_full", name: "posenc-full", prefix: "full-" },
  { index: "tools", functions: "tools", module: "posenc_tools", name: "posenc-tools", prefix: "tools-", isAlone: true },
  {
    index: "lab",
    functions: "lab",
    module: "posenc_lab",
    name: "posenc-lab",
    prefix: "lab-",
    isAlone: true,
    worker: "lab-worker",
  },
];

/** One glue must serve the .wasm with SIMD and the one without: the names in both are the same. */
function readGlue(module) {
  const glue = (folder) => readFileSync(join(compiled, folder, `${module}.mjs`));
  if (!first && !isSimd && !glue("").equals(glue("scalar")))
    throw new Error(`${module}.mjs is not the same with and without SIMD, expected one glue for both .wasm files`);
  return glue("");
}

/** Makes the same module with one more section, which has but a name: bundlers make one file of two that are equal. */
const standIn = (wasm) => Buffer.concat([wasm, Buffer.from([0, 5, 4]), Buffer.from("simd")]);

/** A name that changes with the glue: another build's .wasm would have other imports under the same names. */
const markOf = (name, glue) => `${name} ${createHash("sha256").update(glue).digest("hex").slice(0, 8)}`;

async function makeFamily({ index, functions, module, name, prefix, worker, isAlone = false }) {
  const compiledGlue = readGlue(module);
  const mark = markOf(name, compiledGlue);
  const wasm = markedWasm(join(compiled, `${module}.wasm`), mark);
  const names = { simd: `${name}.wasm`, scalar: `${name}-scalar.wasm` };
  const scalar = `${prefix}scalar`;
  const glue = isSanitized ? compiledGlue.toString() : trimGlue(compiledGlue.toString());
  const entry = (source) => join(sources, "entries", `${source}.ts`);
  const make = (source, file, parts) =>
    bundle({ source, folder, file, glue, mark, scalar, names, functions, ...parts });
  await make(entry(index), `${index}.js`, { wasm });
  // Whoever starts it gives it the module.
  if (worker) await make(join(root, "bindings", "js", `${worker}.ts`), `${worker}.js`, {});
  if (first) return;

  const scalarWasm = isSimd ? standIn(wasm) : markedWasm(join(compiled, "scalar", `${module}.wasm`), mark);
  writeFileSync(join(folder, `${scalar}.js`), textModule(scalarWasm));
  if (isAlone) return;
  writeFileSync(join(folder, names.simd), wasm);
  writeFileSync(join(folder, names.scalar), scalarWasm);
  const api = `${prefix}api.js`;
  await make("posenc-api", api);
  const makeLoad = (load, file, parts) => make(entry("load"), file, { load, ...parts });
  await makeLoad("external", `${prefix}external.js`, { api });
  await makeLoad("externalNode", `${prefix}external-node.js`, { api });
  await makeLoad("compiled", `${prefix}workerd.js`, { api, compiledAs: names.simd });
  // The query is how Next and Vercel know that an import is of a compiled module.
  await makeLoad("compiled", `${prefix}edge-light.js`, { api, compiledAs: `${names.simd}?module` });
  await make(entry("script"), `${name}.global.js`, { wasm, globalName: "posenc" });
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const family of families) if (!alone || family.index === alone) await makeFamily(family);
const makePlain = (name, entries) =>
  bundle({ source: join(root, "bindings", "js", `${name}.ts`), folder, file: `${name}.js`, entries });
await makePlain("files");
if (first) process.exit();
await makePlain("npy");
await makePlain("wgsl");
await makePlain("engines", { "posenc-module-notes": "engines-zh.js" });
const notes = readFileSync(join(root, "bindings", "js", "engines", "notes.zh.json"), "utf8").trim();
const inShortLines = notes.replaceAll('": "', '":\n"').replace(/[.,;] |[，。；、：]/g, "$&\\\n");
writeFileSync(join(folder, "engines-zh.js"), `export default ${inShortLines};\n`);
const entries = { "posenc/tools": "tools.js", "posenc/engines": "engines.js" };
await bundle({ source: join(root, "bindings", "command", "main.ts"), folder, file: "command.js", entries });
declare(join(root, "node_modules", "typescript", "bin", "tsc"), folder, compiled);
copyFileSync(join(sources, "licences.txt"), join(folder, "licences.txt"));
rmSync(join(root, "dist"), { recursive: true, force: true });
renameSync(folder, join(root, "dist"));
