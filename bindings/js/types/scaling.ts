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
export interface NtkScaling {
  type: "ntk";
  /** f: how many times as far the model is to read. */
  factor: number;
}

/**
 * NTK that grows with the length: base · (f·m/L0 - (f-1))^(d/(d-2)), m = max(n, L0). d > 2. Needs `length`: whoever
 * keeps rotated keys while it grows has to rotate them again.
 */
export interface DynamicScaling {
  type: "dynamic";
  /** f: how steeply the base grows with the length. */
  factor: number;
  /** L0, the length of training. */
  originalLength: number;
}

/**
 * YaRN: inv where a frequency turns more than `betaFast` times in L0 positions, inv / f below `betaSlow` times, and a
 * ramp over the index between them. Needs a base > 1.
 *
 * Attention factor: `attentionFactor` if given; else g(mscale) / g(mscaleAllDim) if both are given and neither is 0;
 * else g(1). g(m) = 0.1 m ln f + 1, and 1 where f <= 1.
 */
export interface YarnScaling {
  type: "yarn";
  /** f: how many times as far the model is to read. */
  factor: number;
  /** L0, the length of training. */
  originalLength: number;
  /** 32 by default, at least `betaSlow`. */
  betaFast?: number;
  /** 1 by default. */
  betaSlow?: number;
  /** Whether the ramp's ends are rounded outwards to whole indices; true by default. */
  truncate?: boolean;
  /** In place of what follows from the factor. */
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
export interface LongRopeScaling {
  type: "longrope";
  /** How much longer than L0 the model reads; decides the attention factor alone. */
  factor: number;
  /** L0, the length of training. */
  originalLength: number;
  /** A divisor for each rotated pair, up to L0. */
  shortFactor: ArrayLike<number>;
  /** A divisor for each rotated pair, beyond L0. */
  longFactor: ArrayLike<number>;
  /** In place of what follows from the factor. */
  attentionFactor?: number;
}

/**
 * Llama 3.1: with t = L0 · inv / 2π turns in L0 positions, inv where t >= high, inv / f where t <= low, and between
 * them inv · ((1-s)/f + s), s = (t - low) / (high - low). `low` may equal `high`.
 */
export interface Llama3Scaling {
  type: "llama3";
  /** f, the divisor of the slowest frequencies. */
  factor: number;
  /** L0, the length of training. */
  originalLength: number;
  /** `low_freq_factor` of a config; 1 by default. */
  lowFrequencyFactor?: number;
  /** `high_freq_factor` of a config; 4 by default. */
  highFrequencyFactor?: number;
}

/**
 * p-RoPE: the first floor(fraction · rotaryDim / 2) frequencies are inv / f, the others 0: those pairs stand still,
 * wherever the layout puts them (in layout "half" their lanes are not contiguous).
 */
export interface ProportionalScaling {
  type: "proportional";
  /** 0 … 1; 1 by default. */
  fraction?: number;
  /** 1 by default. */
  factor?: number;
}

/** Frequencies of your own, in radians a position, one for each rotated pair; base and exponent have no say. */
export interface GivenScaling {
  type: "given";
  /** Radians a position, one for each rotated pair. */
  frequencies: ArrayLike<number>;
  /** 1 by default. */
  attentionFactor?: number;
}

/** What goes with frequencies that are scaled. */
export interface ScalingOptions {
  /** The denominator d of the exponent, where it is not the number of rotated lanes. Does not change which rotate. */
  exponentDim?: number;
  /** The rule; frequencies stay as they are by default. */
  scaling?: Scaling;
  /** How many positions the model reads: for the rules "dynamic" and "longrope", which must have it. */
  length?: number;
}
