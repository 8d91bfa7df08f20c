// ONNX graphs: nodes that rotate or attend, with their attributes and the caches that they take.

import assert from "node:assert/strict";
import { test } from "node:test";
import { arraysOf, onnxOf } from "posenc/files";
import { field, graph, node, onnx, tensor } from "../testing/onnx-files.mjs";
import { readSpoilt, watched } from "../testing/spoilt-files.mjs";

const cos = { data: Float32Array.from({ length: 8 }, (_, i) => Math.cos(i)), shape: [4, 2] };
const sin = { data: Float32Array.from({ length: 8 }, (_, i) => Math.sin(i)), shape: [4, 2] };
const caches = [tensor("cos", cos), tensor("sin", sin)];
const domain = "com.microsoft";
const rotary = node("RotaryEmbedding", ["x", "ids", "cos", "sin"], { domain, name: "q", interleaved: 1, num_heads: 2 });

test("nodes of both domains, with the numbers that they have, in the order of the file", async () => {
  const model = await onnxOf(
    new Blob([
      onnx(
        [
          node("MatMul", ["a", "b"]),
          rotary,
          node("RotaryEmbedding", ["x", "cos", "sin"], { rotary_embedding_dim: 4 }),
          node("GroupQueryAttention", ["q", "k", "v", "", "", "seqlens", "total", "cos", "sin"], {
            domain,
            do_rotary: 1,
            rotary_interleaved: 0,
            num_heads: 4,
            kv_num_heads: 2,
            local_window_size: -1,
            scale: { float: 0.125 },
          }),
          node("MultiHeadAttention", ["q", "k", "v"], { domain, num_heads: 4, unidirectional: 1 }),
        ],
        caches,
      ),
    ]),
  );
  assert.deepEqual(
    [...model.opsets],
    [
      ["", 23],
      [domain, 1],
    ],
  );
  assert.deepEqual(model.nodes, [
    {
      name: "q",
      domain,
      operator: "RotaryEmbedding",
      attributes: { interleaved: 1, num_heads: 2 },
      cos: "cos",
      sin: "sin",
    },
    {
      name: "",
      domain: "",
      operator: "RotaryEmbedding",
      attributes: { rotary_embedding_dim: 4 },
      cos: "cos",
      sin: "sin",
    },
    {
      name: "",
      domain,
      operator: "GroupQueryAttention",
      attributes: {
        do_rotary: 1,
        rotary_interleaved: 0,
        num_heads: 4,
        kv_num_heads: 2,
        local_window_size: -1,
        scale: 0.125,
      },
      cos: "cos",
      sin: "sin",
    },
    { name: "", domain, operator: "MultiHeadAttention", attributes: { num_heads: 4, unidirectional: 1 } },
  ]);
  assert.deepEqual([...model.arrays.keys()], ["cos", "sin"]);
  assert.deepEqual(await model.arrays.get("sin").read(), { ...sin, dtype: "float32" });
});

test("caches of every type, as lists, with packed extents, as constants, in graphs of branches", async () => {
  const half = { data: Uint16Array.of(0x3c00, 0), shape: [1, 2] };
  for (const [name, own, read] of [
    ["cos", { ...cos, isPacked: true }, { ...cos, dtype: "float32" }],
    ["cos", { ...cos, isList: true }, { ...cos, dtype: "float32" }],
    ["cos", half, { ...half, dtype: "float16" }],
    ["cos", { ...half, type: 16 }, { ...half, dtype: "bfloat16" }],
    [
      "cos",
      { data: Float64Array.of(1, 0.5), shape: [1, 2] },
      { data: Float64Array.of(1, 0.5), shape: [1, 2], dtype: "float64" },
    ],
  ]) {
    const { arrays } = await onnxOf(new Blob([onnx([rotary], [tensor(name, own), tensor("sin", sin)])]));
    assert.deepEqual(await arrays.get(name).read(), read);
  }
  const constant = node("Constant", [], { output: "cos", value: { tensor: tensor("", cos) } });
  assert.ok((await onnxOf(new Blob([onnx([constant, rotary], [tensor("sin", sin)])]))).arrays.has("cos"));
  const branch = { graph: graph([rotary], caches) };
  const both = await onnxOf(new Blob([onnx([node("If", ["c"], { then_branch: branch, else_branch: branch })])]));
  assert.equal(both.nodes.length, 2);
  assert.deepEqual([...both.arrays.keys()], ["cos", "sin", "cos'2", "sin'3"]);
  const input = await onnxOf(new Blob([onnx([rotary])]));
  assert.deepEqual([...input.notRead.keys()], ["cos", "sin"]);
  // What no node of a known operator takes is there, too.
  const plain = node("Mul", ["x", "inv_freq"]);
  assert.deepEqual(
    [...(await onnxOf(new Blob([onnx([plain], [tensor("inv_freq", cos)])]))).arrays.keys()],
    ["inv_freq"],
  );
});

test("external data are read from the file of their path; without it the array is not read", async () => {
  const external = { location: "data/weights.bin", offset: 16, length: 32 };
  const bytes = onnx([rotary], [tensor("cos", { ...cos, external }), tensor("sin", sin)]);
  const data = Buffer.concat([Buffer.alloc(16), Buffer.from(cos.data.buffer)]);
  const asked = [];
  const open = (location) => {
    asked.push(location);
    return new File([data], location);
  };
  const { arrays } = await onnxOf(new Blob([bytes]), { open });
  assert.deepEqual(asked, ["data/weights.bin"]);
  assert.deepEqual((await arrays.get("cos").read()).data, cos.data);
  const alone = await onnxOf(new Blob([bytes]));
  assert.match(alone.notRead.get("cos"), /^source:cos: external data in "data\/weights\.bin", expected that file too$/);
  assert.deepEqual(
    (await arraysOf(new File([bytes], "m.onnx"))).map(({ name }) => name),
    ["sin"],
  );
});

test("refused: external data outside of the folder, beyond the file, of another size", async () => {
  const read = (external, size = 64) =>
    onnxOf(new File([onnx([rotary], [tensor("cos", { ...cos, external }), tensor("sin", sin)])], "m.onnx"), {
      open: (location) => new File([Buffer.alloc(size)], location),
    });
  for (const location of ["../x", "/etc/passwd", "a/../../x", "a//b", "./x", "C:\\x", "c:x", "", "a/.."])
    await assert.rejects(
      read({ location }),
      (error) =>
        error.name === "RangeError" && /^m\.onnx:cos: external data in .*, expected a file within/.test(error.message),
    );
  for (const [own, message] of [
    [{ location: "w", offset: 40 }, /^m\.onnx:cos: external data up to byte 72, expected at most 64$/],
    [{ location: "w", offset: "1e3" }, /^m\.onnx:cos: external data at "1e3", expected a whole number$/],
    [{ location: "w", length: 16 }, /^m\.onnx:cos: 16 bytes for the shape \[4, 2\], expected 32$/],
  ])
    await assert.rejects(read(own), { name: "RangeError", message });
});

test("weights are passed over", async () => {
  const large = tensor("w", { data: new Float32Array(2 ** 20), shape: [2 ** 20] });
  const bytes = onnx([rotary], [large, ...caches]);
  const source = watched(bytes);
  const { arrays } = await onnxOf(source);
  assert.ok(source.read < 2 ** 18, `${source.read} of ${bytes.length} bytes`);
  assert.deepEqual((await arrays.get("cos").read()).data, cos.data);
});

let nested = graph([], []);
for (let i = 0; i < 10; ++i) nested = graph([node("If", [], { then_branch: { graph: nested } })], []);
const whole = onnx([rotary], caches);

for (const [name, content, message] of [
  ["nothing", Buffer.alloc(0), ": no graph, expected an ONNX model"],
  ["text", Buffer.from("no protobuf at all"), ": damaged at byte "],
  ["cut", whole.subarray(0, -30), ": damaged at byte "],
  ["two graphs", Buffer.concat([whole, whole]), ": two graphs, expected one"],
  ["twice", onnx([rotary], [...caches, tensor("cos", cos)]), ": tensor cos: twice, expected each name once"],
  [
    "deep",
    onnx([node("If", [], { then_branch: { graph: nested } })]),
    ": graphs within more than 8 graphs, expected fewer",
  ],
  ["axes", onnx([], [tensor("a", { ...cos, shape: Array(17).fill(1) })]), ": tensor : more than 16 axes"],
  ["negative", onnx([], [tensor("a", { ...cos, shape: [-1] })]), ": tensor : an extent -1"],
  ["long", onnx([node("x".repeat(5000), [])]), ": an operator of 5000 bytes, expected at most 4096"],
  [
    "shape",
    onnx([rotary], [tensor("cos", { ...cos, shape: [3, 2] }), tensor("sin", sin)]),
    ":cos: 32 bytes for the shape [3, 2], expected 24",
  ],
  ["number", Buffer.concat([Buffer.of(8), Buffer.alloc(11, 255)]), ": damaged at byte "],
  ["length", Buffer.concat([Buffer.of(0x3a), Buffer.alloc(9, 255), Buffer.of(1)]), ": damaged at byte "],
  ["UTF-8", onnx([Buffer.concat([field(4, Buffer.of(0xff))])]), ": an operator that is no UTF-8, expected a name"],
])
  test(`refused: ${name}${message}`, async () => {
    await assert.rejects(onnxOf(new File([content], name)), (error) => {
      assert.equal(error.name, "RangeError");
      assert.ok(error.message.startsWith(name + message), error.message);
      return true;
    });
  });

test("files whose bytes are changed are read, or refused by name", async () => {
  const branch = { graph: graph([rotary], []) };
  const bytes = onnx([node("If", ["c"], { then_branch: branch }), rotary], caches);
  const open = () => undefined;
  await readSpoilt(bytes, (source) => onnxOf(source, { open }));
  await readSpoilt(bytes, arraysOf, { count: 500, name: "file.onnx" });
});
