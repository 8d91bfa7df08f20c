// Installs what the notebooks need below build/notebooks: posenc from its packed tarball, and the programs from npm.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../../bindings/setup/atomic.mjs";
import { SetupFailure } from "../../bindings/setup/failure.mjs";
import { build } from "../../bindings/setup/paths.mjs";
import { installPackages, packTarball } from "../packages.mjs";

export const folder = join(build, "notebooks");
export const packages = join(folder, "node_modules");

// linkedom 0.18.13 depends on a package that not every mirror has. The newest Deno with which no cell's output is lost:
// from 2.8.3 on its kernel may publish "idle" before the last output, and Jupyter stops listening.
const PROGRAMS = {
  "@jupyterlite/javascript-kernel": "0.3.0",
  "@observablehq/inputs": "0.12.0",
  "@observablehq/notebook-kit": "2.1.8",
  "@observablehq/plot": "0.6.17",
  deno: "2.8.0",
  linkedom: "0.18.12",
};

/** Where Jupyter finds the Deno kernel. */
export const jupyterPath = join(folder, "jupyter");

/** npm installs the one of Deno's programs that fits the machine. */
function findDeno() {
  const scope = join(packages, "@deno");
  const deno = existsSync(scope) && readdirSync(scope).map((name) => join(scope, name, "deno"))[0];
  if (!deno || !existsSync(deno)) throw new SetupFailure("npm has no Deno for this machine's processor and C library.");
  return deno;
}

const kernel = () => ({
  argv: [findDeno(), "jupyter", "--kernel", "--conn", "{connection_file}"],
  display_name: "Deno",
  language: "typescript",
});

/** Installs what is missing; resolves to what was done. */
export async function installNotebooks(line) {
  const dependencies = { ...PROGRAMS, posenc: `file:${await packTarball()}` };
  const manifest = { type: "module" };
  const say = () => line?.progress("installing below build/notebooks (300 MB)");
  const installed = await installPackages(folder, dependencies, { manifest, say });
  mkdirSync(jupyterPath, { recursive: true });
  writeWhole(join(jupyterPath, "kernels", "deno", "kernel.json"), JSON.stringify(kernel(), undefined, 2));
  return installed ? "installed" : "up to date";
}
