// The node packages: exactly what package-lock.json says.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";
import { capture } from "./processes.mjs";

// npm leaves this record of what it unpacked when, and only when, it got to the end.
const RECORD = join("node_modules", ".package-lock.json");

const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;

/** Whether node_modules in `folder` holds what package-lock.json asks for (optional packages may be absent). */
export function upToDate(folder = root) {
  if (!existsSync(join(folder, RECORD))) return false;
  const wanted = Object.entries(packagesOf(join(folder, "package-lock.json"))).filter(([path]) => path !== "");
  const present = packagesOf(join(folder, RECORD));
  const paths = new Set(wanted.map(([path]) => path));
  return (
    wanted.every(([path, { integrity, optional }]) =>
      present[path] ? present[path].integrity === integrity : optional === true,
    ) && Object.keys(present).every((path) => paths.has(path))
  );
}

/** Installs the node packages unless they are there. */
export async function ensureNodePackages(line) {
  if (upToDate()) return "up to date";
  rmSync(join(root, RECORD), { force: true }); // a run that is cut off must not leave an old record behind
  let fetched = 0;
  const onLine = (text) => {
    if (/^npm http (fetch|cache) /.test(text)) fetched += 1;
    line.progress(`${fetched} fetched`);
  };
  // The include flags win over a NODE_ENV=production or an omit setting of the user's.
  const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=http"];
  await capture("npm", args, { log: "node-packages", onLine, fetches: true });
  return "installed";
}
