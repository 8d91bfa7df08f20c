import type { Float16Data } from "./base.js";

/**
 * An array as a .npy file has it, in row-major order; `dtype` says which of NumPy's types it is. That of dtype
 * `"float32"` is a Tensor.
 */
export type NpyArray =
  | { data: Float32Array; shape: number[]; dtype: "float32" }
  | { data: Float64Array; shape: number[]; dtype: "float64" }
  | { data: Int32Array; shape: number[]; dtype: "int32" }
  | { data: Uint16Array; shape: number[]; dtype: "uint16" }
  | { data: Float16Data | Uint16Array; shape: number[]; dtype: "float16" };

/** The types of NumPy's that are written and read. */
export type NpyDType = NpyArray["dtype"];

/**
 * What can be written: a tensor from any function of the library. The array tells its dtype, but for a Uint16Array:
 * `"float16"` says that it holds the bits of such values, `"uint16"` that it holds whole numbers.
 */
export type NpySource =
  | NpyArray
  | { data: Float32Array | Float64Array | Int32Array | Float16Data; shape: readonly number[]; dtype?: undefined };
