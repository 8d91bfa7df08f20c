import type { DType } from "./base.js";
import type { Layout, RotaryOptions } from "./rotary.js";

/**
 * Names the code whose steps, for activations of a dtype, which inputs and outputs are rounded to:
 *
 * - `"exact"`: this library's: exact angles, float32 cosines and sines, rotation in float32.
 * - `"transformers"`: Hugging Face transformers 4 and 5: float32 powers, positions, angles, cosines and sines; these are
 *   rounded to the dtype, in which the rotation is computed. Powers, cosines and sines within 1 ulp.
 * - `"ggml"`: float32 throughout; the angle of a pair is the one before it times base^(-2/d). The same ulps.
 */
export type ArithmeticPreset = "exact" | "transformers" | "ggml";

/** Options of a rotary; its layout, which changes no bound, may be missing. */
export type CertifiedPlan = Omit<RotaryOptions, "layout"> & { layout?: Layout };

/** One value for each quantity. */
export interface Certified<T> {
  /** A position times a frequency, in radians. */
  angle: T;
  /** A cosine or sine, times the attention factor. */
  cosine: T;
  /** A dimension of a rotated pair of Euclidean norm 1. Of a pair of dimensions up to x: that times √2 x. */
  dimension: T;
  /** scale · q·k, q and k being rotated at any two of the positions. */
  score: T;
}

/** The positions, the arithmetic and the heads of a certificate. */
export interface CertifyOptions {
  /** Positions 0 … length - 1. It is the plan's length too, where that has none. */
  length: number;
  /** Has no default. */
  arithmetic: ArithmeticPreset;
  /** The type of activations, to which it rounds; `"float32"` by default. */
  dtype?: DType;
  /** The Euclidean norm of the query before it is rotated. */
  queryNorm?: number;
  /** The key's. */
  keyNorm?: number;
  /** The factor of scores; 1 / √dim by default. */
  scale?: number;
  /** Numbers >= 0; `from` is the first position at which a bound is greater. */
  exceeds?: Partial<Certified<number>>;
}

/** An upper bound of an error, over all pairs and positions. */
export interface CertifiedBound {
  /** The bound that no error exceeds. */
  bound: number;
  /** The index of the pair that may reach it. */
  pair: number;
  /** The first position at which it is greater than what `exceeds` gives; missing where none is. */
  from?: number;
}

/** Bounds of all quantities. */
export type Certificate = Certified<CertifiedBound>;

/** Bounds of the layers of a model that have one plan and one scale of scores. */
export interface ModelCertificate extends Certificate {
  /** The index of the plan. */
  plan: number;
  /** `"0-4, 6"`; empty where the config does not have their number. */
  layers: string;
}
