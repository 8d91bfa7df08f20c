import type { IdsOut, NumberList, OutOption, Shaped } from "./base.js";
import type { Layout } from "./rotary.js";

/**
 * How the exponent of a frequency grows with its index i, for an encoding of dim d:
 *
 * - `"paper"`: base^(-2i/d), as in "Attention Is All You Need" (2017), section 3.5.
 * - `"double-stepped"`: base^(-4i/d), what a loop prints that counts i = 0, 2, 4, … and then doubles it again. A
 *   widespread slip; here so that a port can be compared.
 * - `"half"`: base^(-i/(h - shift)) with h = floor(d / 2): i/h as in ggml, i/(h - 1) as in tensor2tensor and Whisper,
 *   either in diffusers.
 */
export type Exponent = "paper" | "double-stepped" | "half";

/** The frequencies of an encoding. */
export interface FrequencyOptions {
  /** Dimensions of the encoding, a whole number >= 1. There are ceil(dim / 2) frequencies, floor(dim / 2) for `"half"`. */
  dim: number;
  /** Base of the geometric progression (theta). */
  base?: number;
  /** `"paper"` by default. */
  exponent?: Exponent;
  /**
   * For `"half"`, 0 by default; 1 makes the last frequency 1 / base. At most 2^53; floor(dim / 2) would divide by 0.
   */
  shift?: number;
  /** The factor of every frequency; 1 by default. */
  scale?: number;
}

/** The options of `frequencies`. */
export interface FrequencyListOptions extends FrequencyOptions, ScalingOptions, OutOption<Float64Array> {
  /** The dimensions that rotate, of a rotary's options: the frequencies are theirs; dim by default. */
  rotaryDim?: number;
  /** May be there, as options of a rotary have it: frequencies do not depend on it. */
  layout?: Layout;
}

/** Frequencies in radians a position, as doubles. */
export interface FrequencyList {
  /** Radians a position, one for each index i. */
  data: Float64Array;
  /** [ceil(dim / 2)] */
  shape: number[];
  /** The factor of cosines and sines; scores are multiplied by its square: 1 without scaling. */
  attentionFactor: number;
}

/**
 * How rotary frequencies are changed so that a model reads further than it was trained.
 *
 * In the formulas inv is a frequency before scaling, base^(-2i/d), d the exponent's denominator, f the `factor`,
 * L0 the `originalLength` and n the `length` beside the rule. Factors are numbers in 0.000001 … 1000000, lengths
 * numbers in 2 … 2^53. The attention factor multiplies cosines and sines; it is 1 where nothing else is said.
 */
export type Scaling =
  | DefaultScaling
  | LinearScaling
  | NtkScaling
  | DynamicScaling
  | YarnScaling
  | LongRopeScaling
  | Llama3Scaling
  | ProportionalScaling
  | GivenScaling;

/** inv as it is. */
export interface DefaultScaling {
  type: "default";
}

/** Position interpolation: inv / f. */
export interface LinearScaling {
  type: "linear";
  /** f: how many times as far the model is to read. */
  factor: number;
}

/** NTK-aware, static: base · f^(d/(d-2)), which keeps the first frequency and divides the last by f. d > 2. */
export interface NtkScaling extends Pick<LinearScaling, "factor"> {
  type: "ntk";
}

/**
 * NTK that grows with the length: base · (f·m/L0 - (f-1))^(d/(d-2)), m = max(n, L0). d > 2. Needs `length`: rotated
 * keys that are kept while it grows have to be rotated again.
 */
export interface DynamicScaling {
  type: "dynamic";
  /** f: how steeply the base grows with the length. */
  factor: number;
  /** L0, the length of training. */
  originalLength: number;
}

/**
 * YaRN: inv where a frequency makes more than `betaFast` rotations in L0 positions, inv / f below `betaSlow`, and a
 * ramp over the index between them. Needs a base > 1.
 *
 * Attention factor: `attentionFactor` if given; else g(mscale) / g(mscaleAllDim) if both are given and neither is 0;
 * else g(1). g(m) = 0.1 m ln f + 1, and 1 where f <= 1.
 */
export interface YarnScaling extends Pick<LinearScaling, "factor">, Pick<DynamicScaling, "originalLength"> {
  type: "yarn";
  /** Frequencies that make more cycles in L0 positions stay as they are; at least `betaSlow`. */
  betaFast?: number;
  /** Frequencies that make fewer cycles in L0 positions are divided. */
  betaSlow?: number;
  /** Whether the ramp's ends are rounded outwards to whole indices; true by default. */
  truncate?: boolean;
  /** The attention factor, in place of the one that follows from `factor`. */
  attentionFactor?: number;
  /** m above the line of the attention factor (DeepSeek's `mscale`). */
  mscale?: number;
  /** m below it (`mscale_all_dim`). */
  mscaleAllDim?: number;
}

/**
 * LongRoPE: inv / longFactor[i] when n > L0 (strictly), else inv / shortFactor[i]. Needs `length`.
 * Attention factor: `attentionFactor` if given, else 1 for f <= 1, else sqrt(1 + ln f / ln L0).
 */
export interface LongRopeScaling extends Pick<YarnScaling, "originalLength" | "attentionFactor"> {
  type: "longrope";
  /** How much longer than L0 the model reads; decides the attention factor alone. */
  factor: number;
  /** A divisor for each rotated pair, up to L0. */
  shortFactor: ArrayLike<number>;
  /** A divisor for each rotated pair, beyond L0. */
  longFactor: ArrayLike<number>;
}

/**
 * Llama 3.1: with t = L0 · inv / 2π rotations in L0 positions, inv where t >= high, inv / f where t <= low, and between
 * them inv · ((1-s)/f + s), s = (t - low) / (high - low). `low` may equal `high`.
 */
export interface Llama3Scaling extends Pick<DynamicScaling, "originalLength"> {
  type: "llama3";
  /** f, the divisor of the slowest frequencies. */
  factor: number;
  /** `low_freq_factor` of a config. */
  lowFrequencyFactor?: number;
  /** `high_freq_factor` of a config. */
  highFrequencyFactor?: number;
}

/**
 * p-RoPE: the first floor(fraction · rotaryDim / 2) frequencies are inv / f, the others 0: those pairs are not rotated,
 * wherever the layout puts them (in layout "half" their dimensions are not contiguous).
 */
export interface ProportionalScaling {
  type: "proportional";
  /** The share of the frequencies that are not 0. */
  fraction?: number;
  /** The divisor. */
  factor?: number;
}

/** Frequencies of your own, in radians a position, one for each rotated pair; base and exponent are not used. */
export interface GivenScaling {
  type: "given";
  /** Radians a position, one for each rotated pair. */
  frequencies: ArrayLike<number>;
  /** The factor of cosines and sines. */
  attentionFactor?: number;
}

/** Options that go with scaled frequencies. */
export interface ScalingOptions {
  /** The denominator d of the exponent, where it is not the number of rotated dimensions. Does not change which rotate. */
  exponentDim?: number;
  /** The rule; frequencies stay as they are by default. */
  scaling?: Scaling;
  /** How many positions the model reads: for the rules "dynamic" and "longrope", which must have it. */
  length?: number;
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
  positions?: PositionList;
}

/** The one or the other, so that a call with both or neither does not compile. */
export type LengthOrPositions =
  | { length: number; positions?: undefined }
  | { positions: PositionList; length?: undefined; offset?: undefined };

/**
 * A list of positions, one for each index of the sequence axis; or, with its shape, [sequence] or [batch, sequence]:
 * then each row of the batch has a list of its own.
 */
export type PositionList = NumberList | Shaped<NumberList>;

/** Which position each token has. */
export interface PositionOptions {
  /** Position of the first token; 0 by default. Give this or `positions`. */
  offset?: number;
  /** The position of each token: fractional and negative ones too, in any order. */
  positions?: PositionList;
}

/** The one, the other or neither. */
export type OffsetOrPositions = { offset?: undefined } | { positions?: undefined };

/** Which axis of an array is the sequence's. */
export interface SequenceAxis {
  /**
   * The index of the axis along which positions count, negative from the end. Has no default where there are three axes
   * or more (a RangeError): [seq, heads, dim] has 0, [heads, seq, dim] has 1, [batch, heads, seq, dim] has -2. Of two
   * axes it is the one that has not the dimensions.
   */
  seqAxis?: number;
}

/** Shape of an array, and which axis is which: in any order, negative ones counting from the end. */
export interface TensorAxes extends SequenceAxis {
  /** Row-major. Axes that are not named are heads, or anything else that is rotated alike. */
  shape: readonly number[];
  /** The dimensions of a head; the last axis by default. */
  dimAxis?: number;
  /**
   * The axis whose indices have positions of their own, where these are [batch, sequence]: 0 in [batch, seq, heads, dim].
   * Has no default then (a RangeError).
   */
  batchAxis?: number;
}

/** A shape of three axes or more that is written out has the axis of the sequence beside it. */
export type NamedAxis<Shape extends readonly number[]> = { shape: Shape } & AxisOf<{ shape: Shape }>;

/** The same of a tensor, where its type has three axes or more. */
export type AxisOf<X> = X extends
  | { shape: readonly [unknown, unknown, unknown, ...unknown[]] }
  | { dims: readonly [unknown, unknown, unknown, ...unknown[]] }
  ? { seqAxis: number }
  : unknown;

/** An attention mask, [sequence] or [batch, sequence]: 1 or true for a token, 0 or false for padding. */
export type AttentionMask = Shaped<NumberList | readonly boolean[]>;

/** Options of `maskPositions`: the position of padding, and where it writes. */
export interface MaskPositionsOptions extends IdsOut {
  /** The position of padding, which nothing should read: 1 by default, as in Hugging Face transformers; 0 elsewhere. */
  padding?: number;
}
