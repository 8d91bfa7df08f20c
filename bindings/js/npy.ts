/**
 * NumPy's files of one array, .npy: written and read without WebAssembly, in about three kilobytes.
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
import * as expected from "./base/expected.js";
import { entriesOf, headerOf, magic, mostAxes } from "./npy/header.js";
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
 * Anything that can be written: a tensor from any function of the library. Its dtype follows from the array, but for a
 * Uint16Array: `"float16"` means the bits of such values, `"uint16"` whole numbers.
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

/** How a file of this array writes its type. */
function descriptionOf(data: unknown, dtype: unknown): keyof typeof types {
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
 * it to float32, or give its bits as `"uint16"`); a RangeError where the data do not fit the shape, or for more than 64
 * axes.
 */
export function toNpy(tensor: NpySource): Uint8Array<ArrayBuffer> {
  if (typeof tensor !== "object" || tensor === null) throw wrongType("tensor", tensor, "a tensor { data, shape }");
  const { data, shape, dtype } = tensor;
  const description = descriptionOf(data, dtype);
  const extents = shapeOf("tensor.shape", shape);
  if (extents.length > mostAxes)
    throw wrongValue("tensor.shape", `${extents.length} axes`, `at most ${mostAxes}, as NumPy has`);
  const { buffer, byteOffset, byteLength, length } = data as Uint16Array;
  if (length !== product(extents))
    throw wrongValue("tensor.data", length, `${product(extents)} values for shape [${extents.join(", ")}]`);
  const tuple = `(${extents.join(", ")}${extents.length === 1 ? "," : ""})`;
  const dictionary = `{'descr': '${description}', 'fortran_order': False, 'shape': ${tuple}, }`;
  // Version 1.0 gives the header's length two bytes. As NumPy has it, the values start at a multiple of 64 bytes.
  const start = Math.ceil((magic.length + 4 + dictionary.length + 1) / 64) * 64;
  const headerLength = start - magic.length - 4;
  const bytes = new Uint8Array(start + byteLength);
  const header = `${magic}\x01\0${String.fromCharCode(headerLength & 255, headerLength >> 8)}${dictionary}`;
  for (let i = 0; i < start - 1; ++i) bytes[i] = i < header.length ? header.charCodeAt(i) : 32;
  bytes[start - 1] = 10;
  bytes.set(new Uint8Array(buffer, byteOffset, byteLength), start);
  return bytes;
}

/** Types of NumPy's that are not read: their names, and which type holds their values. */
const converted: { readonly [description: string]: string } = {
  "|b1": 'bool, save astype("uint16")',
  "|i1": 'int8, save astype("int32")',
  "|u1": 'uint8, save astype("uint16")',
  "<i2": 'int16, save astype("int32")',
  "<u4": 'uint32, save astype("float64")',
  "<i8": 'int64, save astype("int32"), or astype("float64") for values beyond its range',
  "<u8": 'uint64, save astype("int32"), or astype("float64") for values beyond its range',
};

function typeOf(description: string) {
  const own = descriptions.find((each) => each === description);
  if (own) return types[own];
  const known = descriptions.map((each) => `"${each}"`).join(", ");
  if (Object.hasOwn(converted, description))
    throw wrongValue("descr", description, `a type that is read, ${known}: this is ${converted[description]}`);
  const why = description.startsWith(">")
    ? " (big-endian: convert with astype)"
    : /O/.test(description)
      ? " (pickled objects are not read)"
      : "";
  throw wrongValue("descr", description, expected.one_of, { names: known }, why);
}

/**
 * The array in a .npy file of format 1.0, 2.0 or 3.0, in new memory. float16 comes in a Float16Array where the engine
 * has one, else as bits in a Uint16Array.
 *
 * The header is read whole, as NumPy reads it, and no key may come twice. Throws a TypeError for what is not bytes; a
 * RangeError for what is no .npy file, or too short or too long; for a header that is anything but the dictionary of descr,
 * fortran_order and shape, or that has more than 65,535 bytes; for values in column-major order (`fortran_order`),
 * big-endian, pickled, or of a type other than float32, float64, float16, int32 and uint16.
 */
export function fromNpy(bytes: ArrayBuffer | ArrayBufferView): NpyArray {
  const isView = ArrayBuffer.isView(bytes);
  if (!isView && Object.prototype.toString.call(bytes) !== "[object ArrayBuffer]")
    throw wrongType("bytes", bytes, "an ArrayBuffer or a view of one");
  const all = isView ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
  const { header, start, isOld } = headerOf(all);
  const { descr, order, shape } = entriesOf(header, isOld);
  const type = typeOf(descr);
  if (order) throw wrongValue("fortran_order", "True", "False: save numpy.ascontiguousarray of the array");
  const wanted = start + type.bytes * product(shape);
  const inexact = shape.findIndex((extent) => !Number.isSafeInteger(extent));
  if (inexact >= 0 && !(wanted > all.length))
    throw wrongValue(`shape[${inexact}]`, shape[inexact], "a whole number below 2^53");
  if (all.length !== wanted) throw wrongValue("bytes", all.length, `${wanted} bytes for shape [${shape.join(", ")}]`);
  const kinds = globalThis as unknown as { [kind: string]: typeof Uint16Array | undefined };
  const data = new (kinds[type.kind] ?? Uint16Array)(all.slice(start).buffer);
  return { data, shape, dtype: type.dtype satisfies NpyDType } as NpyArray;
}
