// Skipping what did not change: a stamp is the hash of everything a step depends on, written after it succeeded.
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { writeWhole } from "./atomic.mjs";
import { build, root } from "./paths.mjs";

/** The files under a path (a file or a folder, or nothing at all), in a fixed order. */
export function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!lstatSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

/** The hash of the names and contents of all files under `paths` (relative to the root), and of `facts`. */
export function fingerprint(paths, facts = {}) {
  const hash = createHash("sha256").update(JSON.stringify(facts));
  for (const file of paths.flatMap((path) => filesUnder(join(root, path)))) {
    const content = readFileSync(file);
    hash.update(`\0${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

const stampOf = (name) => join(build, "stamps", name);

export const stamp = (name, value) => writeWhole(stampOf(name), value);

/** Whether the stamp `name` has `value` and all `outputs` are there. */
export const isMade = (name, value, outputs) =>
  existsSync(stampOf(name)) &&
  readFileSync(stampOf(name), "utf8") === value &&
  outputs.every((path) => existsSync(join(root, path)));
