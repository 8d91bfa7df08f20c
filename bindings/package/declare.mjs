// The types that the package publishes: from its TypeScript, and those of the files that are none.

import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";

const project = join(root, "bindings", "package", "tsconfig.json");

/** Declares the global of a classic script, whose `load` is of this type. */
const globalOf = (file, type) => `import type { ${type} } from "./types/index.js";

declare global {
  /** The global of the classic script: \`<script src="${file}"></script>\`. */
  var posenc: { readonly load: ${type} };
}
`;

const WASM = `import type { WasmModule } from "./types/index.js";

/** A .wasm of the library, as platforms give it that compile what is imported: for \`load({ wasm })\`. */
declare const wasm: WasmModule;
export default wasm;
`;

/** Has the compiler at `tsc` write into `folder` what a user can name: the entries, and the types of the API. */
export function declare(tsc, folder) {
  const whole = join(folder, "declarations");
  execFileSync(process.execPath, [tsc, "-p", project, "--outDir", whole], { stdio: "inherit" });
  renameSync(join(whole, "js", "types"), join(folder, "types"));
  for (const entry of ["npy.d.ts", "files.d.ts", "engines.d.ts", "lab-worker.d.ts"])
    renameSync(join(whole, "js", entry), join(folder, entry));
  for (const entry of ["index.d.ts", "full.d.ts", "tools.d.ts", "lab.d.ts"]) {
    const declared = readFileSync(join(whole, "package", "entries", entry), "utf8");
    writeFileSync(join(folder, entry), declared.replaceAll("../../js/", "./"));
  }
  rmSync(whole, { recursive: true });
  writeFileSync(join(folder, "posenc.global.d.ts"), globalOf("posenc.global.js", "Load"));
  writeFileSync(join(folder, "posenc-full.global.d.ts"), globalOf("posenc-full.global.js", "LoadFull"));
  writeFileSync(join(folder, "wasm.d.ts"), WASM);
}
