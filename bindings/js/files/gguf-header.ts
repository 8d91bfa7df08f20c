// Reads the header of a .gguf file (ggml's gguf.md, versions 2 and 3): metadata by key, and where tensors are. A reader of
// our own, because libraries for it materialise vocabularies of megabytes and take lengths and counts as they are given.

import { product } from "../base/check.js";
import * as expected from "../base/expected.js";
import type { GgufArray, GgufTensor, GgufValue } from "../types/files.js";
import { type Listed, StoredArray } from "./file-array.js";
import { type Section, wrongFile } from "./section.js";
import { otherType, type StoredName, type TypeNames, typeNamed } from "./stored-types.js";
import { Walker } from "./walker.js";

/** Limits of a header. Vocabularies have megabytes, models a few thousand tensors; keys are that long by the format. */
const [mostHeader, mostKeys, mostTensors, longestKey, longestName] = [2 ** 28, 2 ** 16, 2 ** 20, 2 ** 16 - 1, 2 ** 10];

/** The bytes of a tensor's entry: its name, four axes, type and place. */
const longestTensor = 8 + longestName + 4 + 4 * 8 + 4 + 8;

/** Longer texts and lists are described, not read: templates are shorter, vocabularies longer. */
const [longestText, longestList] = [2 ** 16, 2 ** 12];

const textType = 8;
const listType = 9;

/** The format's types of values: how many bytes each has, and how it is read. */
const scalars: {
  readonly [id: number]: readonly [
    GgufArray["type"],
    number,
    (view: DataView, at: number) => number | bigint | boolean,
  ];
} = {
  0: ["uint8", 1, (view, at) => view.getUint8(at)],
  1: ["int8", 1, (view, at) => view.getInt8(at)],
  2: ["uint16", 2, (view, at) => view.getUint16(at, true)],
  3: ["int16", 2, (view, at) => view.getInt16(at, true)],
  4: ["uint32", 4, (view, at) => view.getUint32(at, true)],
  5: ["int32", 4, (view, at) => view.getInt32(at, true)],
  6: ["float32", 4, (view, at) => shortest(view.getFloat32(at, true))],
  7: ["bool", 1, (view, at) => view.getUint8(at) !== 0],
  10: ["uint64", 8, (view, at) => safe(view.getBigUint64(at, true))],
  11: ["int64", 8, (view, at) => safe(view.getBigInt64(at, true))],
  12: ["float64", 8, (view, at) => view.getFloat64(at, true)],
};

/** Finds the shortest of the decimals that a float32 is nearest to: 0.1 was written, and not 0.10000000149011612. */
function shortest(value: number): number {
  for (let digits = 1; digits < 9; ++digits) {
    const decimal = Number(value.toPrecision(digits));
    if (Math.fround(decimal) === value) return decimal;
  }
  return value;
}

/** A number where a double holds it. */
const safe = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

/** ggml's types of tensors by their numbers (gguf-py/gguf/constants.py): name, values and bytes of a block. */
const tensorTypes: { readonly [id: number]: readonly [string, number, number] } = {
  0: ["F32", 1, 4],
  1: ["F16", 1, 2],
  2: ["Q4_0", 32, 18],
  3: ["Q4_1", 32, 20],
  6: ["Q5_0", 32, 22],
  7: ["Q5_1", 32, 24],
  8: ["Q8_0", 32, 34],
  10: ["Q2_K", 256, 84],
  11: ["Q3_K", 256, 110],
  12: ["Q4_K", 256, 144],
  13: ["Q5_K", 256, 176],
  14: ["Q6_K", 256, 210],
  16: ["IQ2_XXS", 256, 66],
  17: ["IQ2_XS", 256, 74],
  18: ["IQ3_XXS", 256, 98],
  19: ["IQ1_S", 256, 50],
  20: ["IQ4_NL", 32, 18],
  21: ["IQ3_S", 256, 110],
  22: ["IQ2_S", 256, 82],
  23: ["IQ4_XS", 256, 136],
  24: ["I8", 1, 1],
  25: ["I16", 1, 2],
  26: ["I32", 1, 4],
  27: ["I64", 1, 8],
  28: ["F64", 1, 8],
  29: ["IQ1_M", 256, 56],
  30: ["BF16", 1, 2],
  34: ["TQ1_0", 256, 54],
  35: ["TQ2_0", 256, 66],
  39: ["MXFP4", 32, 17],
};

const typesByName = new Map(Object.values(tensorTypes).map((row) => [row[0], row]));

/** The types whose values are read, and ours. */
const readTypes: TypeNames = {
  F64: "float64",
  F32: "float32",
  F16: "float16",
  BF16: "bfloat16",
  I64: "int64",
  I32: "int32",
  I16: "int16",
  I8: "int8",
};

/** A header, whose tensors begin at `start`. */
export interface GgufHeader {
  readonly version: number;
  readonly metadata: ReadonlyMap<string, GgufValue>;
  readonly tensors: readonly (GgufTensor & { readonly at: number })[];
}

/** Reads the format's counts and texts. */
class GgufWalker extends Walker {
  /** A count or a length: 64 bits, of which no file needs more than 53. */
  count(what: string, most: number): number {
    const count = this.take(8, (view, at) => view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32);
    if (count > most) throw this.fail(`${what}: ${count}, expected at most ${most}`);
    return count;
  }

  async text(what: string, most: number): Promise<string> {
    await this.need(8);
    const length = this.count(what, most);
    await this.need(length);
    return this.utf8(length, what);
  }
}

async function valueIn(walker: GgufWalker, key: string, type: number): Promise<GgufValue> {
  if (type === textType) {
    await walker.need(8);
    const length = walker.count(`the length of ${key}`, walker.section.size);
    if (length > longestText) {
      walker.skip(length);
      return { type: "string", length };
    }
    await walker.need(length);
    return walker.take(length, (view, at) => new TextDecoder().decode(new Uint8Array(view.buffer, at, length)));
  }
  if (type === listType) return listOf(walker, key);
  const scalar = scalars[type];
  if (!scalar) throw walker.fail(`${key}: a value of the type ${type}, expected 0 to 12`);
  await walker.need(scalar[1]);
  return walker.take(scalar[1], scalar[2]);
}

async function listOf(walker: GgufWalker, key: string): Promise<GgufValue> {
  await walker.need(4);
  const type = walker.uint32();
  await walker.need(8);
  const length = walker.count(`the length of ${key}`, walker.section.size);
  if (type === textType) {
    await walker.skipTexts(length);
    return { type: "string", length };
  }
  const scalar = scalars[type];
  if (!scalar) throw walker.fail(`${key}: a list of the type ${type}, expected one of numbers, switches or texts`);
  const [name, bytes, read] = scalar;
  if (length > longestList) {
    walker.skip(length * bytes);
    return { type: name, length };
  }
  await walker.need(length * bytes);
  return Array.from({ length }, () => walker.take(bytes, read));
}

/** Reads one of perhaps half a million, all of which is there, without waiting. */
function tensorOf(walker: GgufWalker): GgufTensor & { at: number } {
  const what = "the name of a tensor";
  const name = walker.utf8(walker.count(what, longestName), what);
  const axes = walker.uint32();
  if (axes > 4) throw walker.fail(`tensor ${name}: ${axes} axes, expected at most 4`);
  const shape: number[] = [];
  for (let axis = 0; axis < axes; ++axis) shape.unshift(walker.count(`an extent of ${name}`, 2 ** 53 - 1));
  const id = walker.uint32();
  const at = walker.count(`the place of ${name}`, walker.section.size);
  return { name, type: tensorTypes[id]?.[0] ?? `${id}`, shape, at };
}

/** The bytes of a tensor; undefined for a type that is not known. */
function bytesOf(walker: GgufWalker, { name, type, shape }: GgufTensor): number | undefined {
  const row = typesByName.get(type);
  if (!row) return undefined;
  const [, values, bytes] = row;
  const count = product(shape);
  if (!Number.isSafeInteger(count * bytes))
    throw walker.fail(`tensor ${name}: shape [${shape.join(", ")}] is too large`);
  const last = shape.at(-1) ?? 1;
  if (last % values !== 0) throw walker.fail(`tensor ${name}: ${last} values a row, expected a multiple of ${values}`);
  return (count / values) * bytes;
}

/** Reads a header, and checks that the file has every tensor that it lists. */
export async function ggufHeader(section: Section): Promise<GgufHeader> {
  const walker = new GgufWalker(section, mostHeader);
  const { name: file, size } = section;
  await walker.need(Math.min(size, 24));
  if (size < 24 || walker.uint32() !== 0x46554747) throw walker.fail("expected a GGUF file");
  const version = walker.uint32();
  if (version !== 0 && version % 2 ** 16 === 0)
    throw walker.fail("big-endian values, expected a little-endian GGUF file");
  if (version !== 2 && version !== 3) throw walker.fail(`GGUF version ${version}, expected 2 or 3`);
  const tensorCount = walker.count("the number of tensors", mostTensors);
  const keyCount = walker.count("the number of keys", mostKeys);
  const metadata = new Map<string, GgufValue>();
  for (let i = 0; i < keyCount; ++i) {
    const key = await walker.text("a key", longestKey);
    if (metadata.has(key)) throw walker.fail(`${key}: twice, expected each key once`);
    await walker.need(4);
    metadata.set(key, await valueIn(walker, key, walker.uint32()));
  }
  const tensors: (GgufTensor & { at: number })[] = [];
  const names = new Set<string>();
  for (let i = 0; i < tensorCount; ++i) {
    if (!walker.has(longestTensor)) await walker.need(Math.min(longestTensor, size - walker.place));
    const tensor = tensorOf(walker);
    if (names.has(tensor.name)) throw walker.fail(`tensor ${tensor.name}: twice, expected each name once`);
    names.add(tensor.name);
    tensors.push(tensor);
  }
  const alignment = metadata.get("general.alignment") ?? 32;
  if (typeof alignment !== "number" || !(alignment >= 1) || alignment > 2 ** 20 || alignment % 1 !== 0)
    throw walker.fail("general.alignment: expected a whole number from 1 to 2^20");
  const start = Math.ceil(walker.place / alignment) * alignment;
  for (const tensor of tensors) {
    if (tensor.at % alignment !== 0)
      throw walker.fail(`tensor ${tensor.name}: begins at ${tensor.at}, expected a multiple of ${alignment}`);
    tensor.at += start;
    const end = tensor.at + (bytesOf(walker, tensor) ?? 0);
    if (end > size) throw wrongFile(`${file}:${tensor.name}`, expected.file_truncated, { bytes: size, size: end });
  }
  return { version, metadata, tensors };
}

/** The tensors of a .gguf file. Those of quantised types are listed, and not read. */
export async function gguf(section: Section): Promise<Listed> {
  const { tensors } = await ggufHeader(section);
  const open = (at: number) => ggufArray(section, tensors[at] as GgufHeader["tensors"][number]);
  return { names: tensors.map(({ name }) => name), open };
}

export function ggufArray(section: Section, { name, type, shape, at }: GgufHeader["tensors"][number]) {
  const path = `${section.name}:${name}`;
  const dtype: StoredName | undefined = typeNamed(readTypes, type);
  return dtype === undefined
    ? otherType(path, type, readTypes)
    : new StoredArray(name, section, at, dtype, shape, path);
}
