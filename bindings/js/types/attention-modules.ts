import type { AttentionResult } from "./attention.js";
import type { Dropout } from "./dropout.js";
import type { AttentionBackwardOptions, AttentionGradients, MaskedAttentionOptions } from "./masked-attention.js";
import type { MultiHeadBackwardOptions, MultiHeadGradients, MultiHeadOptions, MultiHeadResult } from "./multi-head.js";
import type { OutOption, Outs } from "./out.js";
import type { Ids } from "./relative.js";
import type { Tensor } from "./tensor.js";

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
