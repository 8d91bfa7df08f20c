import type { OutOption } from "./out.js";
import type { Positions } from "./positions.js";
import type { ApplyOptions, Rotary, RotaryOuts } from "./rotary.js";
import type { CacheForm } from "./rotary-cache.js";
import type { Float16Data, Float32Option, HalfData, HalfDType, HalfOption, HalfTensor } from "./storage.js";
import type { Tensor } from "./tensor.js";

/** Two arrays, or with the form `"ggml"` one for both. */
export type HalfRotaryCache<F extends CacheForm, D extends HalfDType> = F extends "ggml"
  ? { cosSin: HalfTensor<D> }
  : { cos: HalfTensor<D>; sin: HalfTensor<D> };

/** The rotary of posenc/full: values of 16 bits too. */
export interface StoredRotary extends Rotary {
  /** As in `Rotary`. */
  apply(x: Float32Array, options: ApplyOptions & Float32Option): Float32Array;
  /**
   * Rotates values of 16 bits in place and returns them: in float32, by the float32 cosines and sines, rounded to their
   * type once. The bits in a Uint16Array need their `dtype`.
   */
  apply<X extends Float16Data>(x: X, options: ApplyOptions & { dtype?: "float16" }): X;
  /** The bits of either type. */
  apply(x: Uint16Array, options: ApplyOptions & HalfOption): Uint16Array;
  /** For code that leaves the type open. */
  apply<D extends HalfDType>(x: HalfData<D>, options: ApplyOptions & HalfOption<D>): HalfData<D>;
  /** As in `Rotary`. */
  cache(positions: Positions & OutOption<RotaryOuts> & Float32Option): { cos: Tensor; sin: Tensor };
  /** Cosines and sines, times the attention factor, rounded from double to this type, once. */
  cache<D extends HalfDType>(
    positions: Positions & OutOption<RotaryOuts<HalfData<D>>> & HalfOption<D>,
  ): { cos: HalfTensor<D>; sin: HalfTensor<D> };
}
