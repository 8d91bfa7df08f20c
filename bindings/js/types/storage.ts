import type { OutOption } from "./out.js";
import type { Releasable } from "./releasable.js";
import type { Tensor } from "./tensor.js";

/** A Float16Array as an engine without them would see one. */
export interface Float16ArrayLike {
  /** Tells it from other typed arrays. */
  readonly [Symbol.toStringTag]: "Float16Array";
  /** The memory that it is a view of. */
  readonly buffer: ArrayBufferLike;
  /** Where in it the first value stands. */
  readonly byteOffset: number;
  /** How many values it has. */
  readonly length: number;
  [index: number]: number;
}

/** The Float16Array of engines that have it (2025 and later). */
export type Float16Data = typeof globalThis extends { Float16Array: { prototype: infer A } } ? A : Float16ArrayLike;

/**
 * A type of 16 bits: `"float16"` is IEEE 754's binary16, 11 significant bits up to 65504; `"bfloat16"` is the upper half
 * of a float32, 8 significant bits.
 */
export type HalfDType = "float16" | "bfloat16";

/** How values are kept. They are computed in float32 or better and rounded to this once, ties to even. */
export type DType = "float32" | HalfDType;

/**
 * The values of a type of 16 bits: a Float16Array for `"float16"` where the engine has one; in every other case the
 * bits, in a Uint16Array.
 */
export type HalfData<D extends HalfDType = HalfDType> = D extends "float16" ? Float16Data | Uint16Array : Uint16Array;

/** An array of 16-bit values with its shape, in row-major order. */
export interface HalfTensor<D extends HalfDType = HalfDType> {
  /** The values, or their bits. */
  data: HalfData<D>;
  /** Extents, the slowest axis first. */
  shape: number[];
  /** What the bits in a Uint16Array are. */
  dtype: D;
}

/** A tensor whose bits nothing but `dtype` explains: it may be left out of a Float32Array or a Float16Array. */
export type AnyTensor =
  | Tensor
  | HalfTensor
  | { data: Float32Array; shape: number[]; dtype?: "float32" }
  | { data: Float16Data; shape: number[]; dtype?: "float16" };

/** Which type of 16 bits the result is to have. */
export interface HalfOption<D extends HalfDType = HalfDType> {
  /** Without it a result is a Float32Array. */
  dtype: D;
}

/** That the result is to be a Float32Array, as without a dtype. */
export interface Float32Option {
  /** May be left out. */
  dtype?: "float32";
}

/** Conversions between storage types, in posenc/full. */
export interface Conversions {
  /**
   * The same values in another type, as a new tensor. From 16 bits to float32: exact. To 16 bits: the nearest, ties to
   * even; what rounds beyond the largest becomes infinite; NaN stays NaN.
   */
  convert(x: AnyTensor, dtype: "float32", options?: OutOption): Tensor;
  /** To a type of 16 bits: the nearest value, ties to even. */
  convert<D extends HalfDType>(x: AnyTensor, dtype: D, options?: OutOption<HalfData<D>>): HalfTensor<D>;
}

/**
 * Values of 16 bits in the library's own memory: what a FloatBuffer is for float32. Rotation takes a view of it, or of a
 * part, as it takes any array, and then copies nothing.
 */
export interface HalfBuffer<D extends HalfDType = HalfDType> extends Releasable {
  /** How many values it holds. */
  readonly length: number;
  /** Their type. */
  readonly dtype: D;
  /** As a tensor's: ask for it again after calls of the library. */
  readonly view: HalfData<D>;
}
