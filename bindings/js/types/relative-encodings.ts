import type { AlibiOptions, AlibiSlopesOptions } from "./alibi.js";
import type { AttentionResult } from "./attention.js";
import type { CopeOptions } from "./cope.js";
import type { FireOptions } from "./fire.js";
import type { KerpleOptions } from "./kerple.js";
import type { OutOption } from "./out.js";
import type { ExpandIdsOptions, ExpandOptions, Ids, IdsOptions, RelativeSinusoidalOptions } from "./relative.js";
import type { SandwichOptions } from "./sandwich.js";
import type { ShawAttentionOptions, ShawBackwardOptions, ShawGradients, ShawIdsOptions } from "./shaw.js";
import type { SwinBiasOptions, SwinIndexOptions, SwinLogCoordinatesOptions, SwinLogCpbOptions } from "./swin.js";
import type { T5BucketOptions, T5Options } from "./t5.js";
import type { Tensor } from "./tensor.js";
import type { TransformerXlOptions } from "./transformer-xl.js";

/**
 * Encodings of relative positions. Ids are [queries, keys] or, compact, [queries + keys - 1]; biases
 * [heads, queries, keys] or [heads, queries + keys - 1].
 */
export interface RelativeEncodings {
  /** key - query of each pair. */
  relativeOffsets(options: IdsOptions): Ids;
  /** The sinusoidal encoding of key - query, [queries, keys, dim] or [queries + keys - 1, dim]. */
  relativeSinusoidal(options: RelativeSinusoidalOptions): Tensor;
  /** Biases [heads, queries + keys - 1] from compact to full. */
  relativeExpand(compact: Tensor, options: ExpandOptions): Tensor;
  /** Ids [queries + keys - 1] from compact to full. */
  relativeExpandIds(compact: Ids, options: ExpandIdsOptions): Ids;
  /** ALiBi: a slope of each head times the distance (Press et al. 2022). */
  alibi(options: AlibiOptions): Tensor;
  /** [heads] */
  alibiSlopes(options: AlibiSlopesOptions): Tensor;
  /** A bias for attention with `biasScaled: false`, and the counted positions, both shaped as `logits`. */
  cope(options: CopeOptions): { bias: Tensor; counts: Tensor };
  /** FIRE: a perceptron of the logarithm of the distance (Li et al. 2024). */
  fire(options: FireOptions): Tensor;
  /** KERPLE: a kernel of the distance, learned for each head (Chi et al. 2022). */
  kerple(options: KerpleOptions): Tensor;
  /** Sandwich: the dot products of sinusoids as a bias (Chi et al. 2023). */
  sandwich(options: SandwichOptions): Tensor;
  /** clip(key - query) + maxDistance */
  shawIds(options: ShawIdsOptions): Ids;
  /** Attention with learned vectors of relative positions, added to keys and values (Shaw et al. 2018). */
  shawAttention(options: ShawAttentionOptions): AttentionResult;
  /** The gradients of `shawAttention`, from that of its output. */
  shawBackward(options: ShawBackwardOptions): ShawGradients;
  /** `[tokens, tokens]`, rows of a bias table. */
  swinIndex(options: SwinIndexOptions): Ids;
  /** [heads, tokens, tokens] */
  swinBias(options: SwinBiasOptions): Tensor;
  /** `[(2 height - 1) (2 width - 1), 2]`: y and x, log-spaced, as Swin V2's perceptron takes them. */
  swinLogCoordinates(options: SwinLogCoordinatesOptions): Tensor;
  /** Swin V2's table for `swinBias`, [(2 height - 1) (2 width - 1), heads]. */
  swinLogCpb(options: SwinLogCpbOptions): Tensor;
  /** The rows of a learned table that T5's buckets name (Raffel et al. 2020). */
  t5(options: T5Options): Tensor;
  /** The bucket of T5 for each pair: the row of its table. */
  t5Buckets(options: T5BucketOptions): Ids;
  /** Attention with Transformer-XL's relative positions: vectors u and v, and the relative shift (Dai et al. 2019). */
  transformerXl(options: TransformerXlOptions): AttentionResult;
  /** Transformer-XL's relative shift of x [queries, width] or [heads, queries, width], to the same shape. */
  relativeShift(x: Tensor, options?: OutOption): Tensor;
}
