/** A float32 array with its shape, in row-major order (the last axis is contiguous). */
export interface Tensor {
  data: Float32Array;
  shape: number[];
}

/**
 * Which positions to encode: give `length` (positions `offset`, `offset + 1`, … `offset + length - 1`)
 * or `positions` (any list: fractional, negative, in any order), not both.
 *
 * Positions are doubles. They are exact as long as |position × largest frequency| is at most 2^53 radians; beyond
 * that a RangeError is thrown.
 */
export interface Positions {
  /** How many consecutive positions, a whole number >= 0. */
  length?: number;
  /** The first of them; 0 by default. May be negative or fractional. */
  offset?: number;
  /** The positions themselves, one a row. */
  positions?: ArrayLike<number>;
}

/**
 * How the exponent of a frequency grows with its index i, for an encoding of dim d:
 *
 * - `"paper"`: base^(-2i/d), as in "Attention Is All You Need" (2017), section 3.5.
 * - `"double-stepped"`: base^(-4i/d), what a loop prints that counts i = 0, 2, 4, … and then doubles it again. A
 *   widespread slip; here so that a port can be compared.
 */
export type Exponent = "paper" | "double-stepped";

/** The frequencies of an encoding. */
export interface FrequencyOptions {
  /** Lanes of the encoding, a whole number >= 1. There are ceil(dim / 2) frequencies. */
  dim: number;
  /** Base of the geometric progression (theta), any finite number > 0; 10000 by default. */
  base?: number;
  /** `"paper"` by default. */
  exponent?: Exponent;
}

/**
 * Where sine and cosine of frequency i go in a row of dim d:
 *
 * - `"interleaved"`: sine in lane 2i, cosine in lane 2i + 1 (the paper). When d is odd the last lane is a sine.
 * - `"split"`: all sines (ceil(d / 2) of them), then all cosines (floor(d / 2)).
 */
export type Order = "interleaved" | "split";

export interface SinusoidalOptions extends FrequencyOptions, Positions {
  /** `"interleaved"` by default. */
  order?: Order;
}

/**
 * Which lanes of a head are rotated together, for r rotated lanes:
 *
 * - `"half"`: lane i with lane i + r/2 (GPT-NeoX; Llama in Hugging Face transformers).
 * - `"interleaved"`: lane 2i with lane 2i + 1 (RoFormer, GPT-J).
 * - `"deinterleaved"`: lanes 2i and 2i + 1 are read, lanes i and i + r/2 are written (DeepSeek's `rope_interleave`).
 *   Scores are those of `"interleaved"`; the lanes come out in another order.
 */
export type Layout = "half" | "interleaved" | "deinterleaved";

export interface RotaryOptions {
  /** Lanes of a head, the last axis of what is rotated. */
  dim: number;
  /** Has no default: mixing layouts up gives wrong scores and no error. */
  layout: Layout;
  /** 10000 by default. */
  base?: number;
  /** How many lanes rotate, the first ones: an even number in 2 … dim; dim by default. The others pass through. */
  rotaryDim?: number;
  /** `"paper"` by default: base^(-2i/rotaryDim). */
  exponent?: Exponent;
}

export interface ApplyOptions {
  /** Shape of the data. The last axis is the head's lanes. */
  shape: readonly number[];
  /** Position of the first token; 0 by default. Give this or `positions`. */
  offset?: number;
  /** Position of each token, one for each index of the sequence axis. */
  positions?: ArrayLike<number>;
  /**
   * Which axis of `shape` is the sequence; negative counts from the end. By default -3, as in [..., seq, heads, dim];
   * for two axes, [seq, dim], the first.
   */
  seqAxis?: number;
  /** Rotate back: the transpose of the rotation, so that applying both changes nothing but rounding. */
  inverse?: boolean;
}

/** A rotary position embedding: frequencies and layout, ready to be applied to queries and keys. */
export interface Rotary {
  readonly dim: number;
  readonly rotaryDim: number;
  readonly layout: Layout;
  /** Rotates `x` in place and returns it. Nothing of `x` changes when an error is thrown. */
  apply(x: Float32Array, options: ApplyOptions): Float32Array;
  /** The cosines and sines by which `apply` rotates; each [positions, rotaryDim / 2]. */
  cache(positions: Positions): { cos: Tensor; sin: Tensor };
  /** Frees the memory held in the module; afterwards the object must not be used. Optional: it is also collected. */
  delete(): void;
  [Symbol.dispose](): void;
}

export interface AttentionOptions {
  /** [queries, d] */
  query: Tensor;
  /** [keys, d] */
  key: Tensor;
  /** [keys, dv] */
  value: Tensor;
  /** What scores are multiplied by; 1 / sqrt(d) by default. */
  scale?: number;
}

/** The library, loaded. */
export interface Posenc {
  /** A table of sinusoids, [positions, dim]. */
  sinusoidal(options: SinusoidalOptions): Tensor;
  /** The inverse frequencies in radians a position, [ceil(dim / 2)], as doubles. */
  frequencies(options: FrequencyOptions): { data: Float64Array; shape: number[] };
  rotary(options: RotaryOptions): Rotary;
  /** Absolute encoding added to embeddings: x [..., n, dim] + table [n' >= n, dim], row by row; a new tensor. */
  add(x: Tensor, table: Tensor): Tensor;
  /** x Wᵀ, as torch.nn.functional.linear without bias: x [..., in], weight [out, in], result [..., out]. */
  linear(x: Tensor, weight: Tensor): Tensor;
  /** Scaled dot-product attention for one head: softmax(scale · Q Kᵀ) V, and the softmax's rows. */
  attention(options: AttentionOptions): { output: Tensor; weights: Tensor };
}
