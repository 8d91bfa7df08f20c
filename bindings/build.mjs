// Makes the package, dist/, from the compiled modules (build/wasm/bindings) and the TypeScript API (bindings/js): an ES
// module an entry with its wasm inside, and the types. Made beside and renamed, so that dist/ is always whole.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, bundleBytes, bundlePlain } from "./bundle.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const compiled = join(root, "build", "wasm", "bindings");
const making = join(root, "build", "dist-in-the-making");

/**
 * The entries of the package: the compiled module that each has inside, and the file with what stands in for its wasm
 * where an engine has no SIMD.
 */
const entries = {
  index: { module: "posenc", scalar: "scalar" },
  full: { module: "posenc_full", scalar: "full-scalar" },
};

/** Entries without WebAssembly. */
const plainEntries = ["npy"];

/** The wasm without SIMD alone: the entry's glue serves it too, if the names in both are the same. */
function bundleScalar(module, scalar) {
  const glue = (folder) => readFileSync(join(compiled, folder, `${module}.mjs`));
  if (!glue("").equals(glue("scalar")))
    throw new Error(`${module}.mjs is not the same with and without SIMD, expected one glue for both .wasm files`);
  return bundleBytes(join(compiled, "scalar", `${module}.wasm`), join(making, `${scalar}.js`));
}

function declare() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const project = join(root, "bindings", "js", "tsconfig.json");
  const whole = join(making, "declarations");
  execFileSync(process.execPath, [tsc, "-p", project, "--outDir", whole], { stdio: "inherit" });
  // Only what a user can name is published: the entries and the types of the API.
  for (const published of [...[...Object.keys(entries), ...plainEntries].map((entry) => `${entry}.d.ts`), "types"])
    renameSync(join(whole, published), join(making, published));
  rmSync(whole, { recursive: true });
}

rmSync(making, { recursive: true, force: true });
mkdirSync(making, { recursive: true });
for (const [entry, { module, scalar }] of Object.entries(entries)) {
  const source = join(root, "bindings", "js", `${entry}.ts`);
  await bundle({ source, compiled: join(compiled, module), outfile: join(making, `${entry}.js`), scalar });
  await bundleScalar(module, scalar);
}
for (const entry of plainEntries)
  await bundlePlain(join(root, "bindings", "js", `${entry}.ts`), join(making, `${entry}.js`));
declare();
rmSync(join(root, "dist"), { recursive: true, force: true });
renameSync(making, join(root, "dist"));
