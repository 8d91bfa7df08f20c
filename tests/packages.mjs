// Packages that only a heavy test or a comparison needs go below build/ when it is asked for, never into the project.
// posenc itself comes as its users get it: packed, and unpacked from the tarball.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { makeFolder, writeWhole } from "../bindings/setup/atomic.mjs";
import { withLock } from "../bindings/setup/lock.mjs";
import { build } from "../bindings/setup/paths.mjs";
import { capture } from "../bindings/setup/processes.mjs";
import { fingerprint } from "../bindings/setup/stamps.mjs";

const PUBLISHED = ["package.json", "README.md", "LICENSE", "bindings/guide", "dist", "web/pictures"];

/**
 * Packs the project, dist as it is built, unless that was done; resolves to the tarball's path. Its folder's name has the
 * hash of what it holds, so that npm takes another content for another package.
 */
export function packTarball() {
  return withLock(join(build, "packed", "lock"), async () => {
    const folder = join(build, "packed", fingerprint(PUBLISHED).slice(0, 12));
    if (!existsSync(folder))
      await makeFolder(folder, (part) =>
        capture("npm", ["pack", "--ignore-scripts", "--pack-destination", part], { log: "npm-pack" }),
      );
    return join(folder, readdirSync(folder)[0]);
  });
}

/**
 * Makes `folder` a package whose node_modules hold exactly `dependencies` ({ name: version or "file:" + tarball }) and
 * whose package.json has the fields of `manifest` besides. Does nothing when they are there; resolves to whether it had
 * to install. Install scripts do not run.
 */
export function installPackages(folder, dependencies, { manifest = {}, say = () => {} } = {}) {
  const wanted = JSON.stringify({ private: true, ...manifest, dependencies }, undefined, 2);
  const record = join(folder, "installed.json");
  return withLock(`${folder}.lock`, async () => {
    if (existsSync(record) && readFileSync(record, "utf8") === wanted) return false;
    // Without the record a run was interrupted: npm would mistake a half-unpacked package for a whole one.
    if (!existsSync(record)) rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    rmSync(record, { force: true });
    mkdirSync(folder, { recursive: true });
    writeWhole(join(folder, "package.json"), wanted);
    say(`installing ${Object.keys(dependencies).join(", ")}`);
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"];
    await capture("npm", args, { log: `npm-install-${basename(folder)}`, cwd: folder, fetches: true });
    writeWhole(record, wanted);
    return true;
  });
}
