import type {
  AttentionGradients,
  AttentionOf,
  AttentionOuts,
  AttentionTensors,
  Only,
  SumPrecisionOption,
  WeightsOption,
} from "./attention.js";
import type { IdsOut, IdTensor, OutOption, Outs, Tensor, TensorInput, TensorResult } from "./base.js";
import type { PositionMap, PositionMapOptions } from "./position-map.js";
import type { SinusoidOptions } from "./sinusoidal.js";

/** An int32 array with its shape, in row-major order. */
export interface Ids extends Pick<Tensor, "shape"> {
  /** The values, as many as the extents multiply to. */
  data: Int32Array;
}

/**
 * - `"full"`: an entry for each query and key, [..., queries, keys].
 * - `"compact"`: one for each relative position, key - query, from the smallest to the largest: [..., queries + keys - 1].
 *   Entry (i, j) of the full form is entry j - i + queries - 1; `relativeExpand` makes the one from the other.
 */
export type Form = "full" | "compact";

/** Which queries meet which keys. Query i is at position queryOffset + i, key j at position j. */
export interface RelativeShape {
  /** How many queries. */
  queries: number;
  /** How many keys. */
  keys: number;
  /** Position of the first query: while decoding, how many keys come before it. */
  queryOffset?: number;
}

/** Which queries meet which keys, and whether all pairs are written or each relative position once. */
interface RelativeForm extends RelativeShape {
  /** `"full"` by default. */
  form?: Form;
}

/** The pairs whose ids are wanted, their form, and the place for them. */
export interface IdsOptions extends RelativeForm, IdsOut {}

/** How many queries and keys `relativeExpand` writes a compact bias out for. */
export interface ExpandOptions extends Omit<RelativeShape, "queryOffset">, OutOption {}

/** How many queries and keys `relativeExpandIds` writes compact ids out for. */
export interface ExpandIdsOptions extends Omit<RelativeShape, "queryOffset">, IdsOut {}

/** The pairs whose bias is wanted, its form, and its values for keys after the query. */
export interface BiasOptions extends RelativeForm, OutOption {
  /** After the query: `"keep"`, the formula's value (the default), or `"mask"`, -Infinity, for causal attention. */
  future?: "keep" | "mask";
}

/** Sinusoids of relative positions: the encoding, the pairs, and the sign of their difference. */
export interface RelativeSinusoidalOptions extends RelativeForm, SinusoidOptions, OutOption {
  /** Which difference is encoded: `"key-minus-query"` by default; Transformer-XL has `"query-minus-key"`. */
  sign?: "key-minus-query" | "query-minus-key";
}

/** The network inside FIRE and Swin's log-CPB: weight2 · relu(weight1 · x + bias1) + bias2. */
export interface Perceptron {
  /** [hidden, inputs] */
  weight1: TensorInput;
  /** [hidden] */
  bias1: TensorInput;
  /** [outputs, hidden] */
  weight2: TensorInput;
  /** [outputs]; none by default. */
  bias2?: TensorInput;
}

/** Which slope each head of ALiBi has (Press et al. 2022), and where `alibiSlopes` writes them. */
export interface AlibiSlopesOptions extends OutOption {
  /** How many heads, each with a slope of its own. */
  heads: number;
  /**
   * Which slopes a number of heads has that is no power of two: `"paper"` (the default; BLOOM, ggml) or `"mpt"` (MPT).
   * For a power of two both are 2^(-steepness · h / heads), h = 1 … heads.
   */
  slopes?: "paper" | "mpt";
  /** MPT's `alibi_bias_max`. */
  steepness?: number;
}

/** ALiBi's bias: the heads' slopes, the queries and keys that meet, and what slopes are multiplied by. */
export interface AlibiOptions extends AlibiSlopesOptions, BiasOptions {
  /**
   * The factor of a slope, for d = key - query: `"symmetric"`, -|d| (the default), or `"linear"`, d, which gives
   * BLOOM's bias up to a constant of each row. They differ where the key comes after the query.
   */
  distance?: "symmetric" | "linear";
}

/** KERPLE (Chi et al. 2022). r1 and r2 are learned, one of each a head; their length is the number of heads. */
export interface KerpleOptions extends BiasOptions {
  /**
   * Has no default: `"logarithmic"`, -r1 · ln(1 + r2 |d|); `"power"`, -r1 · |d|^r2; or `"weight"`, exp(-r1 · |d|^r2), which
   * is no bias: scores are multiplied by it before a bias is added (the authors' wei_a and wei_p).
   */
  kernel: "logarithmic" | "power" | "weight";
  /** Finite numbers > 0. The authors' code holds them at 0.01 or more while it trains. */
  r1: Float32Array;
  /** Finite numbers > 0; for `"power"` and `"weight"` at most 2. */
  r2: Float32Array;
}

/** How T5 puts relative positions into buckets. */
export interface T5Buckets {
  /** Rows of the table; at least 4 when bidirectional. */
  buckets?: number;
  /** From here on all distances share the last bucket; more than the distances that have buckets of their own. */
  maxDistance?: number;
  /** Has no default: `true` in encoders, `false` in decoders, where keys after the query share bucket 0. */
  bidirectional: boolean;
}

/** How relative positions go into buckets, and for which pairs. */
export interface T5BucketOptions extends T5Buckets, IdsOptions {}

/** T5's bias: the buckets, the pairs, and the learned table that has a row for each bucket. */
export interface T5Options extends T5Buckets, BiasOptions {
  /** The learned table, [buckets, heads]. */
  table: TensorInput;
}

/** Sandwich (Chi et al. 2023): (Σᵢ cos(d · base^(-2i/dim)) - dim / 2) / (8 h / heads), h = 1 … heads. */
export interface SandwichOptions extends BiasOptions {
  /** How many heads, each with a divisor of its own. */
  heads: number;
  /** Dimensions of the sinusoids whose dot product this is, an even number. */
  dim?: number;
  /** Theta. */
  base?: number;
  /** `"paper"` (the default): i = 1 … dim / 2. `"sinusoidal"`: i = 0 … dim / 2 - 1, as the encoding itself counts. */
  indices?: "paper" | "sinusoidal";
}

/**
 * FIRE (Li et al. 2024): perceptron(ln(|c d| + 1) / (ln(|c max(i, threshold)| + 1) + epsilon)) for query position i.
 * It depends on i: the compact form is valid only while no query is beyond the threshold.
 */
export interface FireOptions extends BiasOptions {
  /** One input, one output a head. */
  perceptron: Perceptron;
  /** Learned. */
  c?: number;
  /** L times its learned multiplier. */
  threshold?: number;
  /** Added to the divisor. */
  epsilon?: number;
}

/** Contextual position encoding, Golovneva et al. (2024). */
export interface CopeOptions extends Pick<AttentionTensors, "query">, OutOption<Outs<"bias" | "counts">> {
  /** The scores before this bias, [queries, keys] or [heads, queries, keys]; the gates are their sigmoids. */
  logits: TensorInput;
  /** One row a position, [positions, d], shared by the heads; the paper's pos_emb, transposed. */
  embedding: TensorInput;
  /** 0 by default. */
  queryOffset?: number;
  /** `"mask"` (the default): keys after the query open no gate and get -Infinity. `"keep"`: they count. */
  future?: "keep" | "mask";
}

/** A window of patches, numbered row by row. */
export interface SwinWindow {
  /** Rows of patches. */
  height: number;
  /** Patches in a row. */
  width: number;
  /** BEiT: one token before the patches, with three more rows of the table. `false` by default. */
  classToken?: boolean;
}

/** Options of the index of a window, and where to write it. */
export interface SwinIndexOptions extends SwinWindow, IdsOut {}

/** A window, and the learned table that its pairs read. */
export interface SwinBiasOptions extends SwinWindow, OutOption {
  /** [(2 height - 1) (2 width - 1), heads], and with a class token three rows more. */
  table: TensorInput;
}

/** The window whose relative coordinates Swin V2 takes, and the one of pretraining. */
export interface SwinLogCoordinatesOptions extends Omit<SwinWindow, "classToken">, OutOption {
  /** Height of the window the perceptron was trained with; this window's by default. */
  pretrainedHeight?: number;
  /** Its width; this window's by default. */
  pretrainedWidth?: number;
}

/** The window, and the network that makes its table out of coordinates. */
export interface SwinLogCpbOptions extends SwinLogCoordinatesOptions {
  /** Two inputs, y and x; one output a head. */
  perceptron: Perceptron;
}

/** The pairs whose ids are wanted, and the distance at which relative positions are clipped. */
export interface ShawIdsOptions extends IdsOptions {
  /** Relative positions are clipped to -maxDistance … maxDistance. */
  maxDistance: number;
}

/** Inputs of attention of Shaw et al. (2018): relative vectors are shared by the heads. */
export interface ShawInputs extends AttentionTensors, Pick<ShawIdsOptions, "maxDistance">, SumPrecisionOption {
  /** Added to keys, [2 maxDistance + 1, d]; none by default. */
  keyTable?: TensorInput;
  /** Added to values, [2 maxDistance + 1, dv]; none by default. */
  valueTable?: TensorInput;
  /** 0 by default. */
  queryOffset?: number;
  /** `"mask"`: a query sees no key after it. `"keep"` by default. */
  future?: "keep" | "mask";
}

/** Attention of Shaw et al. (2018), and where to write its results. */
export interface ShawAttentionOptions extends ShawInputs, WeightsOption, OutOption<AttentionOuts> {}

/** The options of forward, and the gradient of its output. */
export interface ShawBackwardOptions
  extends ShawInputs,
    OutOption<Outs<"query" | "key" | "value" | "keyTable" | "valueTable">> {
  /** The gradient of the output, in its shape. */
  gradient: TensorInput;
}

/** Each in the shape of what it is the gradient of. */
export interface ShawGradients extends Omit<AttentionGradients, "bias"> {
  /** The gradient of the table of keys, if one was given. */
  keyTable?: TensorResult;
  /** The gradient of the table of values, if one was given. */
  valueTable?: TensorResult;
}

/** softmax(scale · ((q + u) kᵀ + (q + v) rᵀ)) V, Dai et al. (2019). The memory is keys before the first query. */
export interface TransformerXlOptions
  extends AttentionTensors,
    Pick<ShawInputs, "future" | "precision">,
    WeightsOption,
    OutOption<AttentionOuts> {
  /**
   * The projected relative vectors R W_kR in compact form, [queries + keys - 1, d] or [heads, queries + keys - 1, d],
   * from the farthest key before a query on; see `relativeSinusoidal` with `form: "compact"`, `sign: "query-minus-key"`.
   */
  relative: TensorInput;
  /** u, [d] or [heads, d] */
  contentBias: TensorInput;
  /** v, [d] or [heads, d] */
  positionBias: TensorInput;
  /** Length of the memory; 0 by default. */
  queryOffset?: number;
}

/**
 * Encodings of relative positions. Ids are [queries, keys] or, compact, [queries + keys - 1]; biases
 * [heads, queries, keys] or [heads, queries + keys - 1].
 */
export interface RelativeEncodings {
  /** key - query of each pair. */
  relativeOffsets(options: IdsOptions): Ids;
  /** Which relative position each score has with SelfExtend, ReRoPE or Dual Chunk Attention, and the rotations for it. */
  positionMap(options: PositionMapOptions): PositionMap;
  /** The sinusoidal encoding of key - query, [queries, keys, dim] or [queries + keys - 1, dim]. */
  relativeSinusoidal(options: RelativeSinusoidalOptions): TensorResult;
  /** Biases [heads, queries + keys - 1] from compact to full. */
  relativeExpand(compact: TensorInput, options: ExpandOptions): TensorResult;
  /** Ids [queries + keys - 1] from compact to full. */
  relativeExpandIds(compact: IdTensor, options: ExpandIdsOptions): Ids;
  /**
   * ALiBi (Press et al. 2022): a bias, the slope of each head times the distance, [heads, queries, keys], or in the form
   * `"compact"` [heads, queries + keys - 1]. Slopes are the paper's unless `slopes` names others. Throws a RangeError for an
   * option outside its range.
   *
   * @example
   * ```ts
   * const bias = pe.alibi({ heads: 8, queries: 1, keys: 4, queryOffset: 3 });
   * console.log(bias.shape, [...bias.data.subarray(0, 3)].join(" ")); // [ 8, 1, 4 ] -1.5 -1 -0.5
   * ```
   */
  alibi(options: AlibiOptions): TensorResult;
  /** [heads] */
  alibiSlopes(options: AlibiSlopesOptions): TensorResult;
  /** A bias for attention with `biasScaled: false`, and the counted positions, both shaped as `logits`. */
  cope(options: CopeOptions): { bias: TensorResult; counts: TensorResult };
  /** FIRE: a perceptron of the logarithm of the distance (Li et al. 2024). */
  fire(options: FireOptions): TensorResult;
  /** KERPLE: a kernel of the distance, learned for each head (Chi et al. 2022). */
  kerple(options: KerpleOptions): TensorResult;
  /** Sandwich: the dot products of sinusoids as a bias (Chi et al. 2023). */
  sandwich(options: SandwichOptions): TensorResult;
  /** clip(key - query) + maxDistance */
  shawIds(options: ShawIdsOptions): Ids;
  /** Attention with learned vectors of relative positions, added to keys and values (Shaw et al. 2018). */
  shawAttention<const Options extends ShawAttentionOptions>(
    options: Only<Options, ShawAttentionOptions>,
  ): AttentionOf<Options>;
  /** The gradients of `shawAttention`, from that of its output; the weights are computed again, by blocks. */
  shawBackward(options: ShawBackwardOptions): ShawGradients;
  /** `[tokens, tokens]`, rows of a bias table. */
  swinIndex(options: SwinIndexOptions): Ids;
  /** [heads, tokens, tokens] */
  swinBias(options: SwinBiasOptions): TensorResult;
  /** `[(2 height - 1) (2 width - 1), 2]`: y and x, log-spaced, as Swin V2's perceptron takes them. */
  swinLogCoordinates(options: SwinLogCoordinatesOptions): TensorResult;
  /** Swin V2's table for `swinBias`, [(2 height - 1) (2 width - 1), heads]. */
  swinLogCpb(options: SwinLogCpbOptions): TensorResult;
  /**
   * The rows of a learned table that T5's buckets name (Raffel et al. 2020): a bias, [heads, queries, keys]. 32 buckets up
   * to distance 128 by default; `bidirectional` has none. Throws a RangeError for a table of another number of buckets.
   *
   * @example
   * ```ts
   * const table = { data: Float32Array.from({ length: 32 * 2 }, (_, i) => i), shape: [32, 2] };
   * const { shape } = pe.t5({ queries: 3, keys: 3, table, bidirectional: true });
   * console.log(shape); // [ 2, 3, 3 ]
   * ```
   */
  t5(options: T5Options): TensorResult;
  /** The bucket of T5 for each pair: the row of its table. */
  t5Buckets(options: T5BucketOptions): Ids;
  /** Attention with Transformer-XL's relative positions: vectors u and v, and the relative shift (Dai et al. 2019). */
  transformerXl<const Options extends TransformerXlOptions>(
    options: Only<Options, TransformerXlOptions>,
  ): AttentionOf<Options>;
  /** Transformer-XL's relative shift of x [queries, width] or [heads, queries, width], to the same shape. */
  relativeShift(x: TensorInput, options?: OutOption): TensorResult;
}
