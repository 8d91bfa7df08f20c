/**
 * Inverted dropout: an element becomes 0 with probability p and is divided by 1 - p otherwise. Whether element i is
 * dropped depends on seed and i alone (word i mod 4 of Philox4x32-10 at counter i / 4, key seed, is below 2³² p), on
 * every machine. The gradient of what went in is the same dropout of the gradient of what came out.
 */
export interface Dropout {
  /** 0 … 1 */
  p: number;
  /** A whole number from 0 to 2^53 - 1. It has no default; without training it may be left out. */
  seed?: number;
  /** i of the first element, for a slice of something longer; 0 by default. */
  offset?: number;
  /** `false`, evaluation: everything stays as it is. `true` by default. */
  training?: boolean;
}
