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
  ({ file, outputs } = await runDeno("word-order"));
});

// The notebook's sentences and word vectors, computed again.
const cat = "the cat sat on the mat".split(" ");
const mat = "on mat the sat cat the".split(" ");
const embed = (words) =>
  words.map((word) => range(26, 97).map((code) => word.split(String.fromCharCode(code)).length - 1));
const table = sinusoid(range(6), 26);
const place = (rows) =>
  rows.map((row, position) => row.map((value, dimension) => value + table[26 * position + dimension]));
const distance = (a, b) => Math.hypot(...a.map((value, dimension) => value - b[dimension]));

function attention(rows) {
  const { output, weights } = attend([[rows]], [[rows]], [[rows]], { scale: 26 ** -0.5 });
  return { output: output[0][0], weights: weights[0][0] };
}

const bare = { cat: attention(embed(cat)), mat: attention(embed(mat)) };
const placed = { cat: attention(place(embed(cat))), mat: attention(place(embed(mat))) };

const markdown = (cell) => tableRows(outputs[cell][0].data["text/markdown"]);
const lastColumn = (cell) => markdown(cell).map((row) => Number(row.at(-1)));
const differences = (one, other) =>
  [...new Set(cat)].map((word) => distance(one.output[cat.indexOf(word)], other.output[mat.indexOf(word)]));

test("the cells of word-order give what is stored in it", () => {
  assert.deepEqual(outputs, storedOutputs(file));
  for (const output of outputs.flat()) assert.equal(output.output_type, "display_data");
});

test("without positions every word's output is the same in either sentence", () => {
  assertClose(differences(bare.cat, bare.mat), [0, 0, 0, 0, 0], 1e-12);
  assert.deepEqual(
    markdown(2).map(([word]) => word),
    ["the", "cat", "sat", "on", "mat"],
  );
  assert.deepEqual(lastColumn(2), [0, 0, 0, 0, 0]);
  assert.deepEqual(lastColumn(3), [0]);
});

test("with positions they differ by what the formula says", () => {
  assertClose(lastColumn(4), differences(placed.cat, placed.mat), 6e-6);
  assertClose(lastColumn(5), [distance(placed.cat.output[0], placed.cat.output[4])], 6e-6);
  assert.ok(Math.min(...lastColumn(4), ...lastColumn(5)) > 0.4);
});

test("the heatmap shows the attention weights", () => {
  const svg = outputs[6][0].data["image/svg+xml"];
  const shown = [...svg.matchAll(/<title>([\d.]+)<\/title>/g)].map(([, weight]) => Number(weight));
  assertClose(shown, [...bare.cat.weights.flat(), ...placed.cat.weights.flat()], 6e-4);
});

test("the popular post's positions bring two words to one point, the formula's do not", () => {
  const [inPrint, formula] = markdown(7);
  const point = (text) => text.match(/-?[\d.]+/g).map(Number);
  const the = [0.9 + Math.sin(4), 1 + Math.cos(4)];
  const last = [1.1 + Math.sin(5), 1.2 + Math.cos(5)];
  assert.deepEqual(inPrint, ["in print", "(1.8000, 1.4000)", "(1.8000, 1.4000)", "0.0000"]);
  assertClose(point(formula[1]), the, 6e-5);
  assertClose(point(formula[2]), last, 6e-5);
  assertClose([Number(formula[3])], [distance(the, last)], 6e-5);
});
