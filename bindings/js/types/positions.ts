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
