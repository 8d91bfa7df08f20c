/** Where a result is to be written, so that nothing is allocated for it, not even in a loop. */
export interface OutOption<T = Float32Array> {
  /**
   * An array of exactly the result's size, which becomes the result's `data`; where there are several results, an array
   * for each or for some of them. What is a view of a `buffer` is not copied. It must not overlap what goes in, nor
   * another result: a RangeError, as for a wrong size. Nothing of it changes when an error is thrown.
   */
  out?: T;
}

/** An array for each of several results, or for some of them. */
export type Outs<Names extends string, T = Float32Array> = { [name in Names]?: T };

/** For ids. */
export type IdsOut = OutOption<Int32Array>;
