// The programs that check the package, below build/hygiene: posenc from its packed tarball, and the programs from npm.
// They are in no lock file, so their versions are exact here.
import { join } from "node:path";
import { build } from "../../bindings/setup/paths.mjs";
import { installPackages, packTarball } from "../packages.mjs";

export const folder = join(build, "hygiene");
export const packages = join(folder, "node_modules");

const PROGRAMS = {
  "@arethetypeswrong/core": "0.18.5",
  knip: "6.44.2",
  "onnxruntime-common": "1.30.0", // the types of onnxruntime-web's tensors
  typescript: "7.0.2", // beside the root's 5.9
};

/** Installs what is missing; resolves to what was done. */
export async function installHygiene(line) {
  const dependencies = { ...PROGRAMS, posenc: `file:${await packTarball()}` };
  const say = () => line?.progress("installing below build/hygiene (90 MB)");
  const installed = await installPackages(folder, dependencies, { manifest: { type: "module" }, say });
  return installed ? "installed" : "up to date";
}
