// Packages that only a heavy test or a comparison needs: installed below build/ when it is asked for, never into the
// project. posenc itself comes as its users get it: packed, and unpacked from the tarball.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { writeWhole } from "./atomic.mjs";
import { withLock } from "./lock.mjs";
import { build } from "./paths.mjs";
import { capture } from "./processes.mjs";

const packed = join(build, "packed");

const hashOf = (content) => createHash("sha256").update(content).digest("hex").slice(0, 12);

/**
 * Packs the project, dist as it is built; resolves to the tarball's path. Its name has the hash of its content, so that
 * npm takes another content for another package.
 */
export async function packTarball() {
  mkdirSync(packed, { recursive: true });
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
