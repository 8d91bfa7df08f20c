/**
 * How the exponent of a frequency grows with its index i, for an encoding of dim d:
 *
 * - `"paper"`: base^(-2i/d), as in "Attention Is All You Need" (2017), section 3.5.
 * - `"double-stepped"`: base^(-4i/d), what a loop prints that counts i = 0, 2, 4, … and then doubles it again. A
 *   widespread slip; here so that a port can be compared.
 */
export type Exponent = "paper" | "double-stepped";

/** The frequencies of an encoding. */
export interface FrequencyOptions {
  /** Lanes of the encoding, a whole number >= 1. There are ceil(dim / 2) frequencies. */
  dim: number;
  /** Base of the geometric progression (theta), any finite number > 0; 10000 by default. */
  base?: number;
  /** `"paper"` by default. */
  exponent?: Exponent;
}

/** Frequencies in radians a position, as doubles. */
export interface FrequencyList {
  data: Float64Array;
  /** [ceil(dim / 2)] */
  shape: number[];
  /** What cosines and sines are multiplied by, so that scores are multiplied by its square: 1 without scaling. */
  attentionFactor: number;
}
