import type { AttentionOuts, AttentionTensors } from "./attention.js";
import type { OutOption, Outs } from "./out.js";
import type { IdsOptions } from "./relative.js";
import type { Tensor } from "./tensor.js";

/** For which pairs ids are wanted, and where relative positions are clipped. */
export interface ShawIdsOptions extends IdsOptions {
  /** Relative positions are clipped to -maxDistance … maxDistance. */
  maxDistance: number;
}

/** Attention of Shaw et al. (2018); relative vectors are shared by the heads. */
interface ShawInputs extends AttentionTensors {
  /** Relative positions are clipped to -maxDistance … maxDistance. */
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

/** Attention with vectors of relative positions, and where to write its results. */
export interface ShawAttentionOptions extends ShawInputs, OutOption<AttentionOuts> {}

/** The options of forward, what it gave, and the gradient of its output. */
export interface ShawBackwardOptions
  extends ShawInputs,
    OutOption<Outs<"query" | "key" | "value" | "keyTable" | "valueTable">> {
  /** As `shawAttention` gave them. */
  weights: Tensor;
  /** Of the output, in its shape. */
  gradient: Tensor;
}

/** Each in the shape of what it is the gradient of. */
export interface ShawGradients {
  /** Of the queries. */
  query: Tensor;
  /** Of the keys. */
  key: Tensor;
  /** Of the values. */
  value: Tensor;
  /** Where there was one. */
  keyTable?: Tensor;
  /** Where there was one. */
  valueTable?: Tensor;
}
