// Values of 16 bits beside those of float32, as they come in: in which arrays, and of which dtype.

import type { AnyTensor, DType, HalfData, HalfDType } from "../types/index.js";
import { has, text, wrongType } from "./check.js";
import * as expected from "./expected.js";
import { isTensor, type Kind, optional, shapeOf, withShape, word } from "./kinds.js";
import { type ArrayOf, typeOf, type Values, type View, viewOf } from "./view.js";

/** The name of a dtype, which the core checks. */
export const dtypeOption: Kind<DType | undefined, string | undefined> = optional(word());

/** The caller's values, and their type. */
type ReadStored = View<Float32Array | Uint16Array>;

/** The type of an array; in an engine without Float16Array, one that a library has made says itself that it is one. */
export function typeOfStored(value: unknown): string | undefined {
  const type = typeOf(value);
  const isStub = type === "Uint16Array" && (value as Uint16Array)[Symbol.toStringTag] === ("Float16Array" as string);
  return isStub ? "Float16Array" : type;
}

/** Values of any dtype. */
const stored = (isChanged: boolean): Kind<Float32Array | HalfData, ReadStored> => ({
  is: "stored",
  read(argument, value) {
    const type = typeOfStored(value);
    if (type !== "Float32Array" && type !== "Float16Array" && type !== "Uint16Array") {
      throw wrongType(argument, value, expected.type, {
        article: "a",
        type: "Float32Array, Float16Array or Uint16Array",
      });
    }
    const view = viewOf(argument, value as Float32Array | Uint16Array);
    view.type = type;
    return view;
  },
  write(block, read, argument) {
    const view = read as ReadStored;
    block.array(view.type === "Float32Array" ? Float32Array : Uint16Array, view, argument, isChanged);
    block.text(view.dtype);
  },
});

/** Values of any dtype that a call changes in place. */
export const changedStored = stored(true);

/** Bits in a Uint16Array have any type of 16 bits; other arrays have their own, which may be named again. */
export function dtypeOf(argument: string, { type }: { type: string }, named: unknown): string {
  if (type === "Uint16Array") {
    if (named !== undefined && named !== "float32") return text("dtype", named);
    throw wrongType("dtype", named, expected.bits, { of: argument });
  }
  const own = type === "Float32Array" ? "float32" : "float16";
  if (named !== undefined && named !== own)
    throw wrongType("dtype", named, expected.exactly, { value: `"${own}"` }, `, or nothing beside a ${type}`);
  return own;
}

export const is16 = (dtype: string | undefined): dtype is HalfDType => dtype !== undefined && dtype !== "float32";

/** How bits are handed out: as the caller's array has them, else in a Float16Array where there is one for them. */
export function arrayFor(dtype: HalfDType, given?: string): ArrayOf<Values> {
  const { Float16Array } = globalThis as { Float16Array?: ArrayOf<Uint16Array> };
  return (dtype === "float16" && given !== "Uint16Array" && Float16Array) || Uint16Array;
}

/** The dtype that a tensor names; those of ONNX Runtime and transformers.js call it `type`. */
export const dtypeNamed = (of: object): unknown =>
  has(of, "dtype") ? of.dtype : has(of, "dims") && has(of, "type") ? of.type : undefined;

/** A tensor of any dtype. */
export const storedTensor: Kind<AnyTensor, ReadStored> = {
  is: "storedTensor",
  read(argument, value) {
    if (!isTensor(value)) throw wrongType(argument, value, expected.typed_tensor);
    const read = changedStored.read(`${argument}.data`, value.data);
    read.dtype = dtypeOf(`${argument}.data`, read, dtypeNamed(value));
    return withShape(argument, read, shapeOf(argument, value));
  },
  write(block, read, argument) {
    stored(false).write(block, read, argument);
    block.list(read?.shape ?? []);
  },
};
