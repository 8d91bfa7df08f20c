// The node packages: the project's, exactly what package-lock.json says, and others below build/.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { writeWhole } from "./atomic.mjs";
import { withLock } from "./lock.mjs";
import { build, root } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { fingerprint } from "./stamps.mjs";

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
    if (/^npm http (fetch|cache) /.test(text)) fetched += 1;
    line.progress(`${fetched} fetched`);
  };
  // Not `npm ci`: it refuses a lock file without the packages of every other platform, which is what npm writes where
  // the registry does not have them all. Without saving, install follows the lock file and does not change it.
  // The include flags win over a NODE_ENV=production or an omit setting of the user's.
  const args = ["install", "--no-save", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];
  await capture("npm", [...args, "--loglevel=http"], { log: "node-packages", onLine, fetches: true });
  return `${Object.keys(packagesOf(join(root, RECORD))).length} installed`;
}

// Packages that only a heavy test or a comparison needs go below build/ when it is asked for, never into the project.
// posenc itself comes as its users get it: packed, and unpacked from the tarball.

const packed = join(build, "packed");

const hashOf = (content) => createHash("sha256").update(content).digest("hex").slice(0, 12);

const PUBLISHED = ["package.json", "README.md", "LICENSE", "bindings/guide", "dist", "web/pictures"];

async function pack() {
  const part = join(packed, `part-${process.pid}`);
  mkdirSync(part, { recursive: true });
  try {
    await capture("npm", ["pack", "--ignore-scripts", "--pack-destination", part], { log: "npm-pack" });
    const file = join(part, readdirSync(part)[0]);
    const tarball = join(packed, `posenc-${hashOf(readFileSync(file))}.tgz`);
    renameSync(file, tarball);
    return tarball;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/**
 * Packs the project, dist as it is built, unless that was done; resolves to the tarball's path. Its name has the hash of
 * its content, so that npm takes another content for another package.
 */
export function packTarball() {
  const record = join(packed, "tarball.json");
  return withLock(join(packed, "lock"), async () => {
    const of = fingerprint(PUBLISHED);
    const last = existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : {};
    if (last.of === of && existsSync(last.tarball)) return last.tarball;
    const tarball = await pack();
    writeWhole(record, JSON.stringify({ of, tarball }));
    return tarball;
  });
}

/**
 * Makes `folder` a package whose node_modules hold exactly `dependencies` ({ name: version or "file:" + tarball }) and
 * whose package.json has the fields of `manifest` besides. Does nothing when they are there; resolves to whether it had
 * to install. Install scripts do not run.
 */
export function installPackages(folder, dependencies, { manifest = {}, say = () => {} } = {}) {
  const wanted = JSON.stringify({ private: true, ...manifest, dependencies }, undefined, 2);
  const stamp = join(folder, "installed.json");
  return withLock(`${folder}.lock`, async () => {
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return false;
    // Without the stamp a run was interrupted: npm would mistake a half-unpacked package for a whole one.
    if (!existsSync(stamp)) rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    rmSync(stamp, { force: true });
    mkdirSync(folder, { recursive: true });
    writeWhole(join(folder, "package.json"), wanted);
    say(`installing ${Object.keys(dependencies).join(", ")}`);
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"];
    await capture("npm", args, { log: `npm-install-${basename(folder)}`, cwd: folder, fetches: true });
    writeWhole(stamp, wanted);
    return true;
  });
}
