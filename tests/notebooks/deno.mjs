// The Deno notebooks, executed by nbconvert as Jupyter would.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { capture } from "../../bindings/setup/processes.mjs";
import { folder, jupyterPath } from "./install.mjs";
import { codeCells, outputsOf, readNotebook } from "./ipynb.mjs";

const environment = () => ({
  ...process.env,
  JUPYTER_PATH: jupyterPath,
  JUPYTER_RUNTIME_DIR: join(folder, "jupyter", "runtime"),
  DENO_DIR: join(folder, "deno"),
  DENO_NO_UPDATE_CHECK: "1",
  // A package that is not in node_modules must fail: no other posenc may come from a registry.
  NPM_CONFIG_REGISTRY: "http://127.0.0.1:9/",
});

/**
 * Executes a notebook; resolves to its outputs, a list for each code cell. Deno takes `npm:posenc` from the node_modules
 * beside the package.json above the notebook, so a copy is executed in a folder that has them, as far below the project's
 * root as the notebook is.
 */
export async function execute(name, notebook) {
  const copy = join(folder, "executed", `${name}.ipynb`);
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(copy, JSON.stringify(notebook));
  const args = ["--to", "notebook", "--execute", "--inplace", "--ExecutePreprocessor.timeout=120", copy];
  await capture("jupyter-nbconvert", args, { log: `nbconvert-${name}`, cwd: dirname(copy), env: environment() });
  return codeCells(readNotebook(copy)).map(outputsOf);
}

/** Executes the notebook of that name; resolves to { file, outputs }. */
export async function runDeno(name) {
  const file = fileURLToPath(new URL(`deno/${name}.ipynb`, import.meta.url));
  return { file, outputs: await execute(name, readNotebook(file)) };
}
