// posenc/files against files whose bytes are written out by their formats; tests/interop has NumPy's own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { arrayOf, arraysOf, configOf } from "posenc/files";
import { fromNpy, toNpy } from "posenc/npy";
import { headed, npy, npz, safetensors } from "../testing/array-files.mjs";
import { processorClock } from "../testing/testing.mjs";

const six = { data: Float32Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] };
const file = (...parts) => new Blob(parts);

/** A source that keeps how far, and how much, was read of it. */
function watched(bytes) {
  const source = {
    size: bytes.length,
    last: 0,
    read: 0,
    slice(from, to) {
      source.last = Math.max(source.last, to);
      source.read += to - from;
      return file(bytes.subarray(from, to));
    },
  };
  return source;
}

test("a .npy file is one array without a name", async () => {
  const [array, ...others] = await arraysOf(file(toNpy(six)));
  assert.deepEqual(others, []);
  assert.deepEqual([array.name, array.dtype, array.shape], ["", "float32", [2, 3]]);
  assert.deepEqual(await array.read(), { data: six.data, shape: [2, 3], dtype: "float32" });
});

test("every type comes as the numbers that it stores", async () => {
  for (const [descr, values, dtype] of [
    ["<f8", Float64Array.of(1.5, -2), "float64"],
    ["<i8", BigInt64Array.of(3n, -4n), "int64"],
    ["<u8", BigUint64Array.of(3n, 4n), "uint64"],
    ["<i4", Int32Array.of(3, -4), "int32"],
    ["<u4", Uint32Array.of(3, 2 ** 32 - 1), "uint32"],
    ["<i2", Int16Array.of(3, -4), "int16"],
    ["<u2", Uint16Array.of(3, 65535), "uint16"],
    ["|i1", Int8Array.of(3, -4), "int8"],
    ["|u1", Uint8Array.of(3, 255), "uint8"],
    ["|b1", Uint8Array.of(0, 1), "bool"],
  ]) {
    const [array] = await arraysOf(file(npy({ data: values, shape: [2] }, { descr })));
    assert.equal(array.dtype, dtype);
    const own = dtype === "float64" ? { dtype } : {};
    assert.deepEqual(await array.read(), { data: Float64Array.from(values, Number), shape: [2], ...own });
  }
  const [half] = await arraysOf(file(npy({ data: Uint16Array.of(0x3c00, 0xc000), shape: [2] }, { descr: "<f2" })));
  assert.deepEqual(await half.read(), { data: Uint16Array.of(0x3c00, 0xc000), shape: [2], dtype: "float16" });
});

test("complex numbers have an axis of their parts", async () => {
  const [array] = await arraysOf(file(npy({ ...six, shape: [3] }, { descr: "<c8" })));
  assert.deepEqual([array.dtype, array.shape], ["complex64", [3, 2]]);
  assert.deepEqual(await array.read(4), { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2], dtype: "float32" });
});

test("of a large array the first part is read, and no more bytes than that", async () => {
  const shape = [1, 4, 5, 6];
  const bytes = toNpy({ data: Float32Array.from({ length: 120 }, (_, i) => i), shape });
  const source = watched(bytes);
  const [array] = await arraysOf(source);
  for (const [limit, part] of [
    [1000, [1, 4, 5, 6]],
    [119, [1, 3, 5, 6]],
    [30, [1, 1, 5, 6]],
    [29, [1, 1, 4, 6]],
    [5, [1, 1, 1, 5]],
    [0, [1, 1, 1, 1]],
  ]) {
    const read = await array.read(limit);
    const count = part.reduce((all, extent) => all * extent);
    assert.deepEqual(read.shape, part);
    assert.deepEqual(
      [...read.data],
      Array.from({ length: count }, (_, i) => i),
    );
  }
  source.last = 0;
  await array.read(5);
  assert.equal(source.last, 128 + 5 * 4);
});

test("a .npz file has arrays by name, stored or packed, with numbers of 32 or 64 bits", async () => {
  const bytes = toNpy(six);
  for (const how of [{}, { isCompressed: true }, { isWide: true }, { isWide: true, isCompressed: true }]) {
    const source = file(npz({ b: bytes, "read.me": Buffer.from("x"), a: bytes }, how));
    const arrays = await arraysOf(source);
    const told = arrays.map(({ name, shape }) => [name, shape]);
    assert.deepEqual(told, [
      ["b", [2, 3]],
      ["a", [2, 3]],
    ]);
    for (const array of [...arrays, await arrayOf(source, "a")]) {
      assert.deepEqual(await array.read(), { ...six, dtype: "float32" });
      assert.deepEqual((await array.read(3)).shape, [1, 3]);
      const picked = { data: Float32Array.of(6, 4), shape: [1, 2], dtype: "float32" };
      assert.deepEqual(await array.pick([[1], [2, 0]]), picked);
    }
  }
});

test("what is packed is unpacked as far as it is read", async () => {
  const data = Float32Array.from({ length: 2 ** 20 }, (_, i) => Math.sin(i * i));
  const source = watched(npz({ a: npy({ data, shape: [1024, 1024] }) }, { isCompressed: true }));
  const [array] = await arraysOf(source);
  const { data: first } = await array.read(1024);
  assert.deepEqual(first, data.slice(0, 1024));
  assert.ok(source.read < source.size / 4, `${source.read} of ${source.size} bytes`);
  const told = [];
  const { data: last } = await array.pick([[1023]], { progress: (done) => told.push(done) });
  assert.deepEqual(last, data.slice(-1024));
  assert.equal(Math.max(...told), 1);
});

test("picks are the values at their indices, in the array's shape or another", async () => {
  const shape = [3, 4, 5];
  const [array] = await arraysOf(file(npy({ data: Float32Array.from({ length: 60 }, (_, i) => i), shape })));
  const all = (extent) => Array.from({ length: extent }, (_, i) => i);
  for (const [picks, as = shape] of [
    [[]],
    [[[2, 0]]],
    [[undefined, [3, 1]]],
    [[[1], undefined, [4, 4, 0]]],
    [[[], [0]]],
    [
      [[5, 0], [1]],
      [6, 10],
    ],
    [[[59, 0, 7]], [60]],
  ]) {
    let expected = [0];
    for (const [axis, extent] of as.entries())
      expected = expected.flatMap((at) => (picks[axis] ?? all(extent)).map((index) => at * extent + index));
    const { data, shape: made } = await array.pick(picks, { shape: as });
    assert.deepEqual([...data], expected);
    assert.deepEqual(
      made,
      as.map((extent, axis) => picks[axis]?.length ?? extent),
    );
  }
});

test("rows that are picked are read where they stand", async () => {
  const bytes = npy({ data: new Float32Array(2 ** 22), shape: [4096, 1024] });
  const source = watched(bytes);
  const [array] = await arraysOf(source);
  source.read = 0;
  await array.pick([[0, 1, 2, 3, 4095]]);
  assert.ok(source.read <= 3 * 2 ** 16, `${source.read} bytes`);
});

test("refused: picks that an array does not have", async () => {
  const [array] = await arraysOf(file(npy(six)));
  for (const [picks, options, message] of [
    [[[2]], {}, /^picks\[0\]\[0\]: 2, expected an index below 2$/],
    [[[0, -1]], {}, /^picks\[0\]\[1\]: -1, expected a whole number >= 0$/],
    [[[], [], []], {}, /^picks: 3, expected at most 2 axes$/],
    [[], { shape: [5] }, /^shape: \[5\], expected 6 values, as \[2, 3\] has$/],
  ])
    await assert.rejects(array.pick(picks, options), { name: "RangeError", message });
  for (const picks of [undefined, [1], [["0"]]]) await assert.rejects(array.pick(picks), TypeError);
});

test("a .safetensors file has tensors by name; metadata and types of scaled numbers are left out", async () => {
  const header = {
    __metadata__: { format: "pt" },
    "layer.b": { dtype: "BF16", shape: [2], data_offsets: [8, 12] },
    "layer.a": { dtype: "F32", shape: [2, 1], data_offsets: [0, 8] },
    scaled: { dtype: "F8_E4M3", shape: [1], data_offsets: [12, 13] },
  };
  const arrays = await arraysOf(
    file(headed(header, Float32Array.of(1, 2), Uint16Array.of(0x3f80, 0), Uint8Array.of(1))),
  );
  assert.deepEqual(
    arrays.map(({ name, dtype, shape }) => [name, dtype, shape]),
    [
      ["layer.a", "float32", [2, 1]],
      ["layer.b", "bfloat16", [2]],
    ],
  );
  assert.deepEqual(await arrays[0].read(), { data: Float32Array.of(1, 2), shape: [2, 1], dtype: "float32" });
  assert.deepEqual(await arrays[1].read(), { data: Uint16Array.of(0x3f80, 0), shape: [2], dtype: "bfloat16" });
});

test("arrays of other types are left out where there are more, and asked for by name say what they are", async () => {
  const source = file(npz({ names: npy(six, { descr: "<U5" }), turned: npy(six, { order: "True" }), a: npy(six) }));
  const arrays = await arraysOf(source);
  assert.deepEqual(
    arrays.map(({ name }) => name),
    ["a"],
  );
  for (const [name, message] of [
    ["names", /^source:names: values of the type "<U5", expected one of <f8, /],
    ["turned", /^source:turned: column-major order/],
    ["b", /^source: no array "b", expected one of names, turned, a$/],
  ])
    await assert.rejects(arrayOf(source, name), { name: "RangeError", message });
  assert.deepEqual((await arrayOf(file(npy(six)), "")).shape, [2, 3]);
  await assert.rejects(arrayOf(source), TypeError);
});

test("counts that are no numbers and misspelt options are refused", async () => {
  const [array] = await arraysOf(file(npy(six)));
  for (const most of [Number.NaN, -1, "1x", "1", null, [2], true])
    await assert.rejects(array.read(most), { name: "RangeError", message: /^most: .*, expected a number >= 0$/ });
  await assert.rejects(array.pick([], { shpae: [6] }), {
    name: "TypeError",
    message: /^pick\.shpae: .*, expected shape /,
  });
});

test("what is changed in an array's description changes nothing of what is read", async () => {
  const [array] = await arraysOf(file(npy(six)));
  array.shape[0] = 1;
  array.dtype = "float16";
  const { read } = array;
  assert.deepEqual(await read(), await arraysOf(file(npy(six))).then(([other]) => other.read()));
});

test("64 axes at most, as NumPy has, and more are refused at once", async () => {
  const ones = (count) => ({ data: Float32Array.of(7), shape: Array(count).fill(1) });
  /** A .npy file of format 2.0, whose header may be long. */
  function long(count) {
    const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${"1, ".repeat(count)}), }`;
    const length = Buffer.alloc(4);
    length.writeUInt32LE(header.length + 1);
    const magic = Buffer.from("\x93NUMPY\x02\0", "latin1");
    return Buffer.concat([magic, length, Buffer.from(`${header}\n`), Buffer.from(Float32Array.of(7).buffer)]);
  }
  assert.deepEqual([...fromNpy(toNpy(ones(64))).data], [7]);
  for (const made of [new File([long(64)], "a.npy"), new File([safetensors({ a: ones(64) })], "a.safetensors")])
    assert.deepEqual([...(await (await arraysOf(made))[0].read()).data], [7]);
  for (const count of [65, 20000]) {
    const seconds = processorClock();
    for (const made of [new File([long(count)], "a.npy"), new File([safetensors({ a: ones(count) })], "a.safetensors")])
      await assert.rejects(arraysOf(made), {
        name: "RangeError",
        message: /axes\W+expected at most 64, as NumPy has$/,
      });
    const refusal = { name: "RangeError", message: /shape: "\d+ axes", expected at most 64, as NumPy has$/ };
    assert.throws(() => fromNpy(long(count)), refusal);
    assert.throws(() => toNpy(ones(count)), refusal);
    assert.ok(seconds() < 2, `${seconds()} s`);
  }
});

test("a .npz file with a bit turned over is refused where all of an array is read", async () => {
  for (const how of [{}, { isCompressed: true }]) {
    const right = npz({ a: npy(six) }, how);
    const [{ data }] = await Promise.all([arrayOf(file(right), "a").then((array) => array.read())]);
    for (let bit = 0; bit < 8 * right.length; bit += 7) {
      const wrong = Uint8Array.from(right);
      wrong[bit >> 3] ^= 1 << (bit & 7);
      const read = await (async () => {
        const array = await arrayOf(new File([wrong], "a.npz"), "a");
        return [await array.read(), await array.pick([[1, 0]])];
      })().catch((error) => error);
      if (read instanceof Error) assert.equal(read.name, "RangeError", `bit ${bit}`);
      else
        assert.deepEqual(
          [read[0].data, read[1].data],
          [data, Float32Array.of(...data.slice(3), ...data.slice(0, 3))],
          `bit ${bit}`,
        );
    }
  }
});

const whole = npy(six);
const packed = { isCompressed: true };
const archive = npz({ a: whole }, packed);
const spoilt = Uint8Array.from(archive);
spoilt.fill(255, 30 + 5 + 4, 60);
const one = (described) => headed({ a: described }, Float32Array.of(1));

/** Lists for each file's name what is wrong with it: the message starts with that. */
const REFUSED = [
  ["nothing", Buffer.alloc(0), ": a file that begins with nothing, expected a .npy, .npz, .safetensors or .gguf file"],
  ["text", Buffer.from("hi"), ": a file that begins with 104 105, expected a .npy, .npz, .safetensors or .gguf file"],
  ["short.npy", whole.subarray(0, whole.length - 4), ": truncated: 148 bytes, expected 152"],
  ["short", whole.subarray(0, whole.length - 4), ": truncated: 148 bytes, expected 152"],
  ["long.npy", Buffer.concat([whole, whole]), ": 304 bytes, expected 152 for shape [2, 3]"],
  ["cut.npy", whole.subarray(0, 40), ": bytes: 40, expected at least the 128 bytes of the header"],
  ["empty.npy", Buffer.alloc(0), ': bytes: "", expected a .npy file'],
  ["magic.npy", Buffer.from("PK\x03\x04 and more"), ": bytes: "],
  ["fortran.npy", npy(six, { order: "True" }), ": column-major order (fortran_order), expected row-major"],
  ["big.npy", npy(six, { descr: ">f4" }), ": big-endian values, expected little-endian ones"],
  ["object.npy", npy(six, { descr: "|O" }), ': values of the type "|O", expected one of <f8'],
  ["huge.npy", npy({ ...six, shape: [2 ** 40, 2 ** 30] }), ": shape [1099511627776, 1073741824] is too large"],
  ["cut.npz", archive.subarray(0, -30), ": no .npz file: a zip archive's end is missing (truncated?)"],
  ["text.npz", Buffer.from("nothing of the kind"), ": no .npz file"],
  ["cut", Buffer.concat([Buffer.from("PK\x03\x04"), archive.subarray(-22)]), ": a zip archive with a directory of "],
  ["wide.npz", npz({ a: whole }, { isWide: true }).subarray(30), ": a zip archive whose directory is missing"],
  ["begun.npz", archive.subarray(1), ": a zip archive whose directory is damaged"],
  [
    "bomb.npz",
    npz({ a: whole }, { ...packed, announced: 2 ** 31 }),
    ":a: 2147483648 bytes once decompressed, expected at most",
  ],
  ["liar.npz", npz({ a: whole }, { ...packed, announced: 20 }), ":a: more than the 20 bytes that it announces"],
  ["long.npz", npz({ a: whole }, { ...packed, announced: 200 }), ":a: 152 bytes, expected the 200 that it announces"],
  ["spoilt.npz", spoilt, ":a: cannot be decompressed ("],
  ["method.npz", npz({ a: whole }, { method: 12 }), ":a: compression method 12, expected none or deflate"],
  ["secret.npz", npz({ a: whole }, { flags: 1 }), ":a: encrypted"],
  ["cut.safetensors", safetensors({ a: six }).subarray(0, 30), ": a header of "],
  ["tiny.safetensors", Buffer.of(1, 2), ": 2 bytes, expected a safetensors file"],
  ["list.safetensors", headed([]), ": a header that is no object of JSON"],
  ["json.safetensors", headed("{"), ": a header that is no object of JSON"],
  ["bare", headed("{nothing}"), ": a header that is no object of JSON"],
  ["plain.safetensors", headed({ a: 1 }), ":a: a description, expected one with dtype, shape and data_offsets"],
  ["type.safetensors", one({ dtype: "F8_E4M3", shape: [1], data_offsets: [0, 1] }), ":a: values of the type F8_E4M3"],
  [
    "size.safetensors",
    one({ dtype: "F32", shape: [2], data_offsets: [0, 4] }),
    ":a: 4 bytes for F32 of the shape [2], expected 8",
  ],
  ["gone.safetensors", one({ dtype: "F32", shape: [2], data_offsets: [0, 8] }), ":a: truncated: "],
];
for (const [name, content, message] of REFUSED)
  test(`refused: ${name}${message}`, async () => {
    const read = async () => {
      for (const array of await arraysOf(new File([content], name))) await array.read();
    };
    await assert.rejects(read, (error) => {
      assert.equal(error.name, "RangeError");
      assert.ok(error.message.startsWith(name + message), error.message);
      return true;
    });
  });

test("refused: more than 512 MiB at once, and whole numbers that a double does not hold", async () => {
  const header = npy({ data: new Float32Array(0), shape: [2 ** 18, 1024] });
  const size = header.length + 2 ** 30;
  const slice = (from, to) => file(header.subarray(from, to), new Uint8Array(to - Math.max(from, header.length)));
  const [large] = await arraysOf({ name: "large.npy", size, slice });
  const message = /^large\.npy: 1073741824 bytes would have to be read at once, expected at most 536870912$/;
  await assert.rejects(large.read(), { name: "RangeError", message });
  await assert.rejects(large.pick([]), { name: "RangeError", message });
  assert.deepEqual((await large.pick([[7]])).shape, [1, 1024]);

  const [ids] = await arraysOf(new File([npy({ data: BigInt64Array.of(1n, 2n ** 53n), shape: [2] })], "ids.npy"));
  await assert.rejects(ids.read(), {
    name: "RangeError",
    message: /^ids\.npy: 9007199254740992, expected whole numbers below/,
  });
  assert.deepEqual((await ids.read(1)).data, Float64Array.of(1));
});

test("what a source itself throws goes through", async () => {
  const bytes = npz({ a: npy({ data: new Float32Array(2 ** 16), shape: [2 ** 16] }) }, { isCompressed: true });
  const fault = new Error("the disk is gone");
  let isGone = false;
  const slice = (from, to) => ({
    arrayBuffer: async () => {
      if (isGone) throw fault;
      return file(bytes.subarray(from, to)).arrayBuffer();
    },
  });
  const [array] = await arraysOf({ size: bytes.length, slice });
  isGone = true;
  for (const read of [() => array.read(), () => array.pick([[1]])])
    await assert.rejects(read, (error) => error === fault);
});

test("refused: what is no file", async () => {
  for (const source of [undefined, null, 7, {}, new ArrayBuffer(8)]) await assert.rejects(arraysOf(source), TypeError);
});

test("a name that a file has twice is refused, and messages stay short", async () => {
  const entry = (from) => ({ dtype: "F32", shape: [1], data_offsets: [from, from + 4] });
  const header = `{"a":${JSON.stringify(entry(0))},"\\u0061":${JSON.stringify(entry(4))}}`;
  const two = headed(header, Float32Array.of(1, 2));
  await assert.rejects(arraysOf(file(two)), /^RangeError: source: tensor "a": twice, expected each name once$/);
  // The names of entries in the archive's directory are changed to one.
  const archive = Buffer.from(npz({ aa: npy(six), bb: npy(six) }));
  archive.write("aa.npy", archive.lastIndexOf("bb.npy"));
  await assert.rejects(arraysOf(file(archive)), /^RangeError: source: array "aa": twice, expected each name once$/);
  for (const text of ['{"a": 1, "b": {"a": 1, "\\u0061": 2}}', '{"a": NaN, "a": 2}'])
    assert.throws(() => configOf(text), /^SyntaxError: key "a": twice, expected each key once$/);
  assert.deepEqual(configOf('{"a": "\\"b\\": {:", "b": [{"a": 1}, {"a": 2}]}').b.length, 2);
  const long = headed(JSON.stringify({ ["n".repeat(1e6)]: { ...entry(0), shape: [3] } }), Float32Array.of(1));
  await assert.rejects(arraysOf(file(long)), ({ message }) => message.length < 1200);
});
