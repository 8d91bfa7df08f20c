import { product } from "../base/check.js";
import type { FileValues } from "../types/files.js";
import { wrongFile } from "./section.js";

/** How values of a type are laid out in a file, little-endian. */
interface StoredType {
  readonly bytes: number;
  /** Makes values of their bytes; `name` is the array's. */
  values(buffer: ArrayBuffer, name: string): FileValues["data"];
  /** The values' type; whole numbers have no precision. */
  readonly dtype?: NonNullable<FileValues["dtype"]>;
}

const whole = (bytes: number, of: (buffer: ArrayBuffer) => ArrayLike<number>): StoredType => ({
  bytes,
  values: (buffer) => Float64Array.from(of(buffer)),
});

const large = (of: (buffer: ArrayBuffer) => ArrayLike<bigint>): StoredType => ({
  bytes: 8,
  values(buffer, name) {
    const given = of(buffer);
    const numbers = new Float64Array(given.length);
    for (let i = 0; i < numbers.length; ++i) {
      const number = Number(given[i]);
      if (!Number.isSafeInteger(number)) throw wrongFile(name, `${given[i]}, expected whole numbers below 2^53`);
      numbers[i] = number;
    }
    return numbers;
  },
});

const bits = (dtype: "float16" | "bfloat16"): StoredType => ({
  bytes: 2,
  values: (buffer) => new Uint16Array(buffer),
  dtype,
});

const float64: StoredType = { bytes: 8, values: (buffer) => new Float64Array(buffer), dtype: "float64" };
const float32: StoredType = { bytes: 4, values: (buffer) => new Float32Array(buffer), dtype: "float32" };

/** The types that are read, by their names here; of complex ones the parts. */
export const storedTypes = {
  float64,
  float32,
  complex128: float64,
  complex64: float32,
  float16: bits("float16"),
  bfloat16: bits("bfloat16"),
  int64: large((buffer) => new BigInt64Array(buffer)),
  uint64: large((buffer) => new BigUint64Array(buffer)),
  int32: whole(4, (buffer) => new Int32Array(buffer)),
  uint32: whole(4, (buffer) => new Uint32Array(buffer)),
  int16: whole(2, (buffer) => new Int16Array(buffer)),
  uint16: whole(2, (buffer) => new Uint16Array(buffer)),
  int8: whole(1, (buffer) => new Int8Array(buffer)),
  uint8: whole(1, (buffer) => new Uint8Array(buffer)),
  bool: whole(1, (buffer) => new Uint8Array(buffer)),
} as const satisfies { readonly [dtype: string]: StoredType };

export type StoredName = keyof typeof storedTypes;

/** A format's names of types, and the types here. */
export type TypeNames = { readonly [name: string]: StoredName };

export const typeNamed = (names: TypeNames, name: string): StoredName | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined;

/** A type that is not read. */
export const otherType = (file: string, type: string, names: TypeNames): RangeError =>
  wrongFile(file, `values of the type ${type}, expected one of ${Object.keys(names).join(", ")}`);

/** The shape of the numbers themselves: complex ones are two. */
export const partsOf = (dtype: StoredName, shape: readonly number[]): number[] =>
  dtype.startsWith("complex") ? [...shape, 2] : [...shape];

/** How many bytes an array has. */
export function bytesOf(file: string, dtype: StoredName, shape: readonly number[]): number {
  const count = product(partsOf(dtype, shape)) * storedTypes[dtype].bytes;
  if (Number.isSafeInteger(count)) return count;
  throw wrongFile(file, `shape [${shape.join(", ")}] is too large, expected fewer than 2^53 bytes`);
}
