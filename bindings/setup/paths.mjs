// Where things are. Everything the set-up writes is under build/ (ignored by git) or in the folder that
// POSENC_TOOLCHAIN names, which several clones may share.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));
export const build = join(root, "build");
export const logs = join(build, "logs");
export const binaries = join(root, "node_modules", ".bin");
export const toolchain = resolve(root, process.env.POSENC_TOOLCHAIN || join("build", "toolchain"));

const isProgram = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** The path of a program: itself when absolute, else the first hit on PATH; undefined when there is none. */
export function which(program, path = process.env.PATH ?? "") {
  const folders = program.startsWith("/") ? [""] : path.split(delimiter).filter(Boolean);
  return folders.map((folder) => (folder ? join(folder, program) : program)).find(isProgram);
}
