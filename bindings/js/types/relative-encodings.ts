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
  alibi(options: AlibiOptions): Tensor;
  /** [heads] */
  alibiSlopes(options: AlibiSlopesOptions): Tensor;
  /** A bias for attention with `biasScaled: false`, and the counted positions, both shaped as `logits`. */
  cope(options: CopeOptions): { bias: Tensor; counts: Tensor };
  fire(options: FireOptions): Tensor;
  kerple(options: KerpleOptions): Tensor;
  sandwich(options: SandwichOptions): Tensor;
  /** clip(key - query) + maxDistance */
  shawIds(options: ShawIdsOptions): Ids;
  shawAttention(options: ShawAttentionOptions): AttentionResult;
  shawBackward(options: ShawBackwardOptions): ShawGradients;
  /** [tokens, tokens]: rows of a bias table. */
  swinIndex(options: SwinIndexOptions): Ids;
  /** [heads, tokens, tokens] */
  swinBias(options: SwinBiasOptions): Tensor;
  /** [(2 height - 1) (2 width - 1), 2]: y and x, log-spaced, as Swin V2's perceptron takes them. */
  swinLogCoordinates(options: SwinLogCoordinatesOptions): Tensor;
  /** Swin V2's table for `swinBias`, [(2 height - 1) (2 width - 1), heads]. */
  swinLogCpb(options: SwinLogCpbOptions): Tensor;
  t5(options: T5Options): Tensor;
  t5Buckets(options: T5BucketOptions): Ids;
  transformerXl(options: TransformerXlOptions): AttentionResult;
  /** Transformer-XL's relative shift of x [queries, width] or [heads, queries, width], to the same shape. */
  relativeShift(x: Tensor, options?: OutOption): Tensor;
}
