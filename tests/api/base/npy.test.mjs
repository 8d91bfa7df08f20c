// .npy files against headers written out by hand; tests/interop has NumPy itself read and write them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fromNpy, toNpy } from "posenc/npy";
import { testWrongCalls } from "../testing/testing.mjs";

/** A file with this dictionary, as the format's description lays it out. */
function file(dictionary, values = new Uint8Array(0), version = 1) {
  const start = version === 1 ? 10 : 12;
  const bytes = new Uint8Array(start + dictionary.length + values.byteLength);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0, dictionary.length & 255, dictionary.length >> 8]);
  bytes.set(new TextEncoder().encode(dictionary), start);
  bytes.set(new Uint8Array(values.buffer), start + dictionary.length);
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
]);
