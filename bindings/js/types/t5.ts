import type { BiasOptions, IdsOptions } from "./relative.js";
import type { Tensor } from "./tensor.js";

/** How T5 puts relative positions into buckets. */
export interface T5Buckets {
  /** 32 by default. */
  buckets?: number;
  /** From here on all distances share the last bucket; 128 by default. */
  maxDistance?: number;
  /** Has no default: `true` in encoders, `false` in decoders, where keys after the query share bucket 0. */
  bidirectional: boolean;
}

/** How relative positions go into buckets, and for which pairs. */
export interface T5BucketOptions extends T5Buckets, IdsOptions {}

/** T5's bias: the buckets, the pairs, and the learned table that has a row for each bucket. */
export interface T5Options extends T5Buckets, BiasOptions {
  /** The learned table, [buckets, heads]. */
  table: Tensor;
}
