// node tests/notebooks/store.mjs: runs the .ipynb notebooks and stores the outputs of their cells in them. The tests
// compare a run's outputs with the stored ones, and its numbers with the formulas.
import { readFileSync, writeFileSync } from "node:fs";
import { runDeno } from "./deno.mjs";
import { installNotebooks } from "./install.mjs";
import { codeCells } from "./ipynb.mjs";
import { runJupyterLite } from "./jupyterlite.mjs";

/** How a multi-line text is stored in a file: a list of lines. */
const lines = (text) => text.split(/(?<=\n)/);

/** An output in the file format. */
const stored = ({ output_type, name, text, data }) => {
  if (output_type === "stream") return { output_type, name, text: lines(text) };
  const texts = Object.entries(data).map(([type, value]) => [type, lines(value)]);
  return { output_type, data: Object.fromEntries(texts), metadata: {} };
};

await installNotebooks();
for (const { file, outputs } of [await runDeno(), await runJupyterLite()]) {
  const notebook = JSON.parse(readFileSync(file, "utf8"));
  for (const [index, cell] of codeCells(notebook).entries()) {
    cell.execution_count = index + 1;
    cell.outputs = outputs[index].map(stored);
  }
  writeFileSync(file, `${JSON.stringify(notebook, undefined, 1)}\n`);
}
