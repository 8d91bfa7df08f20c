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

/** The numbers that a cell printed, a list for each line. */
const lines = (cell) =>
  outputs[cell][0].text
    .trim()
    .split("\n")
    .map((line) => line.split(" ").map(Number));

const column = (cell, index) => lines(cell).map((line) => line[index]);

// The notebook's vectors and weights, computed with again.
const at = (x, position) => rotate(x, position, { layout: "interleaved" });
const dot = (a, b) => a.reduce((sum, value, dimension) => sum + value * b[dimension], 0);
const q = [1, 0.8, 0.3, -0.5];
const k = [0.6, -0.2, 0.9, 0.4];
const [a, b] = [
  [1, 0.2],
  [0.3, 1],
];
const Wq = [
  [1, 0.8],
  [-0.8, 1],
];
const Wk = [
  [-1, 0.6],
  [0.6, 1],
];
const project = (x, rows) => rows.map((row) => dot(row, x));

test("the JupyterLite notebook's cells give what is stored in it, with posenc from the network alone", () => {
  assert.deepEqual(outputs, storedOutputs(file));
  assert.deepEqual(outputs[0], [{ output_type: "stream", name: "stdout", text: "ready\n" }]);
  for (const output of outputs)
    assert.deepEqual(
      output.map(({ name }) => name),
      ["stdout"],
    );
  assert.deepEqual([...asked], ["/npm/posenc/+esm"]);
  assert.deepEqual(trouble, []);
});

test("the score stands still when both positions slide, and moves with the distance", () => {
  const still = dot(at(q, 3), k);
  assertClose(column(1, 2), Array(5).fill(still), 6e-6);
  assert.deepEqual(
    column(1, 0).map((m, i) => m - column(1, 1)[i]),
    [3, 3, 3, 3, 3],
  );
  assertClose(
    column(2, 2),
    [0, 1, 2, 3, 4].map((apart) => dot(at(q, apart), k)),
    6e-6,
  );
});

test("rotation before projection does not keep the score, after it does", () => {
  const printed = [0, 1, 2, 3].map((n) => dot(project(at(a, n + 1), Wq), project(at(b, n), Wk)));
  const meant = [0, 1, 2, 3].map((n) => dot(at(project(a, Wq), n + 1), at(project(b, Wk), n)));
  assertClose(column(3, 2), printed, 6e-6);
  assertClose(column(3, 3), meant, 6e-6);
  assert.ok(Math.max(...printed) - Math.min(...printed) > 0.1);
});

test("the formula in print lacks a term, and the one with it agrees", () => {
  const product = [0, 1, 2, 3].map((apart) => dot(at(a, apart), b));
  assertClose(column(4, 1), product, 6e-6);
  assertClose(
    column(4, 2),
    [0, 1, 2, 3].map((apart) => Math.cos(apart) * dot(a, b)),
    6e-6,
  );
  assertClose(column(4, 3), product, 6e-6);
});
