import { quoted } from "../base/check.js";
import * as expected from "../base/expected.js";
import { entriesOf, headerOf, longest } from "../npy/header.js";
import type { FileArray } from "../types/files.js";
import { StoredArray } from "./file-array.js";
import { type Section, wrongFile } from "./section.js";
import { bytesOf, otherType, type TypeNames, typeNamed } from "./stored-types.js";

/** NumPy's names of types, and ours. */
const types: TypeNames = {
  "<f8": "float64",
  "<f4": "float32",
  "<f2": "float16",
  "<c16": "complex128",
  "<c8": "complex64",
  "<i8": "int64",
  "<u8": "uint64",
  "<i4": "int32",
  "<u4": "uint32",
  "<i2": "int16",
  "<u2": "uint16",
  "|i1": "int8",
  "|u1": "uint8",
  "|b1": "bool",
};

/** The most bytes that a header and its prefix can have. */
export const longestHeader = longest + 12;

async function headerIn({ name, size, read }: Section) {
  const bytes = new Uint8Array(await read(0, Math.min(size, longestHeader)));
  try {
    const { header, start, isOld } = headerOf(bytes);
    return { start, ...entriesOf(header, isOld) };
  } catch (error) {
    if (error instanceof RangeError) throw wrongFile(name, error.message);
    throw error;
  }
}

/** The array of a .npy file; an error as a value if its values are not read. */
export async function npyArray(name: string, section: Section): Promise<FileArray | RangeError> {
  const { name: file, size } = section;
  const { start, descr, order, shape } = await headerIn(section);
  if (descr.startsWith(">")) {
    const remedy = "save array.astype(array.dtype.newbyteorder('<'))";
    return wrongFile(file, `big-endian values, expected little-endian ones: ${remedy}`);
  }
  const dtype = typeNamed(types, descr);
  if (dtype === undefined) return otherType(file, quoted(descr), types);
  if (order && shape.length > 1) {
    const expected = "expected row-major: save numpy.ascontiguousarray(array)";
    return wrongFile(file, `column-major order (fortran_order), ${expected}`);
  }
  const end = start + bytesOf(file, dtype, shape);
  if (end > size) throw wrongFile(file, expected.file_truncated, { bytes: size, size: end });
  if (end < size) throw wrongFile(file, expected.file_size, { bytes: size, size: end, shape: `[${shape.join(", ")}]` });
  return new StoredArray(name, section, start, dtype, shape);
}
