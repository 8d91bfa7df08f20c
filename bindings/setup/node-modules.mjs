// The node packages: exactly what package-lock.json says.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";
import { capture } from "./processes.mjs";

// npm leaves this record of what it unpacked when, and only when, it got to the end.
const RECORD = join("node_modules", ".package-lock.json");

const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;

/** Whether node_modules in `folder` holds what package-lock.json asks for (optional packages may differ). */
export function upToDate(folder = root) {
  if (!existsSync(join(folder, RECORD))) return false;
  const { "": _self, ...wanted } = packagesOf(join(folder, "package-lock.json"));
  const present = packagesOf(join(folder, RECORD));
  const isRight = ([path, { integrity, optional }]) =>
    present[path] ? present[path].integrity === integrity : optional === true;
  const isKnown = ([path, { optional }]) => path in wanted || optional === true;
  return Object.entries(wanted).every(isRight) && Object.entries(present).every(isKnown);
}

/** Installs the node packages unless they are there. */
export async function ensureNodePackages(line) {
  if (upToDate()) return "up to date";
  // npm would mistake a package that an interrupted run left half unpacked for a whole one.
  rmSync(join(root, "node_modules"), { recursive: true, force: true });
  let fetched = 0;
  const onLine = (text) => {
    fetched += /^npm http (fetch|cache) /.test(text);
    line.progress(`${fetched} fetched`);
  };
  // Not `npm ci`: it refuses a lock file without the packages of every other platform, which is what npm writes where
  // the registry does not have them all. Without saving, install follows the lock file and does not change it.
  // The include flags win over a NODE_ENV=production or an omit setting of the user's.
  const args = ["install", "--no-save", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];
  await capture("npm", [...args, "--loglevel=http"], { log: "node-packages", onLine, fetches: true });
  return `${Object.keys(packagesOf(join(root, RECORD))).length} installed`;
}
