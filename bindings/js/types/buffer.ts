import type { Releasable } from "./releasable.js";
/**
 * float32 values in the library's own memory. What is rotated there, or made there (`out`), is not copied in and out,
 * which takes longer than many a computation.
 */
export interface FloatBuffer extends Releasable {
  /** How many values it holds. */
  readonly length: number;
  /**
   * The values, for reading and writing. Ask for it again after calls of the library: when its memory grows, older views
   * become empty. A part of it (`view.subarray`) is a view too.
   */
  readonly view: Float32Array;
}
