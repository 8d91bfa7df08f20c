// Results of 16 bits beside those of float32, conversions and buffers.

import type { DType, FloatBuffer, HalfBuffer, HalfDType } from "../types/index.js";
import { ModuleBuffer, buffer as singleBuffer } from "./buffer.js";
import { define, inputsFirst, type Size } from "./call.js";
import { named as namedWord } from "./kinds.js";
import type { Module } from "./module.js";
import { arrayFor, dtypeOption, is16, storedTensor } from "./stored.js";
import type { ArrayOf } from "./view.js";

/** The size of a result of this dtype. */
export const sizeOf = (dtype: string | undefined, shape: readonly number[], what: string): Size =>
  is16(dtype) ? { shape, what, kindFor: (given) => arrayFor(dtype, given) } : { shape, what };

/** A result of this dtype, which names it where its type does not. */
export const named = <Of extends object>(result: Of, dtype: string | undefined): Of =>
  is16(dtype) ? { ...result, dtype } : result;

export const convert = inputsFirst(
  { name: "convert", inputs: { x: storedTensor, dtype: namedWord }, results: Float32Array },
  ({ x, dtype }) => sizeOf(dtype, x.shape, "x"),
  (made, { dtype }) => named(made, dtype),
);

class ModuleHalfBuffer extends ModuleBuffer<Uint16Array> implements HalfBuffer {
  readonly dtype: HalfDType;

  constructor(module: Module, length: number, dtype: HalfDType) {
    super(module, length, arrayFor(dtype) as ArrayOf<Uint16Array>);
    this.dtype = dtype;
  }
}

export const bufferOptions = define(
  { name: "bufferOptions", where: "buffer", options: { dtype: dtypeOption } },
  () => {},
  (_, { dtype }) => dtype,
);

/** The full entry's: with a choice of dtype. */
export function buffer(module: Module, length: number, options: { dtype?: DType } = {}): FloatBuffer | HalfBuffer {
  const dtype = bufferOptions(module, options);
  return is16(dtype) ? new ModuleHalfBuffer(module, length, dtype) : singleBuffer(module, length);
}
