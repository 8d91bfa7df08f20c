import type { AttentionOuts } from "./attention.js";
import type { Dropout } from "./dropout.js";
import type { OutOption, Outs } from "./out.js";
import type { Tensor } from "./tensor.js";

/** Booleans with their shape, in row-major order. In a Uint8Array anything but 0 is true. */
export interface BooleanTensor {
  /** As many as the extents multiply to. */
  data: Uint8Array | readonly boolean[];
  /** Extents, the slowest axis first. */
  shape: number[];
}

/**
 * What attention takes beside its tensors. A query sees a key where `mask`, `keyMask` and `causal` all let it and the
 * bias is not -Infinity; one that sees none gets weights and outputs of 0.
 */
export interface AttentionTerms {
  /** What scores are multiplied by; 1 / sqrt(d) by default. */
  scale?: number;
  /**
   * What is added to the scores: finite, or -Infinity where a query must not see a key. [batch, heads, queries, keys],
   * or less: leading axes may be left out, and an extent may be 1, which all share.
   */
  bias?: Tensor;
  /**
   * Has no default and must stand beside `bias`, because both forms are in use and differ: `false` is
   * softmax(scale · Q Kᵀ + bias), as ALiBi and most implementations have it; `true` is softmax(scale · (Q Kᵀ + bias)),
   * as in softmax((Q Kᵀ + R) / sqrt(d)) V.
   */
  biasScaled?: boolean;
  /** For pairs; its shape as that of `bias`. */
  mask?: BooleanTensor;
  /** For padding: [batch, keys], or [keys] where there is no batch. */
  keyMask?: BooleanTensor;
  /**
   * What a true stands for in both masks: `"attend"`, the query may see the key (the default, and so in torch's
   * scaled_dot_product_attention and Hugging Face's attention_mask), or `"ignore"`, it may not (torch's
   * nn.MultiheadAttention, in attn_mask and key_padding_mask). For masked_fill(mask == 0, -Infinity) it is `"attend"`.
   */
  maskMeaning?: "attend" | "ignore";
  /** Query i sees key j only where j <= queryOffset + i. `false` by default. */
  causal?: boolean;
  /**
   * Of `causal`: how many keys come before the first query; 0 by default, as torch's is_causal. While decoding it is
   * keys - queries.
   */
  queryOffset?: number;
  /** Of the weights before they meet the values. None by default. */
  dropout?: Dropout;
}

/** Queries, keys and values of one head, of several or of a batch, and what attention takes beside them. */
export interface MaskedAttentionInputs extends AttentionTerms {
  /** [queries, d], [heads, queries, d] or [batch, heads, queries, d] */
  query: Tensor;
  /** [keys, d], [kvHeads, keys, d] or [batch, kvHeads, keys, d]. heads / kvHeads neighbouring heads share theirs. */
  key: Tensor;
  /** The same with dv. */
  value: Tensor;
}

/** Scaled dot-product attention in `posenc/full`, and where to write its results. */
export interface MaskedAttentionOptions extends MaskedAttentionInputs, OutOption<AttentionOuts> {}

/** The options of forward, what it gave, and the gradient of its output. */
export interface AttentionBackwardOptions
  extends MaskedAttentionInputs,
    OutOption<Outs<"query" | "key" | "value" | "bias">> {
  /** As `attention` gave them: masks are read from them. */
  weights: Tensor;
  /** Of the output, in its shape. */
  gradient: Tensor;
}

/** Each in the shape of what it is the gradient of. */
export interface AttentionGradients {
  /** Of the queries. */
  query: Tensor;
  /** Of the keys, summed over the heads that share them. */
  key: Tensor;
  /** Of the values, summed alike. */
  value: Tensor;
  /** Where there was a bias; summed over what shares it. */
  bias?: Tensor;
}
