// The header of .gguf files: what is read, what is not, what is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { arraysOf, ggufOf } from "posenc/files";
import { bigEndian, gguf, llama } from "../testing/gguf-files.mjs";
import { readSpoilt, watched } from "../testing/spoilt-files.mjs";
import { processorClock } from "../testing/testing.mjs";

const weights = { data: Uint16Array.of(0x3f80, 0x4000, 0x4040, 0, 0, 0), shape: [2, 3] };
const ones = { data: new Float32Array(32).fill(1), shape: [32] };

test("metadata comes by key in the types of the format, and lists that are long are described", async () => {
  const all = {
    a: { type: "uint8", value: 255 },
    b: { type: "int8", value: -1 },
    c: { type: "uint16", value: 65535 },
    d: { type: "int16", value: -2 },
    e: { type: "int32", value: -3 },
    f: { type: "uint64", value: 2n ** 53n },
    g: { type: "int64", value: -4 },
    h: { type: "float32", value: 0.1 },
    i: { type: "float64", value: 0.1 },
    j: true,
    k: "text, 文",
    l: [1, 2, 3],
    m: ["a", "b"],
    n: Array.from({ length: 5000 }, (_, i) => i),
    o: "x".repeat(70_000),
    p: { type: "array", value: [] },
  };
  const { metadata } = await ggufOf(new Blob([gguf({ ...llama(), ...all })]));
  const values = [255, -1, 65535, -2, -3, 2n ** 53n, -4, 0.1, 0.1, true, "text, 文", [1, 2, 3]];
  const described = [
    { type: "string", length: 2 },
    { type: "uint32", length: 5000 },
    { type: "string", length: 70_000 },
    [],
  ];
  assert.deepEqual(
    Object.keys(all).map((key) => metadata.get(key)),
    [...values, ...described],
  );
});

test("versions 2 and 3, another alignment, and tensors by name, the slowest axis first", async () => {
  const file = (version) =>
    gguf(
      { ...llama(), "general.alignment": 64 },
      { "rope_freqs.weight": ones, w: weights },
      { version, alignment: 64 },
    );
  for (const version of [2, 3]) {
    const model = await ggufOf(new Blob([file(version)]));
    assert.equal(model.version, version);
    assert.deepEqual(model.tensors, [
      { name: "rope_freqs.weight", type: "F32", shape: [32] },
      { name: "w", type: "BF16", shape: [2, 3] },
    ]);
  }
  const arrays = await arraysOf(new Blob([file(3)]));
  assert.deepEqual(await arrays[1].read(), { ...weights, dtype: "bfloat16" });
  const quantised = { data: new Uint8Array(18), shape: [1, 32] };
  const some = await arraysOf(new Blob([gguf(llama(), { q: quantised, w: weights })]));
  assert.deepEqual(
    some.map(({ name }) => name),
    ["w"],
  );
});

test("vocabularies are passed over: of ten megabytes not one token is kept, and tensors are not read", async () => {
  const tokens = Array.from({ length: 200_000 }, (_, i) => `a token with the number ${i} and more`);
  const scores = Array.from({ length: 200_000 }, () => ({ type: "float32", value: 0 }));
  const large = { data: new Float32Array(2 ** 20), shape: [2 ** 20] };
  const bytes = gguf({ "tokenizer.ggml.tokens": tokens, "tokenizer.ggml.scores": scores, ...llama() }, { large });
  const source = watched(bytes);
  const seconds = processorClock();
  const { metadata, config } = await ggufOf(source);
  assert.deepEqual(metadata.get("tokenizer.ggml.tokens"), { type: "string", length: 200_000 });
  assert.equal(config.rope_theta, 500000);
  assert.ok(source.read < bytes.length - 2 ** 21, `${source.read} of ${bytes.length} bytes`);
  assert.ok(seconds() < 2, `${seconds()} s`);
});

test("of a model in several files the first has the metadata, and others say which part they are", async () => {
  const part = (no) => ({ "split.no": { type: "uint16", value: no }, "split.count": { type: "uint16", value: 3 } });
  const first = new Blob([gguf({ ...llama(), ...part(0) })]);
  const ofRule = ({ evidence }) => evidence.filter(({ path }) => path.startsWith("rope_scaling"));
  const alone = await ggufOf(first);
  // What the others hold is left open.
  assert.deepEqual([alone.part, ofRule(alone)], [{ index: 0, count: 3, isOpen: true }, []]);
  const others = [{ w: weights }, { "rope_freqs.weight": { ...ones, data: ones.data.map((_, i) => 1 + i) } }];
  const parts = others.map((tensors, i) => new Blob([gguf(part(i + 1), tensors)]));
  const all = await ggufOf(first, { parts });
  assert.deepEqual([all.part.isOpen, all.config.rope_scaling.rope_type, all.tensors.length], [false, "longrope", 2]);
  assert.equal(ofRule(all)[0].from, "tensor");
  assert.equal((await ggufOf(first, { parts: parts.slice(1) })).part.isOpen, false, "found in one of them");
  const plain = await ggufOf(first, { parts: [parts[0], parts[0]] });
  assert.deepEqual([plain.part.isOpen, ofRule(plain)[0].value], [false, "default"]);
  const later = new File([gguf(part(1), { w: weights })], "m-00002-of-00003.gguf");
  await assert.rejects(ggufOf(later), {
    name: "RangeError",
    message: "m-00002-of-00003.gguf: part 2 of 3, expected the first part, which has the model's metadata",
  });
  assert.equal((await arraysOf(later)).length, 1);
});

const whole = gguf(llama(), { "rope_freqs.weight": ones, w: weights });
const nested = { type: "array", value: [{ type: "array", value: [] }] };
const tensor = (more) => gguf(llama(), { w: { ...weights, ...more } });

/** Where a text is, and what follows it, replaced. */
function patched(bytes, after, offset, content) {
  const made = Buffer.from(bytes);
  content.copy(made, made.indexOf(after) + after.length + offset);
  return made;
}
const long = Buffer.alloc(8, 255);

const REFUSED = [
  ["nothing", Buffer.alloc(0), ": expected a GGUF file"],
  ["text", Buffer.from("GGML and more than that, to be long enough"), ": expected a GGUF file"],
  ["version 1", gguf(llama(), {}, { version: 1 }), ": GGUF version 1, expected 2 or 3"],
  ["version 4", gguf(llama(), {}, { version: 4 }), ": GGUF version 4, expected 2 or 3"],
  ["big-endian", bigEndian(), ": big-endian values, expected a little-endian GGUF file"],
  ["cut", whole.subarray(0, 60), ": truncated: 60 bytes, expected "],
  ["cut tensors", whole.subarray(0, -25), ":w: truncated: "],
  [
    "keys",
    gguf(llama(), {}, { counts: { keys: 2 ** 40 } }),
    ": the number of keys: 1099511627776, expected at most 65536",
  ],
  ["tensors", gguf(llama(), {}, { counts: { tensors: 2n ** 63n } }), ": the number of tensors: "],
  ["more keys", gguf(llama(), {}, { counts: { keys: 60000 } }), ": truncated: "],
  ["long text", patched(whole, "general.architecture", 4, long), ": the length of general.architecture: "],
  ["long list", patched(gguf({ list: [1, 2] }), "list", 8, long), ": the length of list: "],
  [
    "type",
    patched(whole, "llama.block_count", 0, Buffer.of(13)),
    ": llama.block_count: a value of the type 13, expected 0 to 12",
  ],
  [
    "nested",
    gguf({ ...llama(), nested }),
    ": nested: a list of the type 9, expected one of numbers, switches or texts",
  ],
  [
    "twice",
    gguf([...Object.entries(llama()), ["llama.block_count", 5]]),
    ": llama.block_count: twice, expected each key once",
  ],
  ["no UTF-8", patched(whole, "llama.", 0, Buffer.of(0xff)), ": a key that is no UTF-8, expected a name"],
  ["axes", tensor({ shape: [1, 1, 1, 2, 3] }), ": tensor w: 5 axes, expected at most 4"],
  ["large", tensor({ shape: [2 ** 40, 2 ** 40] }), ": tensor w: shape [1099511627776, 1099511627776] is too large"],
  ["rows", tensor({ id: 12 }), ": tensor w: 3 values a row, expected a multiple of 256"],
  ["place", tensor({ at: 7 }), ": tensor w: begins at 7, expected a multiple of 32"],
  ["far", tensor({ at: 2 ** 40 }), ": the place of w: 1099511627776, expected at most "],
  [
    "alignment",
    gguf({ ...llama(), "general.alignment": 0 }),
    ": general.alignment: expected a whole number from 1 to 2^20",
  ],
  ["architecture", gguf({}), ": general.architecture: missing, expected a file of a model"],
  ["text for a number", gguf(llama({ "llama.rope.freq_base": "10000" })), ": llama.rope.freq_base: expected a number"],
  [
    "rule",
    gguf(llama({ "llama.rope.scaling.type": "su" })),
    ": llama.rope.scaling.type: su, expected none, linear, yarn or longrope",
  ],
  [
    "factors",
    gguf(llama(), { "rope_freqs.weight": { ...ones, data: new Float32Array(32) } }),
    ":rope_freqs.weight: expected float32 factors > 0",
  ],
];
for (const [name, content, message] of REFUSED)
  test(`refused: ${name}${message}`, async () => {
    await assert.rejects(ggufOf(new File([content], name)), (error) => {
      assert.equal(error.name, "RangeError");
      assert.ok(error.message.startsWith(name + message), error.message);
      return true;
    });
  });

test("refused: tensors of one name, and what is no file", async () => {
  const two = gguf(llama(), { w: weights, v: weights });
  two[two.lastIndexOf("v")] = "w".charCodeAt(0);
  await assert.rejects(ggufOf(new File([two], "two")), /^RangeError: two: tensor w: twice, expected each name once$/);
  for (const source of [undefined, 7, {}]) await assert.rejects(ggufOf(source), TypeError);
});

test("files whose bytes are changed are read, or refused by name", async () => {
  const bytes = gguf(
    { ...llama(), list: [1, 2, 3], names: ["a", "b"], text: "text" },
    { "rope_freqs.weight": ones, w: weights },
  );
  await readSpoilt(bytes, ggufOf);
  await readSpoilt(bytes, arraysOf, { count: 500, name: "file.gguf" });
});
