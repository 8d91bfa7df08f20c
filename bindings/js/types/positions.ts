/**
 * Which positions to encode: give `length` (positions `offset`, `offset + 1`, … `offset + length - 1`)
 * or `positions` (any list: fractional, negative, in any order), not both.
 *
 * Positions are doubles. They are exact as long as |position × largest frequency| is at most 2^53 radians; beyond
 * that a RangeError is thrown.
 */
export interface Positions {
  /** How many consecutive positions, a whole number >= 0. */
  length?: number;
  /** The first of them; 0 by default. May be negative or fractional. */
  offset?: number;
  /** The positions themselves, one a row. */
  positions?: ArrayLike<number>;
}

/**
 * A list of positions, one for each index of the sequence axis; or, with its shape, [sequence] or [batch, sequence]:
 * then each row of the batch has a list of its own.
 */
export type PositionList = ArrayLike<number> | { data: ArrayLike<number>; shape: readonly number[] };

/** Which position each token has. */
export interface PositionOptions {
  /** Position of the first token; 0 by default. Give this or `positions`. */
  offset?: number;
  /** The position of each token: fractional and negative ones too, in any order. */
  positions?: PositionList;
}

/** Shape of an array, and where its axes stand: in any order, each counting from the end when negative. */
export interface TensorAxes {
  /** Row-major. Axes that are not named below are heads, or anything else that is rotated alike. */
  shape: readonly number[];
  /**
   * The sequence. By default -3, as in [..., seq, heads, dim]; for two axes, the one that is not `dimAxis`. Has no
   * default where `dimAxis` is not the last of three axes or more.
   */
  seqAxis?: number;
  /** The lanes of a head; the last axis by default. */
  dimAxis?: number;
  /** The batch, where positions are [batch, sequence]: its rows have lists of their own. Then 0 by default. */
  batchAxis?: number;
}
