// Reads the header of a .safetensors file, and checks it against the file's size.

import { isArray, isObject } from "../base/check.js";
import * as expected from "../base/expected.js";
import { wrongFile } from "./section.js";
import { bytesOf, otherType, type StoredName, type TypeNames, typeNamed } from "./stored-types.js";

/** The format's names of types, and ours. Those of 8 and fewer bits that scales belong to are not values by themselves. */
const types: TypeNames = {
  F64: "float64",
  F32: "float32",
  F16: "float16",
  C64: "complex64",
  BF16: "bfloat16",
  I64: "int64",
  U64: "uint64",
  I32: "int32",
  U32: "uint32",
  I16: "int16",
  U16: "uint16",
  I8: "int8",
  U8: "uint8",
  BOOL: "bool",
};

/** The most bytes that the format allows a header. */
const mostHeader = 100_000_000;

/** The number of bytes before the header. */
export const lengthBytes = 8;

interface Described {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isDescribed(value: unknown): value is Described {
  const { dtype, shape, data_offsets: offsets } = (value ?? {}) as Described;
  const isList = (list: unknown) => isArray(list) && list.every(isCount);
  return typeof dtype === "string" && isList(shape) && isList(offsets) && offsets.length === 2;
}

/** Where the values begin, by a file's first eight bytes. */
export function valuesStart(file: string, size: number, first: DataView): number {
  const length = Number(first.getBigUint64(0, true));
  if (length > mostHeader || lengthBytes + length > size)
    throw wrongFile(
      file,
      `a header of ${length} bytes in a file of ${size}, expected a safetensors file, not truncated`,
    );
  return lengthBytes + length;
}

/** The tensors that the header describes, by name. */
export function headerOf(file: string, text: BufferSource): [string, unknown][] {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch {
    header = undefined;
  }
  if (!isObject(header) || isArray(header))
    throw wrongFile(file, "a header that is no object of JSON, expected a safetensors file");
  return Object.entries(header).filter(([name]) => name !== "__metadata__");
}

/** Where a tensor's values are, and how they are stored. */
export interface Place {
  readonly from: number;
  readonly to: number;
  readonly dtype: StoredName;
  readonly shape: readonly number[];
}

/** Reads one tensor's entry, checked against a file of `size` bytes; an unsupported type is an error as a value. */
export function placeOf(place: string, size: number, start: number, described: unknown): Place | RangeError {
  if (!isDescribed(described)) throw wrongFile(place, "a description, expected one with dtype, shape and data_offsets");
  const { dtype: type, shape, data_offsets: offsets } = described;
  const dtype = typeNamed(types, type);
  if (dtype === undefined) return otherType(place, type, types);
  const [from, to] = offsets;
  const wanted = bytesOf(place, dtype, shape);
  if (to - from !== wanted)
    throw wrongFile(place, `${to - from} bytes for ${type} of the shape [${shape.join(", ")}], expected ${wanted}`);
  if (start + to > size) throw wrongFile(place, expected.file_truncated, { bytes: size, size: start + to });
  return { from: start + from, to: start + to, dtype, shape };
}
