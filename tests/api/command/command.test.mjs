// npx posenc, from the tarball: what each command prints and writes, and its exit codes.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { before, test } from "node:test";
import { fromNpy } from "posenc/npy";
import { sampled } from "../diagnosis/rotations.mjs";
import { npy } from "../testing/array-files.mjs";
import { config, inProject, jsonOf, plan, posenc, positions, right, unread, write } from "./installed.mjs";

const commands = ["explain", "compare", "diagnose", "fixtures", "table", "cache", "bias", "frequencies"];
const list = positions.join(",");
const wrong = sampled(positions, { ...plan, sign: -1 });

before(() => {
  mkdirSync(inProject("model"));
  write("model/config.json", JSON.stringify(config));
  write("other.json", JSON.stringify({ ...config, rope_theta: 10000 }));
  write("long.json", JSON.stringify({ ...config, max_position_embeddings: 32768, torch_dtype: "bfloat16" }));
  const forged = { type: "dynamic", factor: 2, "x\u202e\n'; rm -rf": 1 };
  write("forged.json", JSON.stringify({ ...config, max_position_embeddings: 4096, rope_scaling: forged }));
  write("before.npy", npy(right.before));
  write("after.npy", npy(right.after));
  write("wrong.npy", npy(wrong.after));
});

test("--help of each command has examples, and names the exit codes", () => {
  const { status, out } = posenc("--help");
  assert.equal(status, 0);
  assert.match(out, /Exit codes: 0 done, or as expected; 1 .*; 2 .*; 3 [^;]*; 4 /);
  for (const command of commands) {
    const help = posenc(command, "--help");
    assert.equal(help.status, 0);
    assert.match(help.out, new RegExp(`^posenc ${command} `));
    assert.match(help.out, new RegExp(`\\n  posenc ${command} [^\\n]*\\n?`), command);
    assert.ok(
      help.out.split("\n").every((line) => line.length <= 125),
      command,
    );
    assert.equal(posenc("help", command).out, help.out);
  }
  const { version } = JSON.parse(readFileSync(inProject("node_modules/posenc/package.json"), "utf8"));
  assert.equal(posenc("--version").out, `${version}\n`);
});

test("explain: a folder with config.json, in both languages, and two models", () => {
  const { status, out } = posenc("explain", "model");
  assert.equal(status, 0);
  assert.match(
    out,
    /^Does:\n {2}- Queries and keys \(layers 0-1\) rotate: 64 of 64 dimensions of a head, base 500000\./,
  );
  assert.match(posenc("explain", "model", "--lang", "zh").out, /查询和键（第 0-1 层）：每个头/);
  assert.equal(jsonOf("explain", "model/config.json")[0].code, "rotary");
  assert.match(posenc("explain", "model", "other.json").out, /Layers 0-1:\n {2}base: 500000 \| 10000\n/);
  assert.equal(jsonOf("explain", "model", "other.json").differing.length, 1);
});

test("explain: each part under its path, --part one of them; beside a text that is refused, too", () => {
  const vision_config = { model_type: "qwen2_5_vl", depth: 2, hidden_size: 64, num_heads: 4 };
  const text_config = { ...config, model_type: "qwen2_5_vl_text" };
  write("whole.json", JSON.stringify({ model_type: "qwen2_5_vl", text_config, vision_config }));
  assert.match(posenc("explain", "whole.json").out, /\nPart vision_config:\n/);
  const parts = (...args) => new Set(jsonOf("explain", "whole.json", ...args).map(({ part }) => part));
  assert.deepEqual(
    [parts(), parts("--part", "vision_config")],
    [new Set([undefined, "vision_config"]), new Set([undefined])],
  );
  assert.match(
    posenc("explain", "whole.json", "--part", "audio").error,
    /part: "audio", expected the path of an object/,
  );
  const refused = { ...text_config, hidden_size: 0 };
  write("whole.json", JSON.stringify({ model_type: "qwen2_5_vl", text_config: refused, vision_config }));
  const { status, out } = posenc("explain", "whole.json");
  assert.deepEqual([status, /text_config\..*\n/.test(out), /\nPart vision_config:\n/.test(out)], [2, true, true]);
});

test("explain: other code comes first, with --for too; a mark of the byte order and Infinity are read", () => {
  const other = { ...config, auto_map: { AutoModel: "modeling_mine.Mine" } };
  write("mine.json", `\uFEFF${JSON.stringify(other).replace(/\}$/, ', "limit": Infinity}')}`);
  assert.match(posenc("explain", "mine.json").out, /^Can go wrong:\n.*auto_map/);
  assert.match(posenc("explain", "mine.json", "--for", "vllm").out, /auto_map/);
  write("mine.json", '{"model_type": "llama",\n// heads\n"num_attention_heads": 2}');
  assert.match(posenc("explain", "mine.json").error, /line 2: a comment/);
});

test("explain --for: keys, flags, what a length changes, and the cache", () => {
  const { status, out } = posenc("explain", "model", "--for", "vllm", "--length", "4096");
  assert.equal(status, 0);
  assert.match(out, /^vLLM \w+: /);
  assert.match(out, /layers 0-1: 1024 bytes a token and layer/);
  const long = posenc("explain", "long.json", "--for", "vllm", "--length", "131072");
  const keys = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 32768, rope_theta: 500000 };
  const json = JSON.stringify({ rope_parameters: keys });
  assert.ok(long.out.includes(`\n  --hf-overrides '${json}' --max-model-len 131072\n`), long.out);
  assert.match(long.out, /For 131072 tokens: yarn, factor 4 over 32768\./);
  assert.match(long.out, /at 131072 tokens: 134217728 bytes/);
  const made = jsonOf("explain", "long.json", "--for", "llama.cpp", "--length", "131072");
  assert.deepEqual(made.flags.slice(2, 4), ["--rope-scaling", "yarn"]);
  assert.equal(made.keyCache.bytes, 134217728);
  assert.equal(made.certificates.length, 1);
  assert.match(posenc("explain", "long.json", "--for", "onnx", "--lang", "zh", "--length", "131072").out, /做不到/);
  // The texts of a config are shown in ASCII: it forges no line, and no shell reads it.
  const { out: shown } = posenc("explain", "forged.json", "--for", "mlx");
  assert.doesNotMatch(shown, /[^\n -~]/);
  assert.match(shown, /\\u202e/);
  for (const args of [
    ["--for", "ollama"],
    ["other.json", "--for", "vllm"],
    ["--for", "vllm", "--length", "1.5"],
  ])
    assert.equal(posenc("explain", "model", ...args).status, 3, args.join(" "));
});

test("diagnose: a rotation that is right, and one that is not", () => {
  const fine = posenc("diagnose", "before.npy", "after.npy", "--positions", list, "--expected", "model");
  assert.equal(fine.status, 0, fine.error);
  assert.match(fine.out, /base 500000\. This is what was expected\./);
  const bad = posenc("diagnose", "before.npy", "wrong.npy", "--positions", list, "--plan", JSON.stringify(plan));
  assert.equal(bad.status, 1, bad.error);
  assert.match(bad.out, /The angles have the wrong sign[\s\S]*Negate the sines\./);
  assert.match(
    posenc("diagnose", "before.npy", "wrong.npy", "--positions", list, "--lang", "zh", "--expected", "model").out,
    /符号相反/,
  );
  const { explanations } = jsonOf("diagnose", "before.npy", "wrong.npy", "--positions", list, "--expected", "model");
  assert.deepEqual(explanations[0].mistakes, ["sign"]);
  const none = posenc("diagnose", "before.npy", "wrong.npy", "--positions", list);
  assert.equal(none.status, 0, "nothing was expected");
});

test("diagnose: outputs, caches, tables, biases, frequencies and ids", () => {
  const outputs = posenc(
    "diagnose",
    "--outputs",
    "after.npy",
    "wrong.npy",
    "before.npy",
    "--positions",
    list,
    "--expected",
    "model",
  );
  assert.equal(outputs.status, 1, outputs.error);
  assert.match(outputs.out, /The second output is wrong\./);

  assert.equal(posenc("cache", "model", "--length", "600", "-o", "cache.safetensors").status, 0);
  const cache = ["--cache", "cache.safetensors:cos", "cache.safetensors:sin"];
  const made = jsonOf("diagnose", ...cache, "--expected", "model");
  assert.deepEqual(made.explanations[0].mistakes, []);
  assert.equal(made.verdict, "certain");
  assert.equal(posenc("diagnose", ...cache, "--expected", "other.json").status, 1);

  assert.equal(posenc("table", "--dim", "32", "--length", "40", "-o", "table.npy").status, 0);
  assert.equal(posenc("diagnose", "--table", "table.npy", "--plan", '{"type": "sinusoidal", "dim": 32}').status, 0);

  assert.equal(posenc("bias", "alibi", "--heads", "4", "--queries", "6", "--keys", "6", "-o", "bias.npy").status, 0);
  assert.equal(posenc("diagnose", "--bias", "bias.npy", "--plan", '{"type": "alibi"}').status, 0);

  const frequencies = Float64Array.from({ length: 32 }, (_, i) => 10000 ** (-i / 32));
  write("frequencies.npy", npy({ data: frequencies, shape: [32] }));
  assert.equal(posenc("diagnose", "--frequencies", "frequencies.npy", "--expected", "other.json").status, 0);

  const ids = Int32Array.from([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  write("ids.npy", npy({ data: ids, shape: [3, 3] }));
  const asked = ["--ids", "ids.npy", "--segments", '[{"text": 3}]', "--plan", '{"type": "ids", "preset": "qwen2-vl"}'];
  const open = posenc("diagnose", ...asked);
  assert.equal(open.status, 2, "text alone is the same by other presets");
  assert.match(open.out, /What would tell: other segments\./);
});

test("diagnose: 0 as expected, 1 a mistake, 2 not determined, whether its output is read or not", () => {
  write("zeros.npy", npy({ data: new Float32Array(8 * 64), shape: [8, 64] }));
  write("noise.npy", npy({ ...right.after, data: right.after.data.map((_, i) => Math.sin(i * i)) }));
  const meant = ["--plan", '{"dim": 64, "layout": "half"}'];
  for (const [args, status] of [
    [["zeros.npy", "zeros.npy", "--positions", "0..7", ...meant], 2],
    [["zeros.npy", "zeros.npy", "--positions", "0..7"], 2],
    // Numbers that nothing explains: not determined, and a mistake where something was expected.
    [["before.npy", "noise.npy", "--positions", list], 2],
    [["before.npy", "noise.npy", "--positions", list, "--expected", "model"], 1],
    [["--cache", "cache.safetensors:cos", "cache.safetensors:sin", "--expected", "model"], 0],
    [["--cache", "cache.safetensors:cos", "cache.safetensors:sin", "--expected", "other.json"], 1],
  ]) {
    assert.equal(posenc("diagnose", ...args).status, status, args.join(" "));
    assert.equal(unread("diagnose", ...args), status, "its output is closed");
  }
});

test("fixtures: files in a folder", () => {
  const { status, out, error } = posenc("fixtures", "model", "-o", "fixtures/rope");
  assert.equal(status, 0, error);
  const files = readdirSync(inProject("fixtures/rope"));
  assert.ok(files.includes("fixtures.json") && files.includes("test_rope.py"));
  assert.equal(out.trimEnd().split("\n").length, files.length);
  assert.equal(posenc("fixtures", "model", "-o", "fixtures/rope").status, 3, "they are there");
  assert.equal(posenc("fixtures", "model", "-o", "fixtures/rope", "--force").status, 0);
});

test("table, cache and bias: what is written is what is asked for", () => {
  const table = posenc("table", "--dim", "4", "--positions=-1..1,100", "-o", "rows.npy");
  assert.equal(table.out, "rows.npy: table float32 [4, 4]\n");
  const rows = fromNpy(readFileSync(inProject("rows.npy")));
  assert.deepEqual(rows.shape, [4, 4]);
  assert.equal(rows.data[0], Math.fround(Math.sin(-1)));
  assert.equal(rows.data[12], Math.fround(Math.sin(100)));

  posenc("cache", "--plan", '{"dim": 4, "layout": "half"}', "--length", "3", "-o", "both.npy");
  const both = fromNpy(readFileSync(inProject("both.npy")));
  assert.deepEqual(both.shape, [2, 3, 2]);
  assert.deepEqual([both.data[2], both.data[8]], [Math.fround(Math.cos(1)), Math.fround(Math.sin(1))]);

  posenc("table", "--dim", "4", "--length", "2", "--dtype", "bfloat16", "-o", "half.safetensors");
  const half = readFileSync(inProject("half.safetensors"));
  const length = Number(half.readBigUInt64LE());
  assert.equal(length % 8, 0);
  const header = JSON.parse(half.toString("utf8", 8, 8 + length));
  assert.deepEqual(header, { table: { dtype: "BF16", shape: [2, 4], data_offsets: [0, 16] } });
  assert.equal(half.readUInt16LE(8 + length + 2), 0x3f80, "cos 0");

  const causal = ["--heads", "1", "--queries", "2", "--keys", "2", "--causal"];
  posenc("bias", "alibi", ...causal, "-o", "causal.npy");
  assert.equal(fromNpy(readFileSync(inProject("causal.npy"))).data[1], -Infinity);
  const options = '{"kernel": "power", "r1": [1], "r2": [1]}';
  const kerple = posenc("bias", "kerple", "--queries", "2", "--keys", "2", "--options", options, "-o", "kerple.npy");
  assert.equal(kerple.status, 0, kerple.error);
  assert.equal(fromNpy(readFileSync(inProject("kerple.npy"))).data[1], -1);
});

test("a file that is there stays, unless --force is given; nothing else is left behind", () => {
  write("kept.npy", "mine");
  const refused = posenc("table", "--dim", "4", "--length", "2", "-o", "kept.npy");
  assert.equal(refused.status, 3);
  assert.match(refused.error, /kept\.npy: is there already; --force overwrites it/);
  assert.equal(readFileSync(inProject("kept.npy"), "utf8"), "mine");
  assert.equal(posenc("table", "--dim", "4", "--length", "2", "-o", "kept.npy", "--force").status, 0);
  assert.equal(statSync(inProject("kept.npy")).size, 128 + 32);
  assert.deepEqual(
    readdirSync(inProject(".")).filter((name) => name.includes(".part")),
    [],
  );
});

test("where nothing can be written: a message, and nothing left behind", () => {
  mkdirSync(inProject("nowhere"));
  write("nowhere/file", "");
  const { status, error } = posenc("table", "--dim", "4", "--length", "2", "-o", "nowhere/file/table.npy");
  assert.equal(status, 3);
  assert.match(error, /^posenc: nowhere\/file\/table\.npy: a part of the path is a file, expected a folder\n/);
  assert.deepEqual(readdirSync(inProject("nowhere")), ["file"]);
});

for (const [args, status, message] of [
  [[], 3, "no command, expected one of explain"],
  [["explian"], 3, "explian: expected one of explain"],
  [["explain"], 3, "0 arguments, expected a config.json"],
  [["explain", "model", "--lang", "fr"], 3, "--lang: fr, expected en or zh"],
  [["explain", "none.json"], 3, "none.json: there is no such file"],
  [["explain", "before.npy"], 3, "before.npy: arrays, expected a config.json: diagnose takes arrays"],
  [["diagnose", "before.npy", "after.npy"], 3, "--positions: missing"],
  [["diagnose", "before.npy", "after.npy", "--positions", "a"], 3, '--positions: "a", expected numbers'],
  [["diagnose", "before.npy", "after.npy", "--positions", "0,1,2"], 3, "positions"],
  [["diagnose", "before.npy", "after.txt", "--positions", list], 3, "after.txt: expected a file that ends in .npy"],
  [["diagnose", "before.npy", "none.npy", "--positions", list], 3, "none.npy: there is no such file"],
  [["diagnose", "--cache", "--table", "before.npy"], 3, "--cache, --table: expected one of them"],
  [["diagnose", "--table", "before.npy", "--segments", "[]"], 3, "--segments: expected --ids beside it"],
  [["diagnose", "before.npy", "after.npy", "--layout", "half"], 3, "--layout: expected --expected beside it"],
  [["diagnose", "before.npy", "--position", list], 3, "--position: no option, expected --positions (or one of --json"],
  [["diagnose", "--table", "before.npy", "--plan", "{"], 3, "--plan: no JSON"],
  [["diagnose", "--table", "before.npy", "--plan", "[]"], 3, "--plan: expected an object of JSON"],
  [["table", "--dim", "4", "-o", "x.npy"], 3, "--length: missing"],
  [["table", "--dim", "0", "--length", "1", "-o", "x.npy"], 3, "dim: 0, expected"],
  [["table", "--dim", "x", "--length", "1", "-o", "x.npy"], 3, "--dim: x, expected a number"],
  [["table", "--dim", "4", "--length", "1"], 3, "--output: nothing, expected a file"],
  [["table", "--dim", "4", "--length", "1", "-o", "x.txt"], 3, "--output: x.txt, expected a file"],
  [["table", "--dim", "4", "--length", "1", "--dtype", "bfloat16", "-o", "x.npy"], 3, "x.npy: NumPy has no bfloat16"],
  [["cache", "--length", "1", "-o", "x.npy"], 3, "expected a config.json, or --plan"],
  [["bias", "t5", "--queries", "1", "--keys", "1", "-o", "x.npy"], 3, "t5: there is no such file"],
]) {
  test(`posenc ${args.join(" ")}: exit code ${status}`, () => {
    const { status: code, out, error } = posenc(...args);
    assert.equal(error.slice(0, 8 + message.length), `posenc: ${message}`);
    assert.equal(code, status);
    assert.equal(out, "");
    assert.doesNotMatch(error, /\n +at /);
  });
}
