// The notebook of ALiBi's figure: trained again here, without workers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { load } from "posenc/lab";
import { runDeno } from "./deno.mjs";
import { installNotebooks } from "./install.mjs";
import { storedOutputs, tableRows } from "./ipynb.mjs";

const lab = await load();
const text = readFileSync(new URL("../../web/public/opticks.txt", import.meta.url), "utf8");

/** The trainings of the notebook, by their names in it. */
const trainings = Object.fromEntries(
  ["none", "sinusoid", "rope", "alibi"].map((type) => [
    { rope: "RoPE", alibi: "ALiBi" }[type] ?? type,
    lab.training({
      task: { type: "text", text },
      encoding: { type },
      model: { layers: 2, width: 32, heads: 4 },
      optimizer: { steps: 400, batch: 8, rate: 0.01 },
      seed: 1,
    }),
  ]),
);

let file;
let outputs;
before(async () => {
  await installNotebooks();
  ({ file, outputs } = await runDeno("train-short"));
});

const markdown = (cell) => tableRows(outputs[cell][0].data["text/markdown"]);
const printed = (tests) => tests.map(({ perplexity }) => perplexity.toFixed(2));

test("the cells of train-short give what is stored in it", () => {
  assert.deepEqual(outputs, storedOutputs(file));
  for (const output of outputs.flat()) assert.equal(output.output_type, "display_data");
});

test("losses and perplexities are those of trainings without workers", () => {
  const losses = Object.entries(trainings).map(([name, training]) => [
    name,
    ...[1, 2, 3, 4].map(() => training.step(100).loss.toFixed(3)),
  ]);
  assert.deepEqual(markdown(1), losses);
  const tests = Object.entries(trainings).map(([name, each]) => [name, ...printed(each.stretch({ sequences: 64 }))]);
  assert.deepEqual(markdown(2), tests);
  const scaled = (type) =>
    printed(
      trainings.RoPE.stretch({ sequences: 64, encoding: (factor) => ({ type: "rope", scaling: { type, factor } }) }),
    );
  assert.deepEqual(markdown(4), [tests[2], ["RoPE, PI", ...scaled("linear")], ["RoPE, NTK", ...scaled("ntk")]]);
});

test("what the notebook says of them is so", () => {
  const of = Object.fromEntries(markdown(2).map(([name, ...values]) => [name, values.map(Number)]));
  for (const name of ["sinusoid", "RoPE"])
    for (let i = 1; i < 4; ++i) assert.ok(of[name][i] > 1.1 * of[name][i - 1], `${name} gets worse and worse`);
  assert.ok(Math.max(...of.ALiBi) < 1.05 * Math.min(...of.ALiBi), "ALiBi's line is level");
  assert.ok(Math.max(...of.none) < 1.15 * Math.min(...of.none), "nearly so that of none");
  assert.ok(Math.min(...of.none) > Math.max(...of.ALiBi), "which never knew the order well");
  const [plain, linear, ntk] = markdown(4).map(([, ...values]) => values.map(Number));
  for (let i = 1; i < 4; ++i) assert.ok(ntk[i] < plain[i], "NTK makes it better");
  for (let i = 1; i < 4; ++i) assert.ok(Math.abs(linear[i] / plain[i] - 1) < 0.05, "PI changes next to nothing");
});

test("the picture has a line for each, and the text is what ALiBi's model writes", () => {
  const svg = outputs[3][0].data["image/svg+xml"];
  assert.equal(svg.match(/<path [^>]*stroke="/g).length, 4);
  const { ALiBi } = trainings;
  const prompt = ALiBi.encode("The Rays of Light ");
  const written = ALiBi.decode([...prompt, ...ALiBi.generate(prompt, { count: 120, temperature: 0.5, seed: 1 })]);
  assert.equal(outputs[5][0].data["text/markdown"], `> ${written.replaceAll("\n", " ")}`);
});
