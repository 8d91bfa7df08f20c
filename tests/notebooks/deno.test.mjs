import assert from "node:assert/strict";
import { before, test } from "node:test";
import { attend } from "../api/testing/attention-formula.mjs";
import { assertClose, range, sinusoid } from "../api/testing/reference.mjs";
import { runDeno } from "./deno.mjs";
import { installNotebooks } from "./install.mjs";
import { storedOutputs, tableRows } from "./ipynb.mjs";

let file;
let outputs;
before(async () => {
  await installNotebooks();
  ({ file, outputs } = await runDeno());
});

test("the cells of word-order give what is stored in it", () => {
  assert.deepEqual(outputs, storedOutputs(file));
  for (const output of outputs.flat()) assert.equal(output.output_type, "display_data");
});

test("words' outputs in two orders of a sentence are the same without positions, and differ as the formula says", () => {
  const cat = "the cat sat on the mat".split(" ");
  const mat = "on mat the sat cat the".split(" ");
  const table = sinusoid(range(6), 26);
  const letters = (word) => range(26, 97).map((code) => word.split(String.fromCharCode(code)).length - 1);
  const outputOf = (words, share) => {
    const rows = words.map((word, p) => letters(word).map((value, i) => value + share * table[26 * p + i]));
    return attend([[rows]], [[rows]], [[rows]], { scale: 26 ** -0.5 }).output[0][0];
  };
  const differences = (share) => {
    const [one, other] = [outputOf(cat, share), outputOf(mat, share)];
    const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));
    return [...new Set(cat)].map((word) => distance(one[cat.indexOf(word)], other[mat.indexOf(word)]));
  };
  const lastColumn = (cell) => tableRows(outputs[cell][0].data["text/markdown"]).map((row) => Number(row.at(-1)));
  assertClose(differences(0), [0, 0, 0, 0, 0], 1e-12);
  assert.deepEqual(lastColumn(2), [0, 0, 0, 0, 0]);
  assertClose(lastColumn(4), differences(1), 6e-6);
});
