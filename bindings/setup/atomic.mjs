// Folders and files that are either complete or not there: made beside their final place and renamed at the end.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const remove = (path) => rmSync(path, { recursive: true, force: true, maxRetries: 3 });

/** Fills a new folder and gives it the name `target`. Call it under a lock: what a killed run left is made anew. */
export async function makeFolder(target, fill) {
  const part = `${target}.part`;
  remove(part);
  mkdirSync(part, { recursive: true });
  try {
    await fill(part);
    remove(target);
    renameSync(part, target);
  } finally {
    remove(part);
  }
}

/** Writes a file in one go: a reader sees the old content or the new one. */
export function writeWhole(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  const part = `${file}.part-${process.pid}`;
  writeFileSync(part, content);
  renameSync(part, file);
}
