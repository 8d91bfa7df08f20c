// Values of 16 bits: what may come in, what goes out, and conversions.

import type { FullModule, Outcome } from "posenc-module";
import {
  options as checkOptions,
  shape as checkShape,
  product,
  text,
  typeOf,
  unwrap,
  wrongType,
  wrongValue,
} from "./check.js";
import { type Borrower, borrowFor, type Kind, type Loan, lendChanged, lendResult, lendResultOf } from "./memory.js";
import type { AnyTensor, DType, HalfData, HalfDType, HalfTensor, OutOption, Tensor } from "./types/index.js";

/** Values as the caller holds them, their bits, and the dtype that says what these mean. */
export type Stored =
  | { dtype: "float32"; data: Float32Array }
  | { dtype: HalfDType; data: ArrayLike<number>; bits: Uint16Array };

/** The dtype of a result. Which names there are is for the core to say. */
export function dtypeIfGiven(value: unknown): DType {
  return value === undefined ? "float32" : (text("dtype", value) as DType);
}

/** Bits in a Uint16Array have any type of 16 bits; other arrays have their own, which may be said again. */
export function stored(argument: string, data: unknown, dtype: unknown): Stored {
  const kind = typeOf(data);
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

/** How bits are handed out: as the caller's array has them, else in a Float16Array where there is one for them. */
export function kindOf(dtype: HalfDType, given?: string): Kind<Uint16Array> {
  const { Float16Array } = globalThis as { Float16Array?: Kind<Uint16Array> };
  return (dtype === "float16" && given !== "Uint16Array" && Float16Array) || Uint16Array;
}

/** A result of this dtype and shape, which `write` fills; `what` names its size when there is no memory for it. */
export function resultOf(
  memory: Borrower,
  dtype: DType,
  shape: number[],
  what: string,
  write: (address: number, length: number) => Outcome,
): Tensor | HalfTensor {
  const [result] = resultsOf(memory, dtype, [shape], what, ([out]) => write(out?.address ?? 0, out?.length ?? 0));
  return result as Tensor | HalfTensor;
}

/** Several of them, which are written together; `names` are those of the arrays they go to. */
export function resultsOf(
  memory: Borrower,
  dtype: DType,
  shapes: number[][],
  what: string,
  write: (out: Loan[]) => Outcome,
  names: readonly string[] = ["out"],
): (Tensor | HalfTensor)[] {
  const results = shapes.map((shape, i) => {
    const name = names[i] as string;
    if (dtype === "float32") return lendResult(memory, shape, what, name);
    return lendResultOf(kindOf(dtype, memory.outType(name)), memory, shape, what, name);
  });
  unwrap(write(results));
  return results.map((result) => {
    const made = result.taken();
    return (dtype === "float32" ? made : { ...made, dtype }) as Tensor | HalfTensor;
  });
}

export function convert(
  module: FullModule,
  x: AnyTensor,
  to: unknown,
  options: OutOption<Float32Array | HalfData> = {},
): Tensor | HalfTensor {
  options = checkOptions(options, ["out"], "convert");
  if (typeof x !== "object" || x === null) throw wrongType("x", x, "a tensor { data, shape, dtype }");
  const from = stored("x.data", x.data, (x as { dtype?: unknown }).dtype);
  const shape = checkShape("x.shape", x.shape);
  const { length } = from.data;
  if (length !== product(shape)) {
    throw wrongValue("x.data", length, `${product(shape)} values for shape [${shape.join(", ")}]`);
  }
  const dtype = text("dtype", to) as DType;
  return borrowFor(module, options.out, (memory) => {
    /** The values as float32, at the place given where they are not yet. */
    const widened = (place: () => Loan): number => {
      if (from.dtype === "float32") return memory.inPlace(Float32Array, from.data, "x").address;
      const { address } = place();
      const { address: bits } = memory.inPlace(Uint16Array, from.bits, "x");
      unwrap(module.storedConvert(from.dtype, true, bits, address, length));
      return address;
    };
    if (dtype !== "float32") {
      const wide = widened(() => memory.floats(length, "x"));
      return resultOf(memory, dtype, shape, "x", (out) => module.storedConvert(dtype, false, wide, out, length));
    }
    if (from.dtype === "float32") return lendChanged(memory, from.data, shape, "x").taken();
    const wide = lendResult(memory, shape, "x");
    widened(() => wide);
    return wide.taken();
  });
}
