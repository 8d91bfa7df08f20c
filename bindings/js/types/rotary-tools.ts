import type { ConvertLayoutOptions } from "./layout-conversion.js";
import type { LinearAttentionOptions } from "./linear-attention.js";
import type { IdsOut } from "./out.js";
import type { AttentionMask, MaskPositionsOptions } from "./packed-positions.js";
import type { Ids } from "./relative.js";
import type { CacheForm, CacheOut, RotaryCache, RotaryCacheOptions, RotateWithCacheOptions } from "./rotary-cache.js";
import type { RotaryMatrixOptions, RotateAgainOptions, ShiftRotatedOptions } from "./rotary-shift.js";
import type { Float32Option, HalfData, HalfDType, HalfOption } from "./storage.js";
import type { HalfRotaryCache } from "./stored-rotary.js";
import type { Tensor } from "./tensor.js";
import type { Xpos, XposOptions } from "./xpos.js";

/** What goes with rotary position embeddings, in posenc/full. */
export interface RotaryTools {
  /**
   * The cosines and sines by which `rotary.apply` rotates, in the form that an implementation reads. Positions [batch,
   * sequence] put the batch in front of the shape.
   */
  rotaryCache<F extends CacheForm>(options: RotaryCacheOptions<F> & CacheOut<F> & Float32Option): RotaryCache<F>;
  /** The same rounded from double to a type of 16 bits, once, the attention factor included. */
  rotaryCache<F extends CacheForm, D extends HalfDType>(
    options: RotaryCacheOptions<F> & CacheOut<F, HalfData<D>> & HalfOption<D>,
  ): HalfRotaryCache<F, D>;
  /**
   * Rotates `x` in place by a cache of cosines and sines that came from elsewhere, and returns it. In the forms that
   * hold every number twice both must agree: a cache of another form is a RangeError and not a wrong result.
   */
  rotateWithCache(x: Float32Array, options: RotateWithCacheOptions): Float32Array;
  /**
   * Moves keys that `rotary.apply` has rotated at positions p to p + by, in place, and returns them: what a cache needs
   * when its first entries are dropped. An attention factor in them stays there, once.
   */
  shiftRotated(x: Float32Array, options: ShiftRotatedOptions): Float32Array;
  /**
   * Takes keys that `from` has rotated to what `to` would have made of them, in place, and returns them: for a cache that
   * outlives its frequencies, as with the rules "dynamic" and "longrope". One rotation, by the exact difference.
   */
  rotateAgain(x: Float32Array, options: RotateAgainOptions): Float32Array;
  /** The matrix R [dim, dim] by which a head is multiplied at a position: R · x is what `apply` makes of x. */
  rotaryMatrix(options: RotaryMatrixOptions): Tensor;
  /**
   * Queries, keys, or the weight or bias of W_q or W_k with each head's lanes where another layout has them: a new
   * tensor, exact. A model with both converted gives the same scores in the other layout; from `"interleaved"` to
   * `"half"` is what Hugging Face's conversion of Llama checkpoints does.
   */
  convertLayout(x: Tensor, options: ConvertLayoutOptions): Tensor;
  /**
   * Positions of packed sequences, each from 0, as int32 [tokens]; `boundaries` are the cumulative lengths (cu_seqlens),
   * 0 first: [0, 3, 5] gives 0 1 2 0 1.
   */
  packedPositions(boundaries: ArrayLike<number>, options?: IdsOut): Ids;
  /** Positions from an attention mask, of its shape: how many tokens come before each token in its row. */
  maskPositions(mask: AttentionMask, options?: MaskPositionsOptions): Ids;
  /**
   * Linear attention with rotated features (Su et al. 2021, "RoFormer", section 3.3), [queries, dv] or [heads, queries,
   * dv]: Σ (R f(q)) · (R f(k)) v / Σ f(q) · f(k), f(x) = elu(x) + 1. The denominator is not rotated. Time and memory grow
   * with queries + keys.
   */
  linearAttention(options: LinearAttentionOptions): Tensor;
  /** Rotary embedding with scales that make scores fall with distance. */
  xpos(options: XposOptions): Xpos;
}
