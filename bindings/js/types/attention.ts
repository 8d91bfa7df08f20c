import type { OutOption, Outs, Tensor } from "./base.js";
import type { MultiHeadBackwardOptions, MultiHeadGradients, MultiHeadOptions, MultiHeadResult } from "./multi-head.js";
import type { Ids } from "./relative.js";
import type { Rotary } from "./rotary.js";

/** Queries, keys and values of one head, or of several: then all three have a leading axis, heads. */
export interface AttentionTensors {
  /** [queries, d] or [heads, queries, d] */
  query: Tensor;
  /** [keys, d] or [heads, keys, d] */
  key: Tensor;
  /** [keys, dv] or [heads, keys, dv] */
  value: Tensor;
  /** What scores are multiplied by; 1 / sqrt(d) by default. */
  scale?: number;
}

/** Arrays for the output and for the softmax's rows. */
export type AttentionOuts = Outs<"output" | "weights">;

/** Scaled dot-product attention in `posenc`: its tensors, a bias of the scores, and where to write. */
export interface AttentionOptions extends AttentionTensors, OutOption<AttentionOuts> {
  /**
   * What is added to the scores, [heads, queries, keys] (or [queries, keys] for one head): finite, or -Infinity where a
   * query must not see a key. A query that sees none gets weights and outputs of 0.
   */
  bias?: Tensor;
  /**
   * Has no default and is required with `bias`, because both forms are in use and differ: `false` is
   * softmax(scale · Q Kᵀ + bias), as ALiBi and most implementations have it; `true` is softmax(scale · (Q Kᵀ + bias)),
   * as in softmax((Q Kᵀ + R) / sqrt(d)) V.
   */
  biasScaled?: boolean;
}

/** What attention gives: the output, and the weights that made it. */
export interface AttentionResult {
  /** [queries, dv] or [heads, queries, dv] */
  output: Tensor;
  /** The softmax's rows, [queries, keys] or [heads, queries, keys]. */
  weights: Tensor;
}

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
   * Has no default and is required with `bias`, because both forms are in use and differ: `false` is
   * softmax(scale · Q Kᵀ + bias), as ALiBi and most implementations have it; `true` is softmax(scale · (Q Kᵀ + bias)),
   * as in softmax((Q Kᵀ + R) / sqrt(d)) V.
   */
  biasScaled?: boolean;
  /** For pairs; its shape as that of `bias`. */
  mask?: BooleanTensor;
  /** For padding: [batch, keys], or [keys] where there is no batch. */
  keyMask?: BooleanTensor;
  /**
   * What `true` means in both masks: `"attend"`, the query may see the key (the default, and so in torch's
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
  /** [keys, d], [kvHeads, keys, d] or [batch, kvHeads, keys, d]. heads / kvHeads adjacent heads share theirs. */
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
  /** Of the values, summed likewise. */
  value: Tensor;
  /** Where there was a bias; summed over what shares it. */
  bias?: Tensor;
}

/**
 * Inverted dropout: an element becomes 0 with probability p and is divided by 1 - p otherwise. Whether element i is
 * dropped depends on seed and i alone (word i mod 4 of Philox4x32-10 at counter i / 4, key seed, is below 2³² p), on
 * every machine. The gradient of what went in is the same dropout of the gradient of what came out.
 */
export interface Dropout {
  /** 0 … 1 */
  p: number;
  /** A whole number from 0 to 2^53 - 1. It has no default; without training it may be left out. */
  seed?: number;
  /** i of the first element, for a slice of something longer; 0 by default. */
  offset?: number;
  /** `false`, evaluation: everything stays as it is. `true` by default. */
  training?: boolean;
}

/** Queries, keys and values of linear attention, and how their features are rotated. */
export interface LinearAttentionOptions extends Omit<AttentionTensors, "scale">, OutOption {
  /** Rotates the features; its dim is that of queries and keys. */
  rotary: Rotary;
  /** Query i sees keys 0 … i + queryOffset alone; false by default. */
  causal?: boolean;
  /** Index of the first query among the keys: while decoding, how many keys come before it. 0 by default. */
  queryOffset?: number;
  /** [queries]; queryOffset + i by default. */
  queryPositions?: ArrayLike<number>;
  /** [keys]; 0, 1, … by default. */
  keyPositions?: ArrayLike<number>;
}

/** What `linear` takes beside x and weight: the layer's bias. */
export interface LinearOptions extends OutOption {
  /** [out]; none by default. */
  bias?: Tensor;
}

/** What went into a linear layer, and the gradient of what came out of it. */
export interface LinearBackwardOptions extends OutOption<Outs<"x" | "weight" | "bias">> {
  /** [..., in] */
  x: Tensor;
  /** [out, in] */
  weight: Tensor;
  /** Of the result: [..., out] */
  gradient: Tensor;
}

/** The gradients of a linear layer, each in the shape of what it is the gradient of. */
export interface LinearGradients {
  /** [..., in] */
  x: Tensor;
  /** [out, in] */
  weight: Tensor;
  /** `[out]`, for a layer that has one. */
  bias: Tensor;
}

/** What `softmax` gave, and the gradient of it. */
export interface SoftmaxBackwardOptions extends OutOption {
  /** As `softmax` gave them. */
  weights: Tensor;
  /** Of the weights, in their shape. */
  gradient: Tensor;
}

/** Into how many heads `splitHeads` cuts the last axis. */
export interface HeadsOptions extends OutOption {
  /** A divisor of the last axis. */
  heads: number;
}

/** A learned bias by relative position: its table, and the row that each pair takes. */
export interface TableBiasOptions extends OutOption {
  /** Rows of the table, of any shape: [queries, keys] from `t5Buckets`, `shawIds` or `swinIndex`. */
  ids: Ids;
  /** [rows, heads] */
  table: Tensor;
}

/** The ids that a learned bias was read by, and the gradient of it. */
export interface TableBiasBackwardOptions extends OutOption {
  /** As `tableBias` had them. */
  ids: Ids;
  /** Of the bias: [heads, ...ids.shape] */
  gradient: Tensor;
  /** Of the table. */
  rows: number;
}

/** How large the table was that was added to embeddings, for its gradient. */
export interface AddBackwardOptions extends OutOption {
  /** Of the table. */
  rows: number;
}

/** As the constructor of the module of that name in PyTorch's tutorial. */
export interface PositionalEncodingOptions {
  /** Width of the embeddings. */
  dModel: number;
  /** 0.1 by default. */
  dropout?: number;
  /** 5000 by default; a longer x is refused. */
  maxLen?: number;
}

/** A module that adds a sinusoidal table to embeddings, with dropout. */
export interface PositionalEncoding {
  /** [maxLen, dModel] */
  table: Tensor;
  /** dropout(x + table[0 … n - 1]) for x [..., n, dModel]. Training needs a seed: another one each step. */
  forward(x: Tensor, mode: { training: boolean; seed?: number } & OutOption): Tensor;
}

/** Attention with everything that is trained, and the gradients it takes to train it. */
export interface AttentionModules {
  /**
   * Scaled dot-product attention: softmax(scale · Q Kᵀ) V, with or without a bias, masks, a batch, shared keys and
   * dropout, and the softmax's rows as they are before dropout.
   */
  attention(options: MaskedAttentionOptions): AttentionResult;
  /** The gradients of `attention`, from that of its output. */
  attentionBackward(options: AttentionBackwardOptions): AttentionGradients;
  /** concat(head_1, …, head_n) W^O, head_h = attention(Q W_h^Q, K W_h^K, V W_h^V). */
  multiHeadAttention(options: MultiHeadOptions): MultiHeadResult;
  /** The gradients of `multiHeadAttention`, from that of its output and from what the forward pass saved. */
  multiHeadBackward(options: MultiHeadBackwardOptions): MultiHeadGradients;
  /**
   * [..., n, heads * d] to [..., heads, n, d]. With `linear` before it and `mergeHeads` and `linear` after `attention`
   * it makes a multi-head attention whose queries and keys can be rotated in between (`Rotary.apply` with the `seqAxis`
   * of n, the last axis but one).
   */
  splitHeads(x: Tensor, options: HeadsOptions): Tensor;
  /** [..., heads, n, d] to [..., n, heads * d]. */
  mergeHeads(x: Tensor, options?: OutOption): Tensor;
  /**
   * x Wᵀ + b, as torch.nn.functional.linear: x [..., in], weight [out, in], bias [out], result [..., out]. The bias alone
   * may stand in place of the options.
   */
  linear(x: Tensor, weight: Tensor, options?: Tensor | LinearOptions): Tensor;
  /** The gradients of `linear`, from that of its result. */
  linearBackward(options: LinearBackwardOptions): LinearGradients;
  /** The gradient of an absolute table, [rows, dim], from that of the sum, [..., n, dim]. That of x is the sum's. */
  addBackward(gradient: Tensor, options: AddBackwardOptions): Tensor;
  /** Of the last axis. -Infinity is a masked score, of weight 0; a row of them becomes zeros. */
  softmax(x: Tensor, options?: OutOption): Tensor;
  /** The gradient of the scores. */
  softmaxBackward(options: SoftmaxBackwardOptions): Tensor;
  /** A new tensor. Its gradient is the same call on the gradient. */
  dropout(x: Tensor, options: Dropout & OutOption): Tensor;
  /** A learned bias, [heads, ...ids.shape]: table[id, head]. */
  tableBias(options: TableBiasOptions): Tensor;
  /** The table's gradient, [rows, heads]. */
  tableBiasBackward(options: TableBiasBackwardOptions): Tensor;
  /** The paper's table, added to embeddings, and dropout. */
  positionalEncoding(options: PositionalEncodingOptions): PositionalEncoding;
}
