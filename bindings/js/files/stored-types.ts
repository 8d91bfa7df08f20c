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

/** A kind of typed array. */
interface ArrayOf<Values> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer): Values;
}

const whole = (Of: ArrayOf<ArrayLike<number>>): StoredType => ({
  bytes: Of.BYTES_PER_ELEMENT,
  values: (buffer) => Float64Array.from(new Of(buffer)),
});

const large = (Of: ArrayOf<ArrayLike<bigint>>): StoredType => ({
  bytes: 8,
  values(buffer, name) {
    const given = new Of(buffer);
    const numbers = new Float64Array(given.length);
    for (let i = 0; i < numbers.length; ++i) {
      numbers[i] = Number(given[i]);
      if (!Number.isSafeInteger(numbers[i])) throw wrongFile(name, `${given[i]}, expected whole numbers below 2^53`);
    }
    return numbers;
  },
});

const floats = (Of: ArrayOf<FileValues["data"]>, dtype: NonNullable<FileValues["dtype"]>): StoredType => ({
  bytes: Of.BYTES_PER_ELEMENT,
  values: (buffer) => new Of(buffer),
  dtype,
});

const float64 = floats(Float64Array, "float64");
const float32 = floats(Float32Array, "float32");

/** The types that are read, by their names here; of complex ones the parts. */
export const storedTypes = {
  float64,
  float32,
  complex128: float64,
  complex64: float32,
  float16: floats(Uint16Array, "float16"),
  bfloat16: floats(Uint16Array, "bfloat16"),
  int64: large(BigInt64Array),
  uint64: large(BigUint64Array),
  int32: whole(Int32Array),
  uint32: whole(Uint32Array),
  int16: whole(Int16Array),
  uint16: whole(Uint16Array),
  int8: whole(Int8Array),
  uint8: whole(Uint8Array),
  bool: whole(Uint8Array),
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

/** Whether a value is what an extent or a place in a file may be. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** How many bytes an array has. */
export function bytesOf(file: string, dtype: StoredName, shape: readonly number[]): number {
  const count = product(partsOf(dtype, shape)) * storedTypes[dtype].bytes;
  if (Number.isSafeInteger(count)) return count;
  throw wrongFile(file, `shape [${shape.join(", ")}] is too large, expected fewer than 2^53 bytes`);
}
