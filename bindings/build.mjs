// Makes the package, dist/, from the compiled modules (build/wasm/bindings) and the TypeScript API (bindings/js): an ES
// module an entry with its wasm inside, and the types. Made beside and renamed, so that dist/ is always whole.

import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const compiled = join(root, "build", "wasm", "bindings");
const making = join(root, "build", "dist-in-the-making");

/** The entries of the package, and the compiled module that each has inside. */
const entries = { index: "posenc", full: "posenc_full" };

function declare() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const project = join(root, "bindings", "js", "tsconfig.json");
  const whole = join(making, "declarations");
  execFileSync(process.execPath, [tsc, "-p", project, "--outDir", whole], { stdio: "inherit" });
  // Only what a user can name is published: the entries and the types of the API.
  for (const published of [...Object.keys(entries).map((entry) => `${entry}.d.ts`), "types"])
    renameSync(join(whole, published), join(making, published));
  rmSync(whole, { recursive: true });
}

rmSync(making, { recursive: true, force: true });
mkdirSync(making, { recursive: true });
for (const [entry, compiledName] of Object.entries(entries)) {
  const source = join(root, "bindings", "js", `${entry}.ts`);
  await bundle({ source, compiled: join(compiled, compiledName), outfile: join(making, `${entry}.js`) });
}
declare();
rmSync(join(root, "dist"), { recursive: true, force: true });
renameSync(making, join(root, "dist"));
