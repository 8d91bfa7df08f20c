// .npy files against headers written out by hand; tests/interop has NumPy itself read and write them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fromNpy, toNpy } from "posenc/npy";
import { testWrongCalls } from "../testing/testing.mjs";

/** A file with this dictionary, as the format's description lays it out. */
function file(dictionary, values = new Uint8Array(0), version = 1) {
  const start = version === 1 ? 10 : 12;
  const bytes = new Uint8Array(start + dictionary.length + values.byteLength);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  for (let i = 8; i < start; ++i) bytes[i] = dictionary.length >> (8 * (i - 8));
  bytes.set(new TextEncoder().encode(dictionary), start);
  bytes.set(new Uint8Array(values.buffer, 0, values.byteLength), start + dictionary.length);
  return bytes;
}

const floats = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
const six = Float32Array.of(1, 2, 3, 4, 5, 6);

test("a file has NumPy's header, a multiple of 64 bytes, and then the values", () => {
  const bytes = toNpy({ data: six, shape: [2, 3] });
  assert.equal(bytes.length, 128 + 24);
  const header = new TextDecoder("latin1").decode(bytes.subarray(0, 128));
  assert.equal(header.slice(1, 10), "NUMPY\x01\0\x76\0");
  assert.equal(header.slice(10), `${floats.trimEnd().padEnd(117)}\n`);
  assert.deepEqual(new Float32Array(bytes.buffer, 128), six);
});

test("values out of the middle of a memory are written, and read from bytes that start anywhere", () => {
  const bytes = toNpy({ data: Float32Array.of(9, 8, 7).subarray(1), shape: [2] });
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  assert.deepEqual(fromNpy(shifted.subarray(3)), { data: Float32Array.of(8, 7), shape: [2], dtype: "float32" });
  assert.deepEqual(fromNpy(bytes.buffer).data, Float32Array.of(8, 7));
});

test("a header may have its keys in any order, and either quotes", () => {
  const other = `{"shape": (6,), "fortran_order": False, "descr": "<f4"}`;
  for (const version of [1, 2, 3]) assert.deepEqual(fromNpy(file(other, six, version)).shape, [6]);
});

test("a header may have strings, tuples and numbers as any Python writes them", () => {
  for (const [written, shape] of [
    ["{ 'descr' :\t'\\x3cf4',\n'fortran_order':False,'shape':(0x6,)}".replace("0x6", "6L"), [6]],
    ["{u'descr': u'<f4', 'fortran_order': False, 'shape': (1L, 2L, 3L,)}", [1, 2, 3]],
    ["{'descr': '<f4', 'fortran\\137order': False, '\\u0073hape': ((6), 1)}", [6, 1]],
  ]) {
    assert.deepEqual(fromNpy(file(written, six)).shape, shape, written);
  }
  assert.deepEqual(
    fromNpy(file("{'descr': '<f4', 'fortran_order': False, 'shape': ()}", six.subarray(0, 1))).shape,
    [],
  );
});

test("only the keys of the dictionary count, not what strings in it look like", () => {
  const inside = floats
    .replace("{", `{'x': "'fortran_order': False, 'shape': (6,), ", `)
    .replace("False, 's", "True, 's");
  assert.throws(() => fromNpy(file(inside, six)), /^RangeError: header: .*and nothing else$/s);
  const last = floats.replace("}", "'x': 0}");
  assert.throws(() => fromNpy(file(last, six)), /^RangeError: header: .*and nothing else$/s);
});

test("what is read stands in memory of its own", () => {
  const bytes = file(floats, six);
  const { data } = fromNpy(bytes);
  bytes.fill(0);
  assert.deepEqual(data, six);
});

test("float16 comes as the engine's own array where there is one", () => {
  const bits = Uint16Array.of(0x3c00, 0xc000);
  const bytes = toNpy({ data: bits, shape: [2], dtype: "float16" });
  const withoutIt = globalThis.Float16Array;
  class Float16Array extends Uint16Array {}
  try {
    globalThis.Float16Array = Float16Array;
    assert.ok(fromNpy(bytes).data instanceof Float16Array);
    delete globalThis.Float16Array;
    assert.deepEqual(fromNpy(bytes), { data: bits, shape: [2], dtype: "float16" });
  } finally {
    if (withoutIt) globalThis.Float16Array = withoutIt;
    else delete globalThis.Float16Array;
  }
});

testWrongCalls([
  [() => toNpy(), TypeError, "tensor: undefined, expected a tensor { data, shape }"],
  [() => toNpy({ data: [1], shape: [1] }), TypeError, "tensor.data: [1], expected a Float32Array"],
  [() => toNpy({ data: six, shape: [7] }), RangeError, "tensor.data: 6, expected 7 values for shape [7]"],
  [() => toNpy({ data: six, shape: [2.5] }), RangeError, "tensor.shape[0]: 2.5, expected a whole number"],
  [() => toNpy({ data: six, shape: [6], dtype: "float64" }), TypeError, 'tensor.dtype: "float64", expected "float32"'],
  [() => toNpy({ data: new Uint16Array(1), shape: [1] }), TypeError, "tensor.dtype: undefined, expected for a Uint16"],
  [
    () => toNpy({ data: new Uint16Array(1), shape: [1], dtype: "bfloat16" }),
    TypeError,
    'tensor.dtype: "bfloat16", expected for a Uint16Array "float16" or "uint16": NumPy has no bfloat16',
  ],
  [() => toNpy({ data: Float32Array.of(1), shape: Array(30000).fill(1) }), RangeError, 'tensor.shape: "30000 axes"'],
  [() => fromNpy("x"), TypeError, 'bytes: "x", expected an ArrayBuffer or a view of one'],
  [() => fromNpy(new Uint8Array(0)), RangeError, 'bytes: "", expected a .npy file'],
  [() => fromNpy(file(floats, six, 4)), RangeError, 'bytes: "format 4.0", expected format 1.0, 2.0 or 3.0'],
  [() => fromNpy(file(floats, six).subarray(0, 7)), RangeError, "bytes: 7, expected at least the 10 bytes"],
  [() => fromNpy(file(floats, six).subarray(0, 40)), RangeError, "bytes: 40, expected at least the 70 bytes"],
  [() => fromNpy(file(floats, six).subarray(0, 93)), RangeError, "bytes: 93, expected 94 bytes for shape [2, 3]"],
  [() => fromNpy(file(floats, new Float32Array(7))), RangeError, "bytes: 98, expected 94 bytes for shape [2, 3]"],
  [() => fromNpy(file(floats.replace("descr", "type"), six)), RangeError, "header: \"{'type'"],
  [() => fromNpy(file(floats.replace("(2, 3)", "6"), six)), RangeError, "header: "],
  [
    () => fromNpy(file(floats.replace("(2, 3)", `(${"9".repeat(400)},)`), six)),
    RangeError,
    "bytes: 491, expected Infinity",
  ],
  [() => fromNpy(file(floats.replace("False", "True"), six)), RangeError, 'fortran_order: "True", expected False'],
  [() => fromNpy(file(floats.replace("<f4", ">f4"), six)), RangeError, 'descr: ">f4", expected "<f4" (or one of "<f4"'],
  [() => fromNpy(file(floats.replace("<f4", "toString"), six)), RangeError, 'descr: "toString", expected one of'],
  ...[
    ["'shape': (2, 3)", "'shape': (2 3)", 'header[53]: "3), }", expected "," or ")"'],
    [
      "(2, 3)",
      "(6)",
      "header: \"{'descr': '<f4', 'fortran_order': False, 'shape': (6), }\", expected a tuple of whole numbers",
    ],
    ["(2, 3)", "[2, 3]", "header: "],
    ["(2, 3)", "(True, 6)", "header: "],
    ["(2, 3)", "(-2, -3)", 'header[51]: "-2, -3), }", expected a value'],
    ["(2, 3)", "(02, 3)", 'header[51]: "02, 3), }", expected a value'],
    ["(2, 3)", "(,)", 'header[51]: ",), }", expected a value'],
    ["(2, 3)", "(2, 3", 'header[57]: "}", expected a value'],
    ["False", "0", "header: "],
    ["}", "} or {}", 'header[60]: "or {}", expected nothing after the dictionary'],
    ["}", "'shape': (6,)}", 'header[58]: "\'shape\': (6,)}", expected each key once: "shape" was there before'],
    ["}", "", 'header[59]: "the end", expected a value'],
    ["'descr'", "'descr", 'header[10]: "<f4\', \'fortran_order", expected ":"'],
    ["'descr'", "b'descr'", "header[1]: \"b'descr': '<f4', 'fo\", expected a value"],
    ["'descr'", "'\\q'", "header[1]: \"'\\\\q': '<f4', 'fortra\", expected a string without \\q"],
    ["'descr':", "'descr'", 'header[9]: "\'<f4\', \'fortran_orde", expected ":"'],
    ["{", "{1: 2, ", "header[1]: \"1: 2, 'descr': '<f4'\", expected a key in quotes"],
    ["'<f4'", `${"[".repeat(40000)}`, 'header[26]: "[[[[[[[[[[[[[[[[[[[[", expected at most 16 brackets'],
    ["'<f4'", "[('x', '<f4', (2,)), ('', '|V4')]", 'descr: "a structure", expected one of "<f4"'],
    [
      "<f4",
      "<i8",
      'descr: "<i8", expected a type that is read, "<f4", "<f8", "<f2", "<i4", "<u2": this is int64, save astype("int32")',
    ],
    [
      "<f4",
      "|b1",
      'descr: "|b1", expected a type that is read, "<f4", "<f8", "<f2", "<i4", "<u2": this is bool, save astype("uint16")',
    ],
    ["(2, 3)", `(0, ${10n ** 20n})`, "shape[1]: 100000000000000000000, expected a whole number below 2^53"],
  ].map(([from, to, start]) => [() => fromNpy(file(floats.replace(from, to), six)), RangeError, start]),
  [() => fromNpy(file(floats.padEnd(70000), six, 2)), RangeError, 'header: "70000 bytes", expected at most 65535'],
  [() => fromNpy(file(floats, six).fill(1, 7, 8)), RangeError, 'bytes: "format 1.1", expected format 1.0'],
  [
    () => fromNpy(file(floats.replace("2,", "2L,"), six, 3)),
    RangeError,
    'header[51]: "2L, 3), }", expected a number without L',
  ],
  [() => fromNpy(file(floats, six, 3).fill(0xff, 20, 21)), RangeError, 'header: "other bytes", expected text in UTF-8'],
]);
