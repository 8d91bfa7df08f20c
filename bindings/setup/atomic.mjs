// Folders and files that are either complete or not there: made beside their final place and renamed at the end.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { atExit } from "./cleanup.mjs";

const PART = ".part-";

const remove = (path) => rmSync(path, { recursive: true, force: true, maxRetries: 3 });

/** Removes what a killed run left beside `target`. Call it under the lock that guards `target`. */
function removeLeftovers(target) {
  const prefix = basename(target) + PART;
  for (const name of readdirSync(dirname(target))) if (name.startsWith(prefix)) remove(join(dirname(target), name));
}

/** Fills a new folder with `fill(folder)` and gives it the name `target`; on failure nothing stays behind. */
export async function makeFolder(target, fill) {
  mkdirSync(dirname(target), { recursive: true });
  removeLeftovers(target);
  const part = target + PART + process.pid;
  const forget = atExit(() => remove(part));
  try {
    mkdirSync(part);
    await fill(part);
    remove(target);
    renameSync(part, target);
  } finally {
    remove(part);
    forget();
  }
}

/** Like makeFolder, unless the folder is there already. Resolves to whether it had to be made. */
export async function ensureFolder(target, fill) {
  if (existsSync(target)) return false;
  await makeFolder(target, fill);
  return true;
}

/** Writes a file in one go: a reader sees the old content or the new one. */
export function writeWhole(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  const part = file + PART + process.pid;
  writeFileSync(part, content);
  renameSync(part, file);
}
