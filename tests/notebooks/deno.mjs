// The Deno notebook, executed by nbconvert as Jupyter would.
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { capture } from "../../bindings/setup/processes.mjs";
import { folder, jupyterPath } from "./install.mjs";
import { storedOutputs } from "./ipynb.mjs";

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
 * Executes the notebook; resolves to its file and its outputs, a list for each code cell. Deno takes `npm:posenc` from the
 * node_modules beside the package.json above the notebook, so a copy is executed in a folder that has them.
 */
export async function runDeno() {
  const file = fileURLToPath(new URL("deno/word-order.ipynb", import.meta.url));
  const copy = join(folder, "executed", "word-order.ipynb");
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(file, copy);
  const args = ["--to", "notebook", "--execute", "--inplace", "--ExecutePreprocessor.timeout=120", copy];
  await capture("jupyter-nbconvert", args, { log: "nbconvert", cwd: dirname(copy), env: environment() });
  return { file, outputs: storedOutputs(copy) };
}
