/**
 * NumPy's files of one array, .npy: written and read without WebAssembly, in about two kilobytes.
 *
 * ```ts
 * import { fromNpy, toNpy } from "posenc/npy";
 * await writeFile("table.npy", toNpy(pe.sinusoidal({ length: 6, dim: 512 }))); // numpy.load("table.npy")
 * const { data, shape, dtype } = fromNpy(await readFile("weights.npy"));
 * ```
 *
 * @module
 */

import { product, shape as shapeOf, wrongType, wrongValue } from "./base/check.js";
import type { Float16Data } from "./types/base.js";

export type { Float16ArrayLike, Float16Data } from "./types/base.js";

/** An array as a .npy file has it, in row-major order, and which of NumPy's types it is; a `"float32"` one is a Tensor. */
export type NpyArray =
  | { data: Float32Array; shape: number[]; dtype: "float32" }
  | { data: Float64Array; shape: number[]; dtype: "float64" }
  | { data: Int32Array; shape: number[]; dtype: "int32" }
  | { data: Uint16Array; shape: number[]; dtype: "uint16" }
  | { data: Float16Data | Uint16Array; shape: number[]; dtype: "float16" };

/** The types of NumPy's that are written and read. */
export type NpyDType = NpyArray["dtype"];

/**
 * What can be written: a tensor from any function of the library. The array tells its dtype, but for a Uint16Array:
 * `"float16"` says that it holds the bits of such values, `"uint16"` that it holds whole numbers.
 */
export type NpySource =
  | NpyArray
  | { data: Float32Array | Float64Array | Int32Array | Float16Data; shape: readonly number[]; dtype?: undefined };

/** The types by NumPy's names, and how a file writes them. */
const types = {
  "<f4": { dtype: "float32", kind: "Float32Array", bytes: 4 },
  "<f8": { dtype: "float64", kind: "Float64Array", bytes: 8 },
  "<f2": { dtype: "float16", kind: "Float16Array", bytes: 2 },
  "<i4": { dtype: "int32", kind: "Int32Array", bytes: 4 },
  "<u2": { dtype: "uint16", kind: "Uint16Array", bytes: 2 },
} as const;
const descriptions = Object.keys(types) as (keyof typeof types)[];

const magic = "\x93NUMPY";

/** How a file of this array writes its type. */
function descriptionOf({ data, dtype }: { data: unknown; dtype?: unknown }): keyof typeof types {
  const kind: unknown = (data as { [Symbol.toStringTag]?: unknown } | null | undefined)?.[Symbol.toStringTag];
  const own = descriptions.find((each) => types[each].kind === kind);
  if (!own)
    throw wrongType("tensor.data", data, "a Float32Array, Float64Array, Float16Array, Int32Array or Uint16Array");
  if (kind !== "Uint16Array") {
    if (dtype === undefined || dtype === types[own].dtype) return own;
    throw wrongType("tensor.dtype", dtype, `"${types[own].dtype}", or nothing beside a ${kind}`);
  }
  if (dtype === "uint16") return own;
  if (dtype === "float16") return "<f2";
  const others = 'for a Uint16Array "float16" or "uint16"';
  throw wrongType("tensor.dtype", dtype, dtype === "bfloat16" ? `${others}: NumPy has no bfloat16` : others);
}

/**
 * The bytes of a .npy file that holds a tensor: format 1.0, in row-major order, little-endian.
 *
 * Throws a TypeError for an array of another kind, or a dtype that does not go with it (NumPy has no bfloat16: convert
 * it to float32, or give its bits as `"uint16"`); a RangeError where the data do not fit the shape.
 */
export function toNpy(tensor: NpySource): Uint8Array<ArrayBuffer> {
  if (typeof tensor !== "object" || tensor === null) throw wrongType("tensor", tensor, "a tensor { data, shape }");
  const description = descriptionOf(tensor);
  const extents = shapeOf("tensor.shape", tensor.shape);
  const { buffer, byteOffset, byteLength, length } = tensor.data as Uint16Array;
  if (length !== product(extents)) {
    throw wrongValue("tensor.data", length, `${product(extents)} values for shape [${extents.join(", ")}]`);
  }
  const tuple = `(${extents.join(", ")}${extents.length === 1 ? "," : ""})`;
  const dictionary = `{'descr': '${description}', 'fortran_order': False, 'shape': ${tuple}, }`;
  // Version 1.0 gives the header's length two bytes. As NumPy has it, the values start at a multiple of 64 bytes.
  const start = Math.ceil((magic.length + 4 + dictionary.length + 1) / 64) * 64;
  const headerLength = start - magic.length - 4;
  if (headerLength > 0xffff)
    throw wrongValue("tensor.shape", `${extents.length} axes`, "as many as a .npy file can name");
  const bytes = new Uint8Array(start + byteLength);
  const header = `${magic}\x01\0${String.fromCharCode(headerLength & 255, headerLength >> 8)}${dictionary}`;
  for (let i = 0; i < start - 1; ++i) bytes[i] = i < header.length ? header.charCodeAt(i) : 32;
  bytes[start - 1] = 10;
  bytes.set(new Uint8Array(buffer, byteOffset, byteLength), start);
  return bytes;
}

/** A file's header, the text of a Python dictionary, and where the values start. */
function headerOf(bytes: Uint8Array): { header: string; start: number } {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  const begins = text(0, magic.length);
  if (begins !== magic) throw wrongValue("bytes", begins, `a .npy file, which begins with ${JSON.stringify(magic)}`);
  const version = bytes[6] ?? 0;
  if (version < 1 || version > 3) throw wrongValue("bytes", `format ${version}.${bytes[7]}`, "format 1.0, 2.0 or 3.0");
  const from = version === 1 ? 10 : 12;
  const lengthBytes = [...bytes.subarray(8, from)];
  const start = lengthBytes.reduce((all, byte, i) => all + byte * 256 ** i, from);
  if (bytes.length < Math.max(start, from)) {
    throw wrongValue("bytes", bytes.length, `at least the ${Math.max(start, from)} bytes of the header`);
  }
  return { header: new TextDecoder().decode(bytes.slice(from, start)), start };
}

/** The value of a key of the header. */
function entry(header: string, key: string, pattern: string): string {
  const found = header.match(new RegExp(`['"]${key}['"]\\s*:\\s*(${pattern})`))?.[1];
  if (found === undefined) throw wrongValue("header", header.trim(), `a dictionary with ${key}`);
  return found;
}

function typeOf(header: string) {
  const written = entry(header, "descr", "'[^']*'|\"[^\"]*\"|\\[");
  const description = written === "[" ? "a structure" : written.slice(1, -1);
  const own = descriptions.find((each) => each === description);
  if (own) return types[own];
  const known = descriptions.map((each) => `"${each}"`).join(", ");
  const why = description.startsWith(">")
    ? " (big-endian: convert with astype)"
    : /O/.test(description)
      ? " (pickled objects are not read)"
      : "";
  throw wrongValue("descr", description, `one of ${known}${why}`);
}

/**
 * The array in a .npy file of format 1.0, 2.0 or 3.0, in new memory. float16 comes in a Float16Array where the engine
 * has one, else as bits in a Uint16Array.
 *
 * Throws a TypeError for what is not bytes; a RangeError for what is no .npy file or too short or too long, for values in
 * column-major order (`fortran_order`), big-endian, pickled, or of a type other than float32, float64, float16, int32 and
 * uint16.
 */
export function fromNpy(bytes: ArrayBuffer | ArrayBufferView): NpyArray {
  const isView = ArrayBuffer.isView(bytes);
  if (!isView && Object.prototype.toString.call(bytes) !== "[object ArrayBuffer]") {
    throw wrongType("bytes", bytes, "an ArrayBuffer or a view of one");
  }
  const all = isView ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
  const { header, start } = headerOf(all);
  const type = typeOf(header);
  const order = entry(header, "fortran_order", "True|False");
  if (order === "True") throw wrongValue("fortran_order", order, "False: save numpy.ascontiguousarray of the array");
  const tuple = entry(header, "shape", "\\([\\d,\\s]*\\)");
  const shape = (tuple.match(/\d+/g) ?? []).map(Number);
  const wanted = start + type.bytes * product(shape);
  if (all.length !== wanted) throw wrongValue("bytes", all.length, `${wanted} bytes for shape [${shape.join(", ")}]`);
  const kinds = globalThis as unknown as { [kind: string]: typeof Uint16Array | undefined };
  const data = new (kinds[type.kind] ?? Uint16Array)(all.slice(start).buffer);
  return { data, shape, dtype: type.dtype satisfies NpyDType } as NpyArray;
}
