import { isArray, isObject } from "../base/check.js";
import type { FileArray } from "../types/files.js";
import { fileArray, type ListedArray } from "./file-array.js";
import { type Section, wrongFile } from "./section.js";
import { bytesOf, otherType, type TypeNames, typeNamed } from "./stored-types.js";

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

/** What a header says of one tensor, held against the file. */
function tensorOf(section: Section, start: number, name: string, described: unknown): FileArray | RangeError {
  const place = `${section.name}:${name}`;
  if (!isDescribed(described)) throw wrongFile(place, "a description without dtype, shape and data_offsets");
  const { dtype, shape, data_offsets: offsets } = described;
  const own = typeNamed(types, dtype);
  if (own === undefined) return otherType(place, dtype, types);
  const [from, to] = offsets;
  const wanted = bytesOf(place, own, shape);
  if (to - from !== wanted)
    throw wrongFile(place, `${to - from} bytes for ${dtype} of the shape [${shape.join(", ")}], expected ${wanted}`);
  if (start + to > section.size)
    throw wrongFile(place, `truncated: ${section.size} bytes in the file, expected ${start + to}`);
  return fileArray(name, { ...section, name: place }, start + from, own, shape);
}

/** The tensors of a .safetensors file, by their names. */
export async function safetensors(section: Section): Promise<ListedArray[]> {
  const { name: file, size } = section;
  if (size < 8) throw wrongFile(file, `${size} bytes, expected a safetensors file`);
  const length = Number(new DataView(await section.read(0, 8)).getBigUint64(0, true));
  if (length > mostHeader || 8 + length > size)
    throw wrongFile(file, `a header of ${length} bytes in a file of ${size}: no safetensors file, or truncated`);
  const text = await section.read(8, 8 + length);
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch {
    header = undefined;
  }
  if (!isObject(header) || isArray(header))
    throw wrongFile(file, "a header that is no object of JSON, expected a safetensors file");
  return Object.entries(header)
    .filter(([name]) => name !== "__metadata__")
    .map(([name, described]) => ({ name, open: async () => tensorOf(section, 8 + length, name, described) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
