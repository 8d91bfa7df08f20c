// Values of 16 bits: what may come in, what goes out, and conversions.

import type { FullModule, Outcome } from "posenc-module";
import { addressInside } from "./buffer.js";
import { shape as checkShape, product, text, unwrap, wrongType, wrongValue } from "./check.js";
import { type Borrower, borrow } from "./memory.js";
import type { AnyTensor, HalfDType, HalfTensor, Tensor } from "./types/index.js";

type Float16Constructor = new (buffer: ArrayBufferLike, offset?: number, length?: number) => Uint16Array;

/** Values as the caller holds them, their bits, and the dtype that says what these mean. */
export type Stored =
  | { dtype: "float32"; data: Float32Array }
  | { dtype: HalfDType; data: ArrayLike<number>; bits: Uint16Array };

/** The dtype of a result. Which names there are is for the core to say. */
export function dtypeIfGiven(value: unknown): "float32" | HalfDType {
  return value === undefined ? "float32" : (text("dtype", value) as HalfDType);
}

/** Bits in a Uint16Array have any type of 16 bits; other arrays have their own, which may be said again. */
export function stored(argument: string, data: unknown, dtype: unknown): Stored {
  const kind = (data as Uint16Array | null | undefined)?.[Symbol.toStringTag] as string | undefined;
  if (kind === "Uint16Array") {
    if (dtype === undefined || dtype === "float32") {
      throw wrongType("dtype", dtype, `the type of the bits in ${argument}, a Uint16Array`);
    }
    const named = text("dtype", dtype) as HalfDType;
    return { dtype: named, data: data as Uint16Array, bits: data as Uint16Array };
  }
  if (kind !== "Float32Array" && kind !== "Float16Array") {
    throw wrongType(argument, data, "a Float32Array, Float16Array or Uint16Array");
  }
  const own = kind === "Float32Array" ? "float32" : "float16";
  if (dtype !== undefined && dtype !== own) throw wrongType("dtype", dtype, `"${own}", or nothing beside a ${kind}`);
  if (own === "float32") return { dtype: own, data: data as Float32Array };
  const { buffer, byteOffset, length } = data as Uint16Array;
  return { dtype: own, data: data as Uint16Array, bits: new Uint16Array(buffer, byteOffset, length) };
}

/** Bits as the caller is to get them. */
export function halfData(dtype: string, bits: Uint16Array): Uint16Array {
  const { Float16Array } = globalThis as { Float16Array?: Float16Constructor };
  const { buffer, byteOffset, length } = bits;
  return dtype === "float16" && Float16Array ? new Float16Array(buffer, byteOffset, length) : bits;
}

/** A result of this dtype and shape, which `write` fills; `what` names its size when there is no memory for it. */
export function resultOf(
  memory: Borrower,
  dtype: "float32" | HalfDType,
  shape: number[],
  what: string,
  write: (address: number, length: number) => Outcome,
): Tensor | HalfTensor {
  const [result] = resultsOf(memory, dtype, [shape], what, ([out]) => write(out?.address ?? 0, out?.length ?? 0));
  return result as Tensor | HalfTensor;
}

/** Several of them, which are written together. */
export function resultsOf(
  memory: Borrower,
  dtype: "float32" | HalfDType,
  shapes: number[][],
  what: string,
  write: (out: { address: number; length: number }[]) => Outcome,
): (Tensor | HalfTensor)[] {
  const isFloat32 = dtype === "float32";
  const loans = shapes.map((shape) => (isFloat32 ? memory.floats : memory.halves).call(memory, product(shape), what));
  unwrap(write(loans));
  return loans.map((loan, i) => {
    const shape = shapes[i] as number[];
    if (isFloat32) return { data: memory.viewFloats(loan).slice(), shape };
    return { data: halfData(dtype, memory.viewHalves(loan).slice()), shape, dtype } as HalfTensor;
  });
}

export function convert(module: FullModule, x: AnyTensor, to: unknown): Tensor | HalfTensor {
  if (typeof x !== "object" || x === null) throw wrongType("x", x, "a tensor { data, shape, dtype }");
  const from = stored("x.data", x.data, (x as { dtype?: unknown }).dtype);
  const shape = checkShape("x.shape", x.shape);
  const { length } = from.data;
  if (length !== product(shape)) {
    throw wrongValue("x.data", length, `${product(shape)} values for shape [${shape.join(", ")}]`);
  }
  const dtype = text("dtype", to) as "float32" | HalfDType;
  return borrow(module, (memory) => {
    let wide = 0;
    if (from.dtype === "float32") {
      wide = memory.floatsInPlace(from.data, "x").address;
    } else {
      const bits = addressInside(module, "x", from.bits) ?? memory.halvesFrom(from.bits, "x").address;
      wide = memory.floats(length, "x").address;
      unwrap(module.storedConvert(from.dtype, true, bits, wide, length));
    }
    if (dtype !== "float32") {
      return resultOf(memory, dtype, shape, "x", (out) => module.storedConvert(dtype, false, wide, out, length));
    }
    return { data: memory.viewFloats({ address: wide, length }).slice(), shape };
  });
}
