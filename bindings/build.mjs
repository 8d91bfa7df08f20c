// Makes the package, dist/, from the compiled modules (build/wasm/bindings) and the TypeScript API (bindings/js): the
// entries, the .wasm files and the types. Made beside and renamed, so that dist/ is always whole.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, bundleBytes, bundlePlain, markedWasm } from "./bundle.mjs";
import { trimGlue } from "./glue.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const compiled = join(root, "build", "wasm", "bindings");
const sources = join(root, "bindings", "js");
// `--first FOLDER`: the two entries that the page imports alone, there, from the modules with SIMD.
const [, first] = process.argv.slice(2);
const making = first ?? join(root, "build", "dist-in-the-making");

/**
 * Each family of entries has the same API and the same compiled module. `index` holds the .wasm and is made of
 * `index`.ts; the others, of js/entries, share `api`.ts.
 */
const families = [
  { index: "index", api: "api", module: "posenc", name: "posenc", prefix: "", scalar: "scalar" },
  {
    index: "full",
    api: "full-api",
    module: "posenc_full",
    name: "posenc-full",
    prefix: "full-",
    scalar: "full-scalar",
  },
];

/** Entries without WebAssembly. */
const plainEntries = ["npy"];

/** One glue must serve the .wasm with SIMD and the one without: the names in both are the same. */
function readGlue(module) {
  const glue = (folder) => readFileSync(join(compiled, folder, `${module}.mjs`));
  if (!first && !glue("").equals(glue("scalar")))
    throw new Error(`${module}.mjs is not the same with and without SIMD, expected one glue for both .wasm files`);
  return glue("");
}

/** A name that changes with the glue: another build's .wasm would have other imports under the same names. */
const markOf = (name, glue) => `${name} ${createHash("sha256").update(glue).digest("hex").slice(0, 8)}`;

async function makeFamily({ index, api, module, name, prefix, scalar }) {
  const compiledGlue = readGlue(module);
  const mark = markOf(name, compiledGlue);
  const wasm = join(compiled, `${module}.wasm`);
  const names = { simd: `${name}.wasm`, scalar: `${name}-scalar.wasm` };
  const glue = join(making, `${module}.mjs`);
  writeFileSync(glue, trimGlue(compiledGlue.toString()));
  const make = (source, file, parts) =>
    bundle({ source: join(sources, source), outfile: join(making, file), glue, mark, scalar, names, ...parts });
  const beside = { api: `${api}.js` };
  await make(`${index}.ts`, `${index}.js`, { wasm });
  if (first) return;
  const scalarBytes = markedWasm(join(compiled, "scalar", `${module}.wasm`), mark);
  writeFileSync(join(making, names.simd), markedWasm(wasm, mark));
  writeFileSync(join(making, names.scalar), scalarBytes);
  await bundleBytes(scalarBytes, join(making, `${scalar}.js`));
  await make(`${api}.ts`, `${api}.js`);
  await make("entries/external.ts", `${prefix}external.js`, beside);
  await make("entries/external-node.ts", `${prefix}external-node.js`, beside);
  await make("entries/compiled.ts", `${prefix}workerd.js`, { ...beside, compiledAs: names.simd });
  // The query is how Next and Vercel know that an import is of a compiled module.
  await make("entries/compiled.ts", `${prefix}edge-light.js`, { ...beside, compiledAs: `${names.simd}?module` });
  await make("entries/script.ts", `${name}.global.js`, {
    wasm,
    api: join(sources, `${api}.ts`),
    globalName: "posenc",
  });
  rmSync(glue);
}

function declare() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const project = join(sources, "tsconfig.json");
  const whole = join(making, "declarations");
  execFileSync(process.execPath, [tsc, "-p", project, "--outDir", whole], { stdio: "inherit" });
  // Only what a user can name is published: the entries and the types of the API.
  const entries = [...families.map(({ index }) => index), ...plainEntries];
  for (const published of [...entries.map((entry) => `${entry}.d.ts`), "types"])
    renameSync(join(whole, published), join(making, published));
  rmSync(whole, { recursive: true });
}

rmSync(making, { recursive: true, force: true });
mkdirSync(making, { recursive: true });
for (const family of families) await makeFamily(family);
if (first) process.exit();
for (const entry of plainEntries) await bundlePlain(join(sources, `${entry}.ts`), join(making, `${entry}.js`));
declare();
cpSync(join(sources, "published"), making, { recursive: true });
rmSync(join(root, "dist"), { recursive: true, force: true });
renameSync(making, join(root, "dist"));
