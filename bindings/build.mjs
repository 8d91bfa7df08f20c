// Makes the package, dist/, from the compiled module (build/wasm/bindings) and the TypeScript API (bindings/js): one ES
// module with the wasm inside, and its types. Made beside and renamed, so that dist/ is always whole.

import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const compiled = join(root, "build", "wasm", "bindings");
const making = join(root, "build", "dist-in-the-making");

async function bundle() {
  await build({
    entryPoints: [join(root, "bindings", "js", "index.ts")],
    outfile: join(making, "index.js"),
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    legalComments: "none",
    loader: { ".wasm": "binary" },
    alias: {
      "posenc-module": join(compiled, "posenc.mjs"),
      "posenc-module.wasm": join(compiled, "posenc.wasm"),
    },
    logLevel: "warning",
  });
}

function declare() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const project = join(root, "bindings", "js", "tsconfig.json");
  const whole = join(making, "declarations");
  execFileSync(process.execPath, [tsc, "-p", project, "--outDir", whole], { stdio: "inherit" });
  // Only what a user can name is published: the entry and the types of the API.
  for (const published of ["index.d.ts", "types"]) renameSync(join(whole, published), join(making, published));
  rmSync(whole, { recursive: true });
}

rmSync(making, { recursive: true, force: true });
mkdirSync(making, { recursive: true });
await bundle();
declare();
rmSync(join(root, "dist"), { recursive: true, force: true });
renameSync(making, join(root, "dist"));
