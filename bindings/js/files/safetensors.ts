// Lists the tensors of a .safetensors file: its header is read, and checked against the file's size.

import { isArray, isObject, quoted } from "../base/check.js";
import * as expected from "../base/expected.js";
import type { FileArray } from "../types/files.js";
import { type Listed, StoredArray } from "./file-array.js";
import { keyTwice } from "./key-twice.js";
import { type Section, wrongFile } from "./section.js";
import { bytesOf, isCount, otherType, type TypeNames, typeNamed } from "./stored-types.js";

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
const lengthBytes = 8;

interface Described {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

function isDescribed(value: unknown): value is Described {
  const { dtype, shape, data_offsets: offsets } = (value ?? {}) as Described;
  const isList = (list: unknown) => isArray(list) && list.every(isCount);
  return typeof dtype === "string" && isList(shape) && isList(offsets) && offsets.length === 2;
}

/** Where the values begin, by a file's first eight bytes. */
function valuesStart(file: string, size: number, first: DataView): number {
  const length = Number(first.getBigUint64(0, true));
  if (length > mostHeader || lengthBytes + length > size)
    throw wrongFile(
      file,
      `a header of ${length} bytes in a file of ${size}, expected a safetensors file, not truncated`,
    );
  return lengthBytes + length;
}

/** What the header describes, by name. */
function headerOf(file: string, text: BufferSource): { [name: string]: unknown } {
  let header: unknown;
  let twice: string | undefined;
  try {
    const json = new TextDecoder("utf-8", { fatal: true }).decode(text);
    header = JSON.parse(json);
    twice = keyTwice(json, header);
  } catch {
    // No object: refused below.
  }
  if (twice !== undefined) throw wrongFile(file, `tensor ${quoted(twice)}: twice, expected each name once`);
  if (!isObject(header) || isArray(header))
    throw wrongFile(file, "a header that is no object of JSON, expected a safetensors file");
  return header as { [name: string]: unknown };
}

/** The tensor of an entry; an unsupported type is an error as a value. */
function tensorOf(section: Section, start: number, name: string, described: unknown): FileArray | RangeError {
  const path = `${section.name}:${name}`;
  if (!isDescribed(described)) throw wrongFile(path, "a description, expected one with dtype, shape and data_offsets");
  const { dtype: type, shape, data_offsets: offsets } = described;
  const dtype = typeNamed(types, type);
  if (dtype === undefined) return otherType(path, type, types);
  const [from, to] = offsets;
  const [wanted, { size }] = [bytesOf(path, dtype, shape), section];
  if (to - from !== wanted)
    throw wrongFile(path, `${to - from} bytes for ${type} of the shape [${shape.join(", ")}], expected ${wanted}`);
  if (start + to > size) throw wrongFile(path, expected.file_truncated, { bytes: size, size: start + to });
  return new StoredArray(name, section, start + from, dtype, shape, path);
}

/** The tensors of a .safetensors file, by their names. */
export async function safetensors(section: Section): Promise<Listed> {
  const { name: file, size } = section;
  if (size < lengthBytes) throw wrongFile(file, `${size} bytes, expected a safetensors file`);
  const start = valuesStart(file, size, new DataView(await section.read(0, lengthBytes)));
  const described = headerOf(file, await section.read(lengthBytes, start));
  const names = Object.keys(described).filter((name) => name !== "__metadata__");
  names.sort();
  return {
    names,
    open(at) {
      const name = names[at] as string;
      const found = described[name];
      described[name] = undefined; // is opened once: of many, descriptions and arrays are not held together
      return tensorOf(section, start, name, found);
    },
  };
}
