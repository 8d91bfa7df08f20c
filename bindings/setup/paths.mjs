// Where things are. Everything the set-up writes is under build/ (ignored by git) or in the folder that
// POSENC_TOOLCHAIN names, which several clones may share.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SetupFailure } from "./failure.mjs";

export const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));
export const build = join(root, "build");
export const logs = join(build, "logs");
export const binaries = join(root, "node_modules", ".bin");
export const toolchain = resolve(root, process.env.POSENC_TOOLCHAIN || join("build", "toolchain"));

/** Refuses paths with characters that shells, CMake or ninja take for something else: they would fail after minutes. */
export function checkPaths(paths = [root, toolchain]) {
  for (const path of process.platform === "win32" ? [] : paths) {
    const [wrong] = path.match(/[^\p{L}\p{M}\p{N} ._\-+,@=~/]/u) ?? [];
    if (wrong)
      throw new SetupFailure(
        `${path} has ${JSON.stringify(wrong)} in it, with which the build's tools do not get on. ` +
          "Move it to a path of letters, digits, spaces and . _ - + , @ = ~, then run the same command again.",
      );
  }
}

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
