// A row's project below build/matrix: its packages, posenc from the tarball, and its files. Packages stay between runs.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { binaries, build, root } from "../../bindings/setup/paths.mjs";
import { installPackages } from "../packages.mjs";

/** Folders that an earlier run may have left: outputs and caches, removed so that each run is a first one. */
const LEFT = ["dist", "out", ".next", ".parcel-cache", ".wrangler", "node_modules/.vite", "node_modules/.cache"];

const slug = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");

export const folderOf = ({ name, entry, project = slug(`${name} ${entry ?? ""}`) }) => join(build, "matrix", project);

/** Makes the project of a row; resolves to its folder. Rows that share a project share its packages alone. */
export async function makeProject(row, tarball) {
  const folder = folderOf(row);
  const { packages = {}, manifest = {}, files, ownLock = false } = row;
  const dependencies = { ...packages, posenc: `file:${tarball}` };
  await installPackages(folder, dependencies, { manifest: { name: "stranger", ...manifest } });
  for (const name of LEFT) rmSync(join(folder, name), { recursive: true, force: true });
  // Some tools take the topmost folder with a lock file for the project's, and keep their cache there.
  if (ownLock) writeFileSync(join(folder, "yarn.lock"), "");
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

/** A program as a row names it: this Node, a file of the project, or a package's, which may be one of the root's. */
export function program(name, folder) {
  if (name === "node") return process.execPath;
  if (name.startsWith("/")) return name;
  if (name.includes("/")) return join(folder, name);
  const own = join(folder, "node_modules", ".bin", name);
  return existsSync(own) ? own : join(binaries, name);
}

/** The version of a package of Debian's. */
export const debianVersion = (name) =>
  spawnSync("dpkg-query", ["--show", `--showformat=\${source:Upstream-Version}`, name], { encoding: "utf8" }).stdout ||
  "?";

/** The version of a package that a row uses. */
export function versionOf(name, folder) {
  const file = [folder, root].map((at) => join(at, "node_modules", name, "package.json")).find(existsSync);
  return file ? JSON.parse(readFileSync(file, "utf8")).version : "?";
}
