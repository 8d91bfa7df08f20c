import type { OutOption } from "./out.js";
import type { ScalingOptions } from "./scaling.js";
/**
 * How the exponent of a frequency grows with its index i, for an encoding of dim d:
 *
 * - `"paper"`: base^(-2i/d), as in "Attention Is All You Need" (2017), section 3.5.
 * - `"double-stepped"`: base^(-4i/d), what a loop prints that counts i = 0, 2, 4, … and then doubles it again. A
 *   widespread slip; here so that a port can be compared.
 * - `"half"`: base^(-i/(h - shift)) with h = floor(d / 2): i/h as in ggml, i/(h - 1) as in tensor2tensor and Whisper,
 *   either in diffusers.
 */
export type Exponent = "paper" | "double-stepped" | "half";

/** The frequencies of an encoding. */
export interface FrequencyOptions {
  /** Lanes of the encoding, a whole number >= 1. There are ceil(dim / 2) frequencies, floor(dim / 2) for `"half"`. */
  dim: number;
  /** Base of the geometric progression (theta), any finite number > 0; 10000 by default. */
  base?: number;
  /** `"paper"` by default. */
  exponent?: Exponent;
  /**
   * Of the exponent `"half"`, 0 by default; 1 makes the last frequency 1 / base. At most 2^53, and not floor(dim / 2),
   * which would divide by zero.
   */
  shift?: number;
  /** What every frequency is multiplied by; 1 by default. */
  scale?: number;
}

/** The options of `frequencies`. */
export interface FrequencyListOptions extends FrequencyOptions, ScalingOptions, OutOption<Float64Array> {}

/** Frequencies in radians a position, as doubles. */
export interface FrequencyList {
  /** Radians a position, one for each index i. */
  data: Float64Array;
  /** [ceil(dim / 2)] */
  shape: number[];
  /** What cosines and sines are multiplied by, so that scores are multiplied by its square: 1 without scaling. */
  attentionFactor: number;
}
