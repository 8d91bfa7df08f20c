import type { LinearAttentionOptions } from "./attention.js";
import type {
  AnyTensor,
  Float16Data,
  Float32Option,
  FloatBuffer,
  HalfData,
  HalfDType,
  HalfOption,
  HalfTensor,
  IdsOut,
  NumberList,
  OutOption,
  Outs,
  Releasable,
  TensorInput,
  TensorResult,
  WithoutShape,
} from "./base.js";
import type { Certificate, CertifiedPlan, CertifyOptions, ModelCertificate } from "./certificate.js";
import type {
  AttentionMask,
  AxisOf,
  Exponent,
  LengthOrPositions,
  MaskPositionsOptions,
  NamedAxis,
  OffsetOrPositions,
  PositionList,
  PositionOptions,
  Positions,
  ScalingOptions,
  TensorAxes,
} from "./frequencies.js";
import type { Model } from "./hub.js";
import type { Ids } from "./relative.js";
import type { Xpos, XposOptions } from "./xpos.js";

/**
 * Which dimensions of a head are rotated together, for r rotated dimensions:
 *
 * - `"half"`: dimension i with dimension i + r/2 (GPT-NeoX; Llama in Hugging Face transformers).
 * - `"interleaved"`: dimension 2i with dimension 2i + 1 (RoFormer, GPT-J).
 * - `"deinterleaved"`: dimensions 2i and 2i + 1 are read, dimensions i and i + r/2 are written (DeepSeek's `rope_interleave`).
 *   Scores are those of `"interleaved"`; the dimensions come out in another order.
 */
export type Layout = "half" | "interleaved" | "deinterleaved";

/** A rotary embedding: the dimensions of a head, which of them are pairs, and the pairs' frequencies. */
export interface RotaryOptions extends ScalingOptions {
  /** Dimensions of a head, the last axis of what is rotated. */
  dim: number;
  /** Has no default: mixing layouts up gives wrong scores and no error. */
  layout: Layout;
  /** Theta. */
  base?: number;
  /** How many dimensions rotate, the first ones: an even number in 2 … dim; dim by default. The others pass through. */
  rotaryDim?: number;
  /** `"paper"` by default: base^(-2i/exponentDim), exponentDim being rotaryDim unless it is given. */
  exponent?: Exponent;
}

/** Shape and positions of what is rotated, and in which direction. */
export interface ApplyOptions extends TensorAxes, PositionOptions {
  /**
   * Rotate back: the transpose of the rotation, so that applying both changes nothing but rounding. With an attention
   * factor m it is still the transpose, and both together multiply by m².
   */
  inverse?: boolean;
}

/** Arrays for cosines and for sines. */
export type RotaryOuts<T = Float32Array> = Outs<"cos" | "sin", T>;

/** Which tensor a step rotates, and which way. */
export interface StepOptions extends TensorAxes, Pick<ApplyOptions, "inverse"> {}

/** The positions of a tensor, given in one of two ways, and the axis of its sequence. */
export type Applied<Shape extends readonly number[]> = OffsetOrPositions & NamedAxis<Shape>;

/** The dimensions to rotate, of heads that may be larger than `dim`. */
export interface SliceApplyOptions extends ApplyOptions {
  /**
   * The first dimension of each head that the rotary sees, which has `dim` of them from it on; what is beside them stays as
   * it is. DeepSeek's heads have 128 dimensions without positions in front: 128, for a rotary of dim 64.
   */
  firstDim?: number;
}

/**
 * A rotation that is repeated on the values of one buffer, as in decoding, where each call has one token. All but the
 * position is settled when it is made: a call costs little more than the rotation.
 */
export interface RotaryStep extends Releasable {
  /**
   * Rotates the buffer's values in place, the first token at `position`, the next at `position` + 1. A list has the position
   * of each: where sequences of a batch are decoded together, of shape [sequences, heads, dim] with `seqAxis: 0`, that is
   * the position of each sequence's token. A list costs what `Rotary.apply` does.
   *
   * ```ts
   * const step = rope.step(q, { shape: [sequences, heads, dim], seqAxis: 0 });
   * step.apply([17, 4, 301]); // one token of each of three sequences
   * ```
   */
  apply(position: number | PositionList): void;
}

/** A rotary position embedding: frequencies and layout, ready to be applied to queries and keys. */
export interface Rotary extends Releasable {
  /** Dimensions of a head, rotated or not. */
  readonly dim: number;
  /** How many of them rotate, the first ones. */
  readonly rotaryDim: number;
  /** Which dimensions are pairs. */
  readonly layout: Layout;
  /**
   * The factor of `apply` and `cache`: 1 without scaling. Another one is rounded to float32 and multiplies rounded
   * cosines and sines, one rounding more.
   */
  readonly attentionFactor: number;
  /**
   * Rotates `x`, of this shape, in place and returns it: positions 0, 1, 2, … along `seqAxis` unless `offset` or `positions`
   * say otherwise. Largest error: 0.74 of 3 · 2^-24 of a pair's values, times the attention factor.
   *
   * Throws a RangeError where the shape does not fit, or has three axes or more of which none is named the sequence's, and for
   * angles beyond 2^53. Nothing of `x` changes then.
   *
   * @example
   * ```ts
   * const rope = pe.rotary({ dim: 8, layout: "half" });
   * const k = new Float32Array(2 * 3 * 8).fill(1);
   * rope.apply(k, { shape: [2, 3, 8], seqAxis: 1, offset: 100 }); // [heads, seq, dim], tokens 100 to 102
   * const batch = { data: k, shape: [2, 3, 8] }; // two sequences, each at positions of its own
   * rope.apply(batch, { seqAxis: 1, batchAxis: 0, positions: { data: [7, 8, 9, 0, 1, 2], shape: [2, 3] } });
   * console.log(rope.apply(k, { shape: [6, 8], positions: [0, 0, 0, 0, 0, 0] }) === k); // true
   * ```
   */
  apply<const S extends readonly number[]>(x: Float32Array, options: ApplyOptions & Applied<S>): Float32Array;
  /** Takes a tensor, which has its shape and is given back; ONNX Runtime's and transformers.js's, too. */
  apply<X extends TensorInput>(x: X, options: WithoutShape<ApplyOptions> & OffsetOrPositions & AxisOf<X>): X;
  /**
   * Prepares what `apply` does for the values of a buffer, which have this shape, to be done for one position after
   * another. A view of a part of a buffer, as `subarray` gives it, is taken too. Rotary and buffer must not be deleted before
   * it is used the last time.
   *
   * Throws a TypeError for what is no buffer of float32 values, a RangeError for a shape that does not fit.
   *
   * @example
   * ```ts
   * const [rope, q] = [pe.rotary({ dim: 8, layout: "half" }), pe.buffer(2 * 8)];
   * const step = rope.step(q, { shape: [1, 2, 8], seqAxis: 0 });
   * q.view.fill(1);
   * step.apply(1);
   * console.log(q.view[0]?.toFixed(6)); // -0.301169
   * ```
   */
  step<const S extends readonly number[]>(
    x: FloatBuffer | Float32Array,
    options: StepOptions & NamedAxis<S>,
  ): RotaryStep;
  /**
   * The cosines and sines by which `apply` rotates, times the attention factor; each [positions, rotaryDim / 2]. Throws a
   * TypeError for both or neither of `length` and `positions`.
   *
   * @example
   * ```ts
   * const { cos, sin } = pe.rotary({ dim: 8, layout: "half" }).cache({ length: 16 });
   * console.log(cos.shape, sin.data[4]?.toFixed(6)); // [ 16, 4 ] 0.841471
   * ```
   */
  cache(positions: Positions & LengthOrPositions & OutOption<RotaryOuts>): { cos: TensorResult; sin: TensorResult };
}

/** The options of `rotary` in posenc/full. */
export interface PreciseRotaryOptions extends RotaryOptions {
  /**
   * - `"exact"` (the default): cosines and sines of the true angles, each rounded once.
   * - `"float32"`: of the angles that Hugging Face transformers computes in float32, step by step as it does, for
   *   comparison with a port of it. At large positions they are far from the true ones: with base 10000 and 128 dimensions
   *   cosines are off by up to 1.4e-4 at position 4095, by 2.5e-2 at 1048575. Every rule of `scaling` works; of
   *   `exponent` only `"paper"`. Powers of the base are correctly rounded here; PyTorch's may differ by 1 ulp.
   */
  precision?: "exact" | "float32";
}

/** Two arrays, or with the form `"ggml"` one for both. */
export type HalfRotaryCache<F extends CacheForm, D extends HalfDType> = F extends "ggml"
  ? { cosSin: HalfTensor<D> }
  : { cos: HalfTensor<D>; sin: HalfTensor<D> };

/** The rotary of posenc/full: values of 16 bits too. */
export interface StoredRotary extends Rotary {
  /** {@inheritDoc Rotary.apply} */
  apply<const S extends readonly number[]>(
    x: Float32Array,
    options: SliceApplyOptions & Applied<S> & Float32Option,
  ): Float32Array;
  /**
   * Rotates values of 16 bits in place and returns them: in float32, by the float32 cosines and sines, rounded to their
   * type once. The bits in a Uint16Array need their `dtype`.
   */
  apply<const S extends readonly number[], X extends Float16Data>(
    x: X,
    options: SliceApplyOptions & Applied<S> & { dtype?: "float16" },
  ): X;
  /** The values of a tensor of any type, which has its shape and names its dtype. It is given back. */
  apply<X extends AnyTensor>(x: X, options: WithoutShape<SliceApplyOptions> & OffsetOrPositions & AxisOf<X>): X;
  /** The bits of either type. */
  apply<const S extends readonly number[]>(
    x: Uint16Array,
    options: SliceApplyOptions & Applied<S> & HalfOption,
  ): Uint16Array;
  /** Rotates data of any type, for code that leaves it open. */
  apply<const S extends readonly number[], D extends HalfDType>(
    x: HalfData<D>,
    options: SliceApplyOptions & Applied<S> & HalfOption<D>,
  ): HalfData<D>;
  /** {@inheritDoc Rotary.cache} */
  cache(positions: Positions & LengthOrPositions & OutOption<RotaryOuts> & Float32Option): {
    cos: TensorResult;
    sin: TensorResult;
  };
  /** Cosines and sines, times the attention factor, rounded from double to this type, once. */
  cache<D extends HalfDType>(
    positions: Positions & LengthOrPositions & OutOption<RotaryOuts<HalfData<D>>> & HalfOption<D>,
  ): { cos: HalfTensor<D>; sin: HalfTensor<D> };
}

/**
 * How cosines and sines of r rotated dimensions, r/2 pairs, are stored, for n positions:
 *
 * - `"onnx"`: cos and sin [n, r/2]: ONNX's RotaryEmbedding (cos_cache, sin_cache), flash-attention.
 * - `"huggingface"`: cos and sin [1 or batch, n, r], all pairs and then all again: Llama in transformers.
 * - `"huggingface-interleaved"`: the same with each pair twice in a row: GPT-J, Cohere in transformers.
 * - `"ggml"`: one array [n, r], cosine and sine of each pair alternating.
 *
 * A form says nothing of the layout of the dimensions that are rotated.
 */
export type CacheForm = "onnx" | "huggingface" | "huggingface-interleaved" | "ggml";

/** Names the rotary whose cosines and sines are written, the positions, and the implementation whose form they get. */
export interface RotaryCacheOptions<F extends CacheForm = CacheForm> extends Positions {
  /** The rotary that has the frequencies and the attention factor. */
  rotary: Rotary;
  /** Has no default. */
  form: F;
}

/** Two arrays, or with the form `"ggml"` one for both. */
export type RotaryCache<F extends CacheForm = CacheForm> = F extends "ggml"
  ? { cosSin: TensorResult }
  : { cos: TensorResult; sin: TensorResult };

/** Arrays for the cache: `cos` and `sin`, or with the form `"ggml"` `cosSin`. */
export type CacheOut<F extends CacheForm, T = Float32Array> = OutOption<
  F extends "ggml" ? Outs<"cosSin", T> : RotaryOuts<T>
>;

/** How a cache of any form is applied. */
export interface RotateWithAnyCache extends ApplyOptions {
  /** The layout of the rotated dimensions; it has no default. */
  layout: Layout;
}

/**
 * A cache made elsewhere, and how to rotate by it. A cache [rows, …] or [1, rows, …] is a table: `positions` are the
 * rows that tokens take, whole numbers; `offset`, `offset + 1`, … by default. A cache [batch, sequence, …] has a row
 * for each token, and needs `batchAxis`. The number of rotated dimensions is the cache's.
 */
export type RotateWithCacheOptions = RotateWithAnyCache &
  ({ form: Exclude<CacheForm, "ggml">; cos: TensorInput; sin: TensorInput } | { form: "ggml"; cosSin: TensorInput });

/** The rotary of the keys, and how far they are to move. */
export interface ShiftRotatedOptions extends TensorAxes {
  /** The rotary of the keys. */
  rotary: Rotary;
  /** How many positions they move on: one number, or one for each token. Negative and fractional ones too. */
  by: number | PositionList;
}

/** The positions of rotated keys, the plan that rotated them and the one that should have. */
export interface RotateAgainOptions extends TensorAxes, PositionOptions {
  /** The rotary of the keys, at the positions given. */
  from: Rotary;
  /** The rotary that should have rotated them: of the same dim, rotaryDim and layout. */
  to: Rotary;
}

/** Which rotation's matrix, and at which position. */
export interface RotaryMatrixOptions extends OutOption {
  /** Its layout and attention factor count too. */
  rotary: Rotary;
  /** Any number: negative and fractional too. */
  position: number;
  /** The transpose. */
  inverse?: boolean;
}

/**
 * Fourier position embedding (Hua et al. 2024, arXiv 2412.17739; vLLM's `FourierRotaryEmbedding`): pair m of head h has
 * cosine Σ cosines[h, n, m] · cos(p · base^(-2n/dim)) at position p, over the n frequencies that are kept, and sines
 * likewise. Pairs behind the last column have cosine 1 and sine 0.
 */
export interface FopeOptions extends Positions, OutOption<RotaryOuts> {
  /** Dimensions of a head, all of which are pairs: even. */
  dim: number;
  /** 10000 by default. */
  base?: number;
  /** [heads, kept frequencies, pairs]: a model's `cos_coef`. The heads are those of the keys. */
  cosines: TensorInput;
  /** Coefficients of sines: `sin_coef`. */
  sines: TensorInput;
  /** The trained length: a RangeError unless the kept frequencies are those above 2π / originalLength. */
  originalLength?: number;
}

/** Functions that go with rotary position embeddings, in posenc/full. */
export interface RotaryTools {
  /**
   * FoPE's cosines and sines, [heads, positions, dim / 2]: off by half a last bit and 2e-14 of the sum of a pair's
   * coefficients. `rotateWithCache` takes them in the form `"onnx"`, with the heads of keys as the batch, `batchAxis: 0`,
   * for x [heads, seq, dim] or [heads, queries of a head, seq, dim].
   */
  fope(options: FopeOptions & LengthOrPositions): { cos: TensorResult; sin: TensorResult };
  /**
   * The cosines and sines by which `rotary.apply` rotates, in the form that an implementation reads. Positions [batch,
   * sequence] put the batch in front of the shape.
   * Throws a TypeError without a `form`, and for both or neither of `length` and `positions`.
   *
   * @example
   * ```ts
   * const rotary = pe.rotary({ dim: 8, layout: "half" });
   * const { cos, sin } = pe.rotaryCache({ rotary, form: "onnx", length: 16 });
   * console.log(cos.shape, sin.shape); // [ 16, 4 ] [ 16, 4 ]
   * // new ort.Tensor("float32", cos.data, cos.shape) is the cos_cache of ONNX's RotaryEmbedding
   * const llama = pe.rotaryCache({ rotary, form: "huggingface", positions: [7] });
   * console.log(llama.cos.shape, llama.cos.data[0] === llama.cos.data[4]); // [ 1, 1, 8 ] true
   * const half = pe.rotaryCache({ rotary, form: "onnx", length: 16, dtype: "float16" });
   * console.log(half.cos.dtype); // float16
   * ```
   */
  rotaryCache<F extends CacheForm>(
    options: RotaryCacheOptions<F> & LengthOrPositions & CacheOut<F> & Float32Option,
  ): RotaryCache<F>;
  /** The cache rounded from double to a type of 16 bits, once, the attention factor included. */
  rotaryCache<F extends CacheForm, D extends HalfDType>(
    options: RotaryCacheOptions<F> & LengthOrPositions & CacheOut<F, HalfData<D>> & HalfOption<D>,
  ): HalfRotaryCache<F, D>;
  /**
   * Rotates `x` in place by a cache of cosines and sines that was made elsewhere, and returns it. In the forms that
   * hold every number twice both must agree: a cache of another form is a RangeError and not a wrong result.
   *
   * @example
   * ```ts
   * const rotary = pe.rotary({ dim: 8, layout: "half" });
   * const cache = pe.rotaryCache({ rotary, form: "huggingface", length: 4 });
   * const x = { data: new Float32Array(4 * 8).fill(1), shape: [4, 8] };
   * pe.rotateWithCache(x, { form: "huggingface", layout: "half", ...cache });
   * console.log(x.data[8]?.toFixed(6)); // -0.301169
   * ```
   */
  rotateWithCache<const S extends readonly number[]>(
    x: Float32Array,
    options: RotateWithCacheOptions & Applied<S>,
  ): Float32Array;
  /** Takes a tensor, which has its shape and is given back; ONNX Runtime's and transformers.js's, too. */
  rotateWithCache<X extends TensorInput>(
    x: X,
    options: WithoutShape<RotateWithCacheOptions> & OffsetOrPositions & AxisOf<X>,
  ): X;
  /**
   * Moves keys that `rotary.apply` has rotated at positions p to p + by, in place, and returns them: what a cache needs
   * when its first entries are dropped. An attention factor in them stays there, once.
   *
   * Throws a RangeError for an attention factor of 0, and what `apply` throws.
   *
   * @example
   * ```ts
   * const rotary = pe.rotary({ dim: 8, layout: "half" });
   * const keys = rotary.apply({ data: new Float32Array(2 * 8).fill(1), shape: [2, 8] }, { offset: 5 });
   * pe.shiftRotated(keys, { rotary, by: -5 }); // as if they had been at 0 and 1
   * console.log(keys.data[0]?.toFixed(5)); // 1.00000
   * ```
   */
  shiftRotated<const S extends readonly number[]>(
    x: Float32Array,
    options: ShiftRotatedOptions & NamedAxis<S>,
  ): Float32Array;
  /** Takes a tensor, which has its shape and is given back; ONNX Runtime's and transformers.js's, too. */
  shiftRotated<X extends TensorInput>(x: X, options: WithoutShape<ShiftRotatedOptions> & AxisOf<X>): X;
  /**
   * Takes keys that `from` has rotated to what `to` would have made of them, in place, and returns them: for a cache that
   * outlives its frequencies, as with the rules "dynamic" and "longrope". One rotation, by the exact difference.
   */
  rotateAgain<const S extends readonly number[]>(
    x: Float32Array,
    options: RotateAgainOptions & Applied<S>,
  ): Float32Array;
  /** Takes a tensor, which has its shape and is given back; ONNX Runtime's and transformers.js's, too. */
  rotateAgain<X extends TensorInput>(
    x: X,
    options: WithoutShape<RotateAgainOptions> & OffsetOrPositions & AxisOf<X>,
  ): X;
  /** The matrix R [dim, dim] by which a head is multiplied at a position: R · x is what `apply` makes of x. */
  rotaryMatrix(options: RotaryMatrixOptions): TensorResult;
  /**
   * How far two rotations are apart at each of the distances: the largest over their pairs. No score q·k with |q| = |k| =
   * 1 in the rotated dimensions differs by more than `score`; where layouts are the same, some differ by it.
   */
  rotaryDifference(options: RotaryDifferenceOptions): RotaryDifference;
  /**
   * Queries, keys, or the weight or bias of W_q or W_k with each head's dimensions where another layout has them: a new
   * tensor, exact. A model with both converted gives the same scores in the other layout; from `"interleaved"` to
   * `"half"` is what Hugging Face's conversion of Llama checkpoints does.
   *
   * Throws a RangeError where the axis has no whole number of heads.
   *
   * @example
   * ```ts
   * const q = { data: Float32Array.of(0, 1, 2, 3), shape: [1, 4] };
   * const made = pe.convertLayout(q, { dim: 4, from: "interleaved", to: "half", axis: -1 });
   * console.log([...made.data].join(" ")); // 0 2 1 3
   * ```
   */
  convertLayout(x: TensorInput, options: ConvertLayoutOptions): TensorResult;
  /**
   * Positions of packed sequences, each from 0, by their cumulative lengths (cu_seqlens): [0, 3, 5] gives 0 1 2 0 1.
   * Throws a RangeError for boundaries that do not begin with 0 or fall.
   *
   * @example
   * ```ts
   * console.log([...pe.packedPositions([0, 3, 5]).data].join(" ")); // 0 1 2 0 1
   * ```
   */
  packedPositions(boundaries: NumberList, options?: IdsOut): Ids;
  /**
   * Positions from an attention mask, of its shape: how many tokens come before each token in its row.
   * Padding has position 1 unless `padding` says otherwise. Throws a RangeError for other values than 0 and 1.
   *
   * @example
   * ```ts
   * const mask = { data: [0, 0, 1, 1, 1], shape: [1, 5] };
   * console.log([...pe.maskPositions(mask).data].join(" ")); // 1 1 0 1 2
   * ```
   */
  maskPositions(mask: AttentionMask, options?: MaskPositionsOptions): Ids;
  /**
   * Linear attention with rotated features (Su et al. 2021, "RoFormer", section 3.3), [queries, dv] or [heads, queries,
   * dv]: Σ (R f(q)) · (R f(k)) v / Σ f(q) · f(k), f(x) = elu(x) + 1. The denominator is not rotated. Time and memory grow
   * with queries + keys.
   */
  linearAttention(options: LinearAttentionOptions): TensorResult;
  /**
   * Proven bounds, not samples, of what an arithmetic makes of a plan: how far angles, cosines and sines, rotated dimensions and
   * scores may be from those of the true angles, at any position, for any input and whatever a library function gives
   * within its ulps. Most errors are many times smaller.
   *
   * An error e of an angle moves a cosine or a pair by at most min(e, 2) of its norm, and roundings add to it. In a score
   * both sides have the same frequencies, whose errors count for the distance of the positions; all of both norms may
   * are in the worst pair. Its sum over dimensions, and what follows it, is not counted.
   *
   * Assumed is: IEEE 754, round to nearest; dimensions and cosines neither subnormal nor beyond their type; functions within
   * the ulps given, for an angle of any size, and never beyond 1; numbers of the scaling
   * rule (YaRN's range, ggml's divisors, the attention factor) that are the plan's, rounded once.
   */
  certify(plan: CertifiedPlan, options: CertifyOptions): Certificate;
  /** Certifies each plan of a model, with its layers' own scale of scores where `scale` is left out. */
  certify(model: Model, options: CertifyOptions): ModelCertificate[];
  /** Rotary embedding with scales that make scores fall with distance. */
  xpos(options: XposOptions): Xpos;
}

/** Two rotations of as many rotated dimensions, and how far queries and keys are apart. */
export interface RotaryDifferenceOptions extends OutOption<Outs<keyof RotaryDifference, Float64Array>> {
  /** The one. */
  a: Rotary;
  /** The other, with as many rotated dimensions. */
  b: Rotary;
  /** Finite numbers. */
  distances: ArrayLike<number>;
}

/** A value for each distance. */
export interface RotaryDifference {
  /** The difference of angles, in radians, whole turns included. */
  angle: Float64Array;
  /** The difference of cosines, each times its attention factor. */
  cosine: Float64Array;
  /**
   * The difference of scores. Where the layouts differ, pairs are of other dimensions, and it is the most it can be: m²
   * + n², of both factors.
   */
  score: Float64Array;
}

/** The layouts to convert between, and the axis of x that has the dimensions of the heads. */
export interface ConvertLayoutOptions extends OutOption {
  /** Dimensions of a head. */
  dim: number;
  /** How many of them rotate; dim by default. The others stay where they are. */
  rotaryDim?: number;
  /** The layout that x has. */
  from: "half" | "interleaved";
  /** The layout that the result is to have. */
  to: "half" | "interleaved";
  /**
   * The axis of x that holds the dimensions of the heads, heads · dim of them or dim: the last one of queries, keys and a
   * projection's bias, 0 of its weight [heads · dim, in]. Has no default.
   */
  axis: number;
}
