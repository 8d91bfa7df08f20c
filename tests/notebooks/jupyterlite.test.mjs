import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertClose, rotate } from "../api/testing/reference.mjs";
import { installNotebooks } from "./install.mjs";
import { storedOutputs } from "./ipynb.mjs";
import { runJupyterLite } from "./jupyterlite.mjs";

let file;
let outputs;
let asked;
let trouble;
before(async () => {
  await installNotebooks();
  ({ file, outputs, asked, trouble } = await runJupyterLite());
});

test("the JupyterLite notebook's cells give what is stored in it, with posenc from the network alone", () => {
  assert.deepEqual(outputs, storedOutputs(file));
  for (const output of outputs)
    assert.deepEqual(
      output.map(({ name }) => name),
      ["stdout"],
    );
  assert.deepEqual([...asked], ["/npm/posenc/+esm"]);
  assert.deepEqual(trouble, []);
});

test("the score stands still when both positions slide, and moves with the distance", () => {
  const column = (cell, index) => {
    const lines = outputs[cell][0].text.trim().split("\n");
    return lines.map((line) => Number(line.split(" ")[index]));
  };
  const at = (x, position) => rotate(x, position, { layout: "interleaved" });
  const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  const [q, k] = [
    [1, 0.8, 0.3, -0.5],
    [0.6, -0.2, 0.9, 0.4],
  ];
  assertClose(column(1, 2), Array(5).fill(dot(at(q, 3), k)), 6e-6);
  const moved = [0, 1, 2, 3, 4].map((apart) => dot(at(q, apart), k));
  assertClose(column(2, 2), moved, 6e-6);
});
