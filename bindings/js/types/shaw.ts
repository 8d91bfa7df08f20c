import type { AttentionTensors } from "./attention.js";
import type { IdsOptions } from "./relative.js";
import type { Tensor } from "./tensor.js";

export interface ShawIdsOptions extends IdsOptions {
  /** Relative positions are clipped to -maxDistance … maxDistance. */
  maxDistance: number;
}

/** Attention of Shaw et al. (2018); relative vectors are shared by the heads. */
export interface ShawAttentionOptions extends AttentionTensors {
  maxDistance: number;
  /** Added to keys, [2 maxDistance + 1, d]; none by default. */
  keyTable?: Tensor;
  /** Added to values, [2 maxDistance + 1, dv]; none by default. */
  valueTable?: Tensor;
  /** 0 by default. */
  queryOffset?: number;
  /** `"mask"`: a query sees no key after it. `"keep"` by default. */
  future?: "keep" | "mask";
}

/** The options of forward, what it gave, and the gradient of its output. */
export interface ShawBackwardOptions extends ShawAttentionOptions {
  /** As `shawAttention` gave them. */
  weights: Tensor;
  /** Of the output, in its shape. */
  gradient: Tensor;
}

/** Each in the shape of what it is the gradient of. */
export interface ShawGradients {
  query: Tensor;
  key: Tensor;
  value: Tensor;
  keyTable?: Tensor;
  valueTable?: Tensor;
}
