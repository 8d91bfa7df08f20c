import type { AnyTensor, NumberList, OutOption, Outs, Shaped, TensorInput, TensorResult } from "./base.js";
import type { PositionOptions, TensorAxes } from "./frequencies.js";
import type {
  AddBackwardOptions,
  Dropout,
  HeadsOptions,
  LinearBackwardOptions,
  LinearGradients,
  LinearOptions,
  PositionalEncoding,
  PositionalEncodingOptions,
  SoftmaxBackwardOptions,
} from "./layers.js";
import type {
  MultiHeadBackwardOptions,
  MultiHeadGradients,
  MultiHeadOptions,
  MultiHeadOutput,
  MultiHeadResult,
} from "./multi-head.js";
import type { Rotary } from "./rotary.js";

/** Queries, keys and values of one head, or of several: then all three have a leading axis, heads. */
export interface AttentionTensors {
  /** [queries, d] or [heads, queries, d] */
  query: TensorInput;
  /** [keys, d] or [heads, keys, d] */
  key: TensorInput;
  /** [keys, dv] or [heads, keys, dv] */
  value: TensorInput;
  /** The factor of the scores; 1 / sqrt(d) by default. */
  scale?: number;
}

/** Arrays for the output and, with `weights: true`, for the softmax's rows. */
export type AttentionOuts = Outs<"output" | "weights">;

/** Whether the softmax's rows are wanted beside the output. */
export interface WeightsOption {
  /**
   * `false` by default: then nothing of the size of queries times keys is in memory, and results have no `weights`. The
   * output is the same, bit for bit. An `out.weights` needs `true`.
   */
  weights?: boolean;
}

/** How sums of products are computed; either gives the same bits everywhere. */
export interface SumPrecisionOption {
  /**
   * `"float32"`, the default: in float32, each in the order of its index. `"exact"`: in double, each result rounded
   * once; some five times slower.
   */
  precision?: "float32" | "exact";
}

/** The results of attention. */
export interface AttentionOutput {
  /** [queries, dv], or with the leading axes of the queries. */
  output: TensorResult;
}

/** The result with `weights: true`: the output, and the weights that made it. */
export interface AttentionResult extends AttentionOutput {
  /** The softmax's rows, before dropout: [queries, keys], or with the leading axes of the queries. */
  weights: TensorResult;
}

/** The results of attention with these options: weights where they were asked for. */
export type AttentionOf<
  Options extends WeightsOption,
  With = AttentionResult,
  Without = AttentionOutput,
> = Options extends { weights: true } ? With : Options extends { weights?: false } ? Without : Without & Partial<With>;

/**
 * Options of a function and no others, so that misspelt ones are errors of types too; a bias has `biasScaled` beside
 * it.
 */
export type Only<Options, Known> = Options & {
  [Name in Exclude<keyof Options, keyof Known>]: never;
} & (Options extends {
    bias: object;
  }
    ? { biasScaled: boolean }
    : unknown);

/** Typed arrays of whole numbers. */
export type WholeArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | BigInt64Array
  | BigUint64Array;

/** Booleans with their shape, in row-major order. Of whole numbers anything but 0 is true. */
export type BooleanTensor = Shaped<WholeArray | readonly boolean[]>;

/**
 * The options of attention besides its tensors. A query sees a key where `mask`, `keyMask` and `causal` all let it and
 * the bias is not -Infinity; one that sees none gets weights and outputs of 0.
 */
export interface ScoreTerms extends Pick<AttentionTensors, "scale"> {
  /**
   * Is added to the scores: finite, or -Infinity where a query must not see a key. [heads, queries, keys], or
   * [queries, keys] for one head. In posenc/full [batch, heads, queries, keys] or less: leading axes may be left out,
   * and an extent may be 1, which all share; or in the form that `biasForm` names.
   */
  bias?: TensorInput;
  /**
   * Has no default and is required with `bias`, because both forms are in use and differ: `false` is
   * softmax(scale · Q Kᵀ + bias), as ALiBi and most implementations have it; `true` is softmax(scale · (Q Kᵀ + bias)),
   * as in softmax((Q Kᵀ + R) / sqrt(d)) V.
   */
  biasScaled?: boolean;
  /**
   * Adds ALiBi's bias, -slope · |key - query|, with the paper's slopes for this number of heads: the bits of `alibi` of
   * posenc/full, which has other slopes, too. Query i is at queryOffset + i among the keys. `false` by default.
   */
  alibi?: boolean;
  /**
   * A mask for padding, [batch, keys], or [keys] without a batch; int64 too, as tokenizers give it. `true` is a
   * key that may be seen; posenc/full has `maskMeaning`.
   */
  keyMask?: BooleanTensor;
  /** Query i sees key j only where j <= queryOffset + i. `false` by default. */
  causal?: boolean;
  /**
   * For `causal`, `window` and `alibi`: the number of keys before the first query; none, as torch's is_causal; while
   * decoding keys - queries. A list has one for each row of the batch.
   */
  queryOffset?: number | NumberList;
  /**
   * A query sees no key that is `window` or more before it: j > queryOffset + i - window. 0, the default: it sees all.
   */
  window?: number;
}

/** The options of attention besides its tensors, in `posenc/full`. */
export interface AttentionTerms extends ScoreTerms, SumPrecisionOption {
  /**
   * `"full"` by default. `"compact"`: the bias is [heads, queries + keys - 1], or one for all heads, as `alibi`, `t5`,
   * `kerple`, `sandwich` and `fire` make it with `form: "compact"`; pair (i, j) has entry queries - 1 - i + j. It is
   * read without being expanded; its gradient has its shape.
   */
  biasForm?: "full" | "compact";
  /** A mask of pairs, of the shapes that `bias` may have. */
  mask?: BooleanTensor;
  /**
   * The meaning of `true` in both masks: `"attend"`, the query may see the key (the default, and so in torch's
   * scaled_dot_product_attention and Hugging Face's attention_mask), or `"ignore"`, it may not (torch's
   * nn.MultiheadAttention, in attn_mask and key_padding_mask). For masked_fill(mask == 0, -Infinity) it is `"attend"`.
   */
  maskMeaning?: "attend" | "ignore";
  /** Applied to the weights before they meet the values. None by default. */
  dropout?: Dropout;
}

/** How keys and values lie in a cache, which is read as it is: a loop that decodes copies nothing. */
export interface AttentionCache {
  /**
   * How many keys and values there are, the first ones of a cache that has memory for more; the others are not read.
   * All by default. A list has the length of each row of the batch. Masks, biases and weights have as many keys, of
   * several lengths the largest.
   */
  length?: number | NumberList;
  /** Which sequence of the cache each row of the batch reads; all of them by default, in their order. */
  sequences?: number | NumberList;
  /**
   * The axis of the sequence in `key` and `value`: that of `query` by default; -2 as in [batch, kvHeads, capacity, d];
   * -3 for [batch, capacity, kvHeads, d], in which a token's keys are one after another; the more heads, the slower
   * than -2. Not negative: counted from the first axis.
   */
  seqAxis?: number;
}

/** Queries, keys and values of one head, of several or of a batch, and the options of attention. */
export interface MaskedAttentionInputs extends AttentionTerms {
  /** [queries, d], [heads, queries, d] or [batch, heads, queries, d] */
  query: TensorInput;
  /** [keys, d], [kvHeads, keys, d] or [batch, kvHeads, keys, d]. heads / kvHeads adjacent heads share theirs. */
  key: TensorInput;
  /** Values, with dv in place of the keys' dim. */
  value: TensorInput;
}

/**
 * Scaled dot-product attention: its tensors, what is added to the scores or hides keys, and where to write its results.
 */
export interface AttentionOptions extends ScoreTerms, WeightsOption, OutOption<AttentionOuts> {
  /** [queries, d], [heads, queries, d] or [batch, heads, queries, d], or as `seqAxis` says. */
  query: TensorInput;
  /**
   * [keys, d], [kvHeads, keys, d] or [batch, kvHeads, keys, d], or as `seqAxis` or `cache` say. heads / kvHeads
   * adjacent heads share theirs. float32, or of 16 bits, which takes half the memory: attention is that of the same
   * values in float32.
   */
  key: AnyTensor;
  /** Values, with dv in place of the keys' dim; of any dtype. */
  value: AnyTensor;
  /**
   * The axis of the sequence in query, key, value and output: -2 by default, as in [batch, heads, seq, d] and as
   * torch's scaled_dot_product_attention has it; -3 for [batch, seq, heads, d], as projections give it. Not negative:
   * counted from the first axis. Weights, masks and biases are [batch, heads, queries, keys] with both. Shapes alone do
   * not tell: name it, 0 for [seq, heads, d]; of heads that do not divide an error says so.
   */
  seqAxis?: number;
  /** How `key` and `value` lie in a cache. */
  cache?: AttentionCache;
}

/** Scaled dot-product attention in `posenc/full`: with dropout, and sums in double. */
export interface MaskedAttentionOptions extends AttentionOptions, Omit<AttentionTerms, keyof ScoreTerms> {}

/** The options of forward, and the gradient of its output. */
export interface AttentionBackwardOptions
  extends MaskedAttentionInputs,
    OutOption<Outs<"query" | "key" | "value" | "bias">> {
  /** The gradient of the output, in its shape. */
  gradient: TensorInput;
}

/** Gradients, each in the shape of its array. */
export interface AttentionGradients {
  /** The gradient of the queries. */
  query: TensorResult;
  /** The gradient of the keys, summed over the heads that share them. */
  key: TensorResult;
  /** The gradient of the values, summed likewise. */
  value: TensorResult;
  /** The gradient of the bias, if one was given: summed over the rows that share it. */
  bias?: TensorResult;
}

/** Queries, keys and values of linear attention, and how their features are rotated. */
export interface LinearAttentionOptions
  extends Omit<AttentionTensors, "scale">,
    Pick<AttentionTerms, "causal">,
    OutOption {
  /** Rotates the features; its dim is that of queries and keys. */
  rotary: Rotary;
  /** Index of the first query among the keys: while decoding, how many keys come before it. */
  queryOffset?: number;
  /** [queries]; queryOffset + i by default. */
  queryPositions?: NumberList;
  /** [keys]; 0, 1, … by default. */
  keyPositions?: NumberList;
}

/** Attention with everything that is trained, and the gradients it takes to train it. */
export interface AttentionModules {
  /**
   * Scaled dot-product attention: softmax(scale · Q Kᵀ) V, with or without a bias, masks, a batch, shared keys and
   * dropout; with `weights: true` also the softmax's rows, as they are before dropout. A query that sees a score of NaN
   * or +Infinity gets NaN for its output and for the weights of what it sees; a key of weight 0 does not contribute to
   * an output, whatever its value.
   */
  attention<const Options extends MaskedAttentionOptions>(
    options: Only<Options, MaskedAttentionOptions>,
  ): AttentionOf<Options>;
  /** The gradients of `attention`, from that of its output; the weights are computed again, by blocks. */
  attentionBackward(options: AttentionBackwardOptions): AttentionGradients;
  /** concat(head_1, …, head_n) W^O, head_h = attention(Q W_h^Q, K W_h^K, V W_h^V). */
  multiHeadAttention<const Options extends MultiHeadOptions>(
    options: Only<Options, MultiHeadOptions>,
  ): AttentionOf<Options, MultiHeadResult, MultiHeadOutput>;
  /** The gradients of `multiHeadAttention`, from that of its output and from what the forward pass saved. */
  multiHeadBackward(options: MultiHeadBackwardOptions): MultiHeadGradients;
  /**
   * [..., n, heads * d] to [..., heads, n, d]. With `linear` before it and `mergeHeads` and `linear` after `attention`
   * it makes a multi-head attention whose queries and keys can be rotated in between (`Rotary.apply` with the `seqAxis`
   * of n, the last axis but one). A RangeError where heads do not divide the width.
   *
   * @example
   * ```ts
   * const x: Tensor = pe.sinusoidal({ length: 3, dim: 8 }); // [seq, heads * dim], as a projection gives it
   * const q = pe.splitHeads(x, { heads: 2 });
   * console.log(q.shape); // [ 2, 3, 4 ]
   * pe.rotary({ dim: 4, layout: "half" }).apply(q.data, { shape: q.shape, seqAxis: -2 });
   * console.log(pe.mergeHeads(q).shape); // [ 3, 8 ]
   * ```
   */
  splitHeads(x: TensorInput, options: HeadsOptions): TensorResult;
  /** [..., heads, n, d] to [..., n, heads * d]. */
  mergeHeads(x: TensorInput, options?: OutOption): TensorResult;
  /**
   * x Wᵀ + b, as torch.nn.functional.linear: x [..., in], weight [out, in], bias [out], result [..., out]. The bias
   * alone may be given in place of the options.
   */
  linear(x: TensorInput, weight: TensorInput, options?: TensorInput | LinearOptions): TensorResult;
  /** The gradients of `linear`, from that of its result. */
  linearBackward(options: LinearBackwardOptions): LinearGradients;
  /** The gradient of an absolute table, [rows, dim], from that of the sum, [..., dim]. That of x is the sum's. */
  addBackward(gradient: TensorInput, options: AddBackwardOptions): TensorResult;
  /** Softmax over the last axis. -Infinity is a masked score, of weight 0; a row of them becomes zeros. */
  softmax(x: TensorInput, options?: SumPrecisionOption & OutOption): TensorResult;
  /** The gradient of the scores. */
  softmaxBackward(options: SoftmaxBackwardOptions): TensorResult;
  /** A new tensor. Its gradient is the same call on the gradient. */
  dropout(x: TensorInput, options: Dropout & OutOption): TensorResult;
  /** The paper's table, added to embeddings, and dropout. */
  positionalEncoding(options: PositionalEncodingOptions): PositionalEncoding;
}

/** The query at position p is multiplied by 1 + slope · ln(1 + ⌊(p + shift) / period⌋). */
export interface QueryTemperature {
  /** 0.1 in Llama 4 and Ministral 3. */
  slope: number;
  /** Added to positions; Llama 4 has 1. */
  shift?: number;
  /** The period, in positions. */
  period: number;
}

/** The queries and their temperature. */
export interface QueryTemperatureOptions extends QueryTemperature, TensorAxes, PositionOptions {}
