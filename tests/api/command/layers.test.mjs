// Frequencies of a model's layer, and the names by which --layer takes layers. Numbers of rules are tested in core.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { before, test } from "node:test";
import { fromNpy } from "posenc/npy";
import { npy } from "../testing/array-files.mjs";
import { hasTerminal, inProject, jsonOf, onTerminal, posenc, script, config as small } from "./installed.mjs";

const close = (actual, wanted) => {
  assert.equal(actual.length, wanted.length);
  for (const [i, value] of wanted.entries())
    assert.ok(Math.abs(actual[i] / value - 1) < 1e-12, `${i}: ${actual[i]}, expected ${value}`);
};
const powers = (base, dim) => Array.from({ length: dim / 2 }, (_, i) => base ** ((-2 * i) / dim));

const llama = {
  ...small,
  max_position_embeddings: 131072,
  rope_scaling: {
    rope_type: "llama3",
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 8192,
  },
};
const types = Array.from({ length: 12 }, (_, i) => (i % 6 === 5 ? "full_attention" : "sliding_attention"));
const gemma = {
  model_type: "gemma3_text",
  hidden_size: 128,
  head_dim: 64,
  num_attention_heads: 2,
  num_hidden_layers: 12,
  sliding_window: 512,
  layer_types: types,
  rope_parameters: {
    full_attention: { rope_type: "linear", factor: 8, rope_theta: 1000000 },
    sliding_attention: { rope_type: "default", rope_theta: 10000 },
  },
};
const ofFull = powers(1000000, 64).map((frequency) => frequency / 8);
const ofSliding = powers(10000, 64);

before(() => {
  const write = (name, config) => writeFileSync(inProject(name), JSON.stringify(config));
  write("llama.json", llama);
  write("short.json", { ...llama, num_hidden_layers: 1 });
  write("gemma.json", gemma);
});

test("frequencies of a config, in JSON and as lines, in both languages", () => {
  const made = jsonOf("frequencies", "llama.json");
  close([made.frequencies[0], made.frequencies[31]], [1, 500000 ** (-62 / 64) / 8]);
  close(
    made.wavelengths,
    made.frequencies.map((frequency) => (2 * Math.PI) / frequency),
  );
  assert.deepEqual([made.attentionFactor, made.scaling.type], [1, "llama3"]);
  assert.deepEqual([made.dim, made.rotaryDim, made.base, made.layers], [64, 64, 500000, "0-1"]);
  const { status, out } = posenc("frequencies", "llama.json");
  assert.equal(status, 0);
  const [head, factor, columns, ...lines] = out.trimEnd().split("\n");
  assert.equal(head, "Layers 0-1: 64 of 64 dimensions rotate, base 500000, rule llama3.");
  assert.equal(factor, "Attention factor, of cosines and sines: 1.");
  assert.equal(columns, "pair\tinverse frequency\twavelength");
  assert.deepEqual(
    lines.map((line) => Number(line.split("\t")[1])),
    made.frequencies,
  );
  assert.match(posenc("frequencies", "llama.json", "--lang", "zh").out, /注意力因子/);
});

test("frequencies of a plan, as files and on standard output", () => {
  const plan = { dim: 128, layout: "half", base: 1e6, rotaryDim: 64, scaling: { type: "linear", factor: 2 } };
  const asked = ["frequencies", "--plan", JSON.stringify(plan)];
  const wanted = powers(1e6, 64).map((frequency) => frequency / 2);
  close(jsonOf(...asked).frequencies, wanted);
  assert.equal(posenc(...asked, "-o", "f.npy").out, "f.npy: frequencies float64 [32], wavelengths float64 [32]\n");
  const { data, shape, dtype } = fromNpy(readFileSync(inProject("f.npy")));
  assert.deepEqual([shape, dtype], [[32], "float64"]);
  close(data, wanted);
  assert.equal(posenc(...asked, "-o", "f.safetensors").status, 0);
  const { layout: _, ...meant } = plan;
  const own = ["--plan", JSON.stringify(meant)];
  assert.equal(posenc("diagnose", "--frequencies", "f.safetensors:frequencies", ...own).status, 0);
  assert.equal(posenc("diagnose", "--frequencies", "f.npy", ...own).status, 0);
});

test("frequencies that depend on how much is read need a length", () => {
  const plan = JSON.stringify({
    dim: 64,
    layout: "half",
    scaling: { type: "dynamic", factor: 2, originalLength: 2048 },
  });
  const refused = posenc("frequencies", "--plan", plan);
  assert.equal(refused.status, 3);
  assert.match(refused.error, /^posenc: length: /);
  const base = 10000 * ((2 * 8192) / 2048 - 1) ** (64 / 62);
  close(jsonOf("frequencies", "--plan", plan, "--length", "8192").frequencies, powers(base, 64));
});

test("--layer: a number, a type of layers, or layers as explain prints them", () => {
  const { out } = posenc("explain", "gemma.json");
  assert.match(out, /Layers of the type sliding_attention \(layers 0-4, 6-10\) rotate/);
  for (const [layer, wanted, places] of [
    ["0", ofSliding, "0-4, 6-10"],
    ["11", ofFull, "5, 11"],
    ["full_attention", ofFull, "5, 11"],
    ["0-4, 6-10", ofSliding, "0-4, 6-10"],
    [undefined, ofSliding, "0-4, 6-10"],
  ]) {
    const own = layer === undefined ? [] : ["--layer", layer];
    const made = jsonOf("frequencies", "gemma.json", ...own);
    close(made.frequencies, wanted);
    assert.equal(made.layers, places);
  }
  const full = ["--layer", "full_attention"];
  assert.equal(posenc("cache", "gemma.json", ...full, "--length", "600", "-o", "c.npy").status, 0);
  assert.equal(fromNpy(readFileSync(inProject("c.npy"))).data[500 * 32 + 3], Math.fround(Math.cos(500 * ofFull[3])));
  assert.equal(posenc("frequencies", "gemma.json", ...full, "-o", "full.npy").status, 0);
  const asked = ["diagnose", "--frequencies", "full.npy", "--expected", "gemma.json"];
  assert.equal(posenc(...asked, ...full).status, 0);
  assert.equal(posenc(...asked, "--layer", "sliding_attention").status, 1);
});

test("--layer: a name that is not there lists those that are", () => {
  const list = 'a number from 0 to 11, or one of "sliding_attention", "0-4, 6-10", "full_attention", "5, 11"';
  for (const [name, ...args] of [
    ["global", "frequencies", "gemma.json"],
    ["12", "cache", "gemma.json", "--length", "4", "-o", "x.npy"],
    ["-1", "frequencies", "gemma.json"],
    ["1.5", "frequencies", "gemma.json"],
    ["", "diagnose", "--frequencies", "full.npy", "--expected", "gemma.json"],
  ]) {
    const { status, error } = posenc(...args, `--layer=${name}`);
    assert.equal(status, 3, args.join(" ") + name);
    assert.equal(error.split("\n")[0], `posenc: --layer: ${JSON.stringify(name)}, expected ${list}`);
  }
  const beside = ["cache", "--plan", '{"dim": 4, "layout": "half"}', "--layer", "0", "--length", "1", "-o", "x.npy"];
  assert.match(posenc(...beside).error, /^posenc: --layer: given beside --plan/);
});

test("compare says where two models have other numbers of layers, in both languages and in JSON", () => {
  const { out, status } = posenc("compare", "llama.json", "short.json");
  assert.equal(status, 0);
  assert.match(out, /^The first has 2 layers, the other 1; those that both have are compared\.\n/);
  assert.match(posenc("compare", "short.json", "llama.json", "--lang", "zh").out, /前一个有 1 层，后一个有 2 层/);
  assert.deepEqual(jsonOf("compare", "llama.json", "short.json").layerCounts, [2, 1]);
});

test("long work says on a terminal's standard error alone how far it is, or that it computes", (t) => {
  if (!hasTerminal()) return t.skip("no terminal");
  writeFileSync(inProject("slow.npy"), npy({ data: Float64Array.of(0, 1), shape: [2] }));
  const slow = "(sleep 5; cat slow.npy) | posenc table --dim 4 --positions - --force -o rows.npy";
  assert.match(onTerminal(slow).out, /positions: \d+ %/);
  assert.equal(script(slow).error, "");
  const compare = "compare llama.json short.json";
  const fixtures = "fixtures llama.json --force -o fixed";
  for (const work of ["diagnose --frequencies slow.npy", "explain llama.json --for vllm", compare, fixtures])
    for (const [language, said] of Object.entries({ en: "Computing …", zh: "正在计算 …" })) {
      const line = `posenc ${work} --lang ${language}`;
      assert.ok(onTerminal(`${line} >printed.txt`).out.includes(said), line);
      assert.doesNotMatch(script(`${line} 2>&1`).out, new RegExp(said), line);
    }
});
