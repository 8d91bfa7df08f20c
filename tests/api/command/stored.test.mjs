// posenc explain and compare of what is stored beside a config: caches, frequencies, nodes of a graph.

import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { before, test } from "node:test";
import { safetensors } from "../testing/array-files.mjs";
import { gguf, llama } from "../testing/gguf-files.mjs";
import { graph, node, onnx, tensor } from "../testing/onnx-files.mjs";
import { inProject, jsonOf, posenc, config as small, write } from "./installed.mjs";

const config = { ...small, max_position_embeddings: 64 };
const dim = 64;

const inverse = (base) => Array.from({ length: dim / 2 }, (_, i) => base ** ((-2 * i) / dim));
const frequencies = (base) => ({ data: Float32Array.from(inverse(base)), shape: [dim / 2] });

/** A cache of so many positions. */
function cache(base, of, positions = 64) {
  const data = new Float32Array((positions * dim) / 2);
  const each = inverse(base);
  for (let at = 0; at < data.length; ++at) data[at] = of(Math.floor(at / each.length) * each[at % each.length]);
  return { data, shape: [positions, dim / 2] };
}
const caches = (base) => [tensor("cos_cache", cache(base, Math.cos)), tensor("sin_cache", cache(base, Math.sin))];

const domain = "com.microsoft";
const grouped = (more = {}, name = "") =>
  node("GroupQueryAttention", ["q", "k", "v", "", "", "s", "t", "cos_cache", "sin_cache"], {
    domain,
    name,
    do_rotary: 1,
    num_heads: 2,
    kv_num_heads: 2,
    scale: { float: 0.125 },
    ...more,
  });

before(() => {
  mkdirSync(inProject("model"), { recursive: true });
  write("model/config.json", JSON.stringify(config));
});

const codes = (findings) => findings.map(({ kind, code, path }) => [kind, code, path]);
const stored = (findings) => findings.filter(({ code }) => code === "stored");

test("a folder: frequencies of its shards are diagnosed against the config", () => {
  const name = (layer) => `model.layers.${layer}.self_attn.rotary_emb.inv_freq`;
  write("model/model-00001-of-00002.safetensors", safetensors({ [name(0)]: frequencies(500000) }));
  write("model/model-00002-of-00002.safetensors", safetensors({ [name(1)]: frequencies(500000), w: frequencies(2) }));
  const [right, ...others] = stored(jsonOf("explain", "model"));
  assert.deepEqual(others, []);
  assert.deepEqual([right.kind, right.path, right.numbers.count], ["does", name(0), 2]);
  assert.deepEqual(right.names, [name(0), name(1)]);
  assert.match(right.sentence, /^Of 2 arrays \(model\.layers\.0\..*, model\.layers\.1\..*\): /);

  write("model/model-00001-of-00002.safetensors", safetensors({ [name(0)]: frequencies(10000) }));
  const [wrong, fine] = stored(jsonOf("explain", "model"));
  assert.deepEqual([wrong.kind, wrong.path, fine.kind, fine.path], ["risk", name(0), "does", name(1)]);
  assert.deepEqual(wrong.diagnosis.explanations[0].mistakes, ["base"]);
  assert.match(
    posenc("explain", "model").out,
    new RegExp(`^Can go wrong:\\n {2}- .*base 10000, expected 500000\\..*\\(${name(0)}\\)\\n`),
  );
});

test("a shard that the index names and that is not there is said", () => {
  mkdirSync(inProject("sharded"), { recursive: true });
  write("sharded/config.json", JSON.stringify(config));
  const shards = { a: "model-00001-of-00002.safetensors", b: "model-00002-of-00002.safetensors" };
  write("sharded/model.safetensors.index.json", JSON.stringify({ weight_map: shards }));
  write(`sharded/${shards.a}`, safetensors({ "rotary_emb.inv_freq": frequencies(500000) }));
  const missing = jsonOf("explain", "sharded").filter(({ code }) => code === "not-read");
  assert.deepEqual(codes(missing), [["unusual", "not-read", shards.b]]);
});

test("a checkpoint alone: a cache says what made it", () => {
  const [cos, sin] = [Math.cos, Math.sin].map((of) => cache(10000, of));
  write("caches.safetensors", safetensors({ "rotary.cos_cached": cos, "rotary.sin_cached": sin }));
  const [found, ...others] = jsonOf("explain", "caches.safetensors");
  assert.deepEqual(others, []);
  assert.deepEqual(
    [found.kind, found.path, found.diagnosis.explanations[0].found.plan.base],
    ["does", "rotary.cos_cached", 10000],
  );
  const [compared] = jsonOf("compare", "model", "caches.safetensors");
  assert.equal(compared.kind, "risk");
  write("none.safetensors", safetensors({ w: frequencies(2) }));
  for (const args of [
    ["explain", "none.safetensors"],
    ["compare", "model", "none.safetensors"],
  ]) {
    assert.deepEqual(codes(jsonOf(...args)), [["unusual", "nothing", "none.safetensors"]]);
    const { status, out } = posenc(...args, "--lang", "zh");
    assert.deepEqual([status, /没有找到/.test(out)], [2, true]);
  }
});

test("a shard alone: the others beside it are read, and those that are not there said", () => {
  const name = (i) => `shard-0000${i}-of-00003.safetensors`;
  write(name(1), safetensors({ w: frequencies(2) }));
  assert.equal(posenc("explain", name(1)).status, 2);
  write(name(3), safetensors({ "rotary_emb.inv_freq": frequencies(10000) }));
  assert.deepEqual(codes(jsonOf("explain", name(1))), [
    ["unusual", "not-read", name(2)],
    ["does", "stored", "rotary_emb.inv_freq"],
  ]);
});

test("a graph of Mul and Concat: what it stores, by names or values, also behind If", () => {
  const inv = frequencies(10000);
  const constant = (output, of) => node("Constant", [], { output, value: { tensor: tensor("", of) } });
  const branch = (base) => ({
    graph: graph([constant("c", cache(base, Math.cos)), constant("s", cache(base, Math.sin))], []),
  });
  const one = (values) => ({ data: new Float32Array(64).fill(values), shape: [64] });
  const weights = [tensor("norm", one(1)), tensor("w", { data: Float32Array.from(inverse(7)), shape: [4, 8] })];
  const stored = (nodes, tensors) => {
    write("plain.onnx", onnx([node("Mul", ["x", "y"]), ...nodes], [...weights, ...tensors]));
    assert.equal(posenc("explain", "plain.onnx").status, 0);
    return jsonOf("explain", "plain.onnx").map(({ code, path, diagnosis }) => {
      const { found } = diagnosis.explanations[0];
      return [code, path, diagnosis.verdict, found.plan.base];
    });
  };
  for (const [name, shape] of [
    ["model.rotary_emb.inv_freq", [32]],
    ["onnx::Mul_12", [1, 32, 1]],
  ])
    assert.deepEqual(stored([], [tensor(name, { ...inv, shape })]), [["stored", name, "certain", 10000]]);
  const half = Uint16Array.from(
    inv.data,
    (value) => (new Uint32Array(Float32Array.of(value).buffer)[0] + 0x8000) >>> 16,
  );
  assert.equal(stored([], [tensor("v", { data: half, shape: [32], type: 16 })])[0][0], "stored");
  const both = node("If", ["c"], { then_branch: branch(10000), else_branch: branch(500000) });
  assert.deepEqual(
    stored([both], []).map(([, , , base]) => base),
    [10000, 500000],
  );
  const wide = (of) => ({ ...cache(10000, of), shape: [1, 64, 1, 32] });
  assert.deepEqual(
    stored([constant("a", wide(Math.sin)), constant("b", wide(Math.cos))], []).map(([, path]) => path),
    ["b"],
  );
  write("none.onnx", onnx([node("Mul", ["x", "y"])], weights));
  for (const args of [
    ["explain", "none.onnx"],
    ["compare", "none.onnx", "model"],
  ]) {
    assert.deepEqual(codes(jsonOf(...args)), [["unusual", "nothing", "none.onnx"]]);
    assert.equal(posenc(...args).status, 2);
  }
  const external = { location: "away.bin", offset: 0, length: inv.data.byteLength };
  write("none.onnx", onnx([], [tensor("inv_freq", { ...inv, external })]));
  assert.deepEqual(codes(jsonOf("explain", "none.onnx")), [
    ["unusual", "nothing", "none.onnx"],
    ["unusual", "not-read", "inv_freq"],
  ]);
});

test("diagnose takes arrays of graphs, with external data, and of .gguf files", () => {
  const inv = frequencies(10000);
  const external = { location: "inv.bin", offset: 0, length: inv.data.byteLength };
  write("inv.bin", Buffer.from(inv.data.buffer));
  write("inv.onnx", onnx([], [tensor("/rotary/inv", { ...inv, external }), tensor("w", inv)]));
  write("inv.gguf", gguf(llama(), { inv_freq: inv, "blk.0.attn_q.weight": inv }));
  const plan = JSON.stringify({ dim, base: 10000 });
  for (const file of ["inv.onnx:/rotary/inv", "inv.onnx:w", "inv.gguf:inv_freq"]) {
    const { status, error } = posenc("diagnose", "--frequencies", file, "--plan", plan);
    assert.deepEqual([status, error], [0, ""], file);
  }
  assert.match(posenc("diagnose", "--frequencies", "inv.onnx").error, /several arrays: name one of \/rotary\/inv, w /);
  assert.match(posenc("diagnose", "--frequencies", "inv.gguf:x").error, /^posenc: inv\.gguf: .*blk\.0\.attn_q\.weight/);
});

test("a graph: its nodes, and its cache against the config", () => {
  write("model/model.onnx", onnx([grouped({}, "/0"), grouped({}, "/1")], caches(500000)));
  const right = jsonOf("explain", "model/model.onnx");
  assert.deepEqual(codes(right), [
    ["does", "node", "/0"],
    ["does", "stored", "cos_cache"],
  ]);
  assert.match(
    right[0].sentence,
    /^2 nodes com\.microsoft\.GroupQueryAttention: do_rotary 1, num_heads 2, .*scale 0\.125\.$/,
  );

  write(
    "other.onnx",
    onnx([grouped({ rotary_interleaved: 1, scale: { float: 1 }, local_window_size: 16 }, "/0")], caches(10000)),
  );
  const wrong = jsonOf("compare", "model", "other.onnx");
  assert.deepEqual(codes(wrong), [
    ["does", "node", "/0"],
    ["risk", "differs", "/0"],
    ["risk", "differs", "/0"],
    ["risk", "differs", "/0"],
    ["risk", "stored", "cos_cache"],
  ]);
  assert.deepEqual(
    wrong.slice(1, 4).map(({ numbers }) => numbers),
    [
      { name: "layout", own: "interleaved", meant: "half" },
      { name: "scale", own: 1, meant: 0.125 },
      { name: "local_window_size", own: 16, meant: -1 },
    ],
  );
  const { out, status } = posenc("compare", "other.onnx", "model", "--lang", "zh");
  assert.equal(status, 0);
  assert.match(out, /^可能出错:\n {2}- 节点按布局 interleaved 旋转/);
});

test("external data of a graph are read beside it, and not through links that lead elsewhere", () => {
  const cos = cache(500000, Math.cos);
  const external = { location: "caches.bin", offset: 0, length: cos.data.byteLength };
  write("model/external.onnx", onnx([grouped()], [tensor("cos_cache", { ...cos, external }), caches(500000)[1]]));
  assert.deepEqual(codes(jsonOf("explain", "model/external.onnx")).at(-1), ["unusual", "not-read", "cos_cache"]);
  write("caches.bin", Buffer.from(cos.data.buffer));
  symlinkSync(inProject("caches.bin"), inProject("model/caches.bin"));
  assert.deepEqual(codes(jsonOf("explain", "model/external.onnx")).at(-1), ["unusual", "not-read", "cos_cache"]);
  write("external.onnx", onnx([grouped()], [tensor("cos_cache", { ...cos, external }), caches(500000)[1]]));
  assert.deepEqual(codes(jsonOf("explain", "external.onnx")).at(-1), ["does", "stored", "cos_cache"]);
  write(
    "out.onnx",
    onnx([grouped()], [tensor("cos_cache", { ...cos, external: { ...external, location: "../x" } }), caches(1e4)[1]]),
  );
  const { status, error } = posenc("explain", "out.onnx");
  assert.equal(status, 3);
  assert.match(
    error,
    /^posenc: out\.onnx:cos_cache: external data in "\.\.\/x", expected a file within the model's folder/,
  );
});
