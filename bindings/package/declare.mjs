// The types that the package publishes, from its TypeScript.

import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";

const project = join(root, "bindings", "package", "tsconfig.json");

/** Has the compiler at `tsc` write into `folder` what a user can name: the entries, and the types of the API. */
export function declare(tsc, folder) {
  const whole = join(folder, "declarations");
  execFileSync(process.execPath, [tsc, "-p", project, "--outDir", whole], { stdio: "inherit" });
  renameSync(join(whole, "js", "types"), join(folder, "types"));
  renameSync(join(whole, "js", "npy.d.ts"), join(folder, "npy.d.ts"));
  for (const entry of ["index.d.ts", "full.d.ts"]) {
    const declared = readFileSync(join(whole, "package", "entries", entry), "utf8");
    writeFileSync(join(folder, entry), declared.replaceAll("../../js/", "./"));
  }
  rmSync(whole, { recursive: true });
}
