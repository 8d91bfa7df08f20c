import type { OutOption } from "./base.js";
import type { Exponent, FrequencyOptions, Positions } from "./frequencies.js";

/**
 * Where sine and cosine of frequency i go in a row of dim d:
 *
 * - `"interleaved"`: sine in dimension 2i, cosine in dimension 2i + 1 (the paper).
 * - `"split"`: all sines, then all cosines.
 * - `"cosines-first"`: all cosines, then all sines.
 *
 * When d is odd, the exponent `"half"` leaves the last dimension 0; the other exponents have one more sine than cosines.
 */
export type Order = "interleaved" | "split" | "cosines-first";

/**
 * The options of an implementation:
 *
 * - `"paper"`: "Attention Is All You Need" (2017).
 * - `"tensor2tensor"`: `get_timing_signal_1d`: [sin | cos], exponent i/(half - 1); an odd dim ends with 0.
 * - `"whisper"`: the same for even dims from 4 on; anything else is an error, as there.
 * - `"diffusers"`: `get_timestep_embedding` of Hugging Face diffusers with its defaults. Its flags have other names here:
 *   `flip_sin_to_cos` is the order `"cosines-first"`, `downscale_freq_shift` (1 by default) is `shift`, `max_period` is
 *   `base`, `scale` is `scale`. Stable Diffusion: `{ preset: "diffusers", order: "cosines-first", shift: 0 }`.
 * - `"ggml"`: `ggml_timestep_embedding`: [cos | sin], exponent i/half; an odd dim ends with 0.
 * - `"mlx"`: `mlx.nn.SinusoidalPositionalEncoding`: [sin | cos], exponent i/(half - 1), times sqrt(2 / dim); even dims
 *   from 4 on. Its `min_freq` is 1 / base, its `scale` is `amplitude`, `full_turns` is a scale of 2π.
 */
export type SinusoidPreset = "paper" | "tensor2tensor" | "whisper" | "diffusers" | "ggml" | "mlx";

/** A sinusoidal encoding: a preset, and what is to differ from it. */
export interface SinusoidOptions extends FrequencyOptions {
  /** `"paper"` by default: the options left out are those of the paper. */
  preset?: SinusoidPreset;
  /** The preset's by default, `"interleaved"` for the paper. */
  order?: Order;
  /** The factor of sines and cosines; the preset's by default, 1 for most. */
  amplitude?: number;
}

/** The plan of a preset and the options beside it: sines and cosines of position * frequency, and their dimensions. */
export interface SinusoidalPlan extends Required<Pick<SinusoidOptions, "dim" | "base">> {
  /** How the exponent of frequency i grows with i. */
  exponent: Exponent;
  /** As it is in force: 0 beside any exponent but `"half"`, and where a preset does without, as for a single frequency. */
  shift: number;
  /** The factor of every frequency. */
  scale: number;
  /** How sines and cosines share the dimensions of a row. */
  order: Order;
  /** The factor of sines and cosines. */
  amplitude: number;
  /** The dimension of the sine of each frequency. */
  sines: number[];
  /**
   * The dimension of the cosine of each frequency, -1 where there is none: for an odd dim the last one's, except that the
   * exponent `"half"` has a cosine for every sine and leaves the last dimension 0.
   */
  cosines: number[];
}

/** A table of sinusoids: the encoding, the positions, how exact it is to be, and where to write it. */
export interface SinusoidalOptions extends SinusoidOptions, Positions, OutOption {
  /**
   * - `"exact"` (the default): in double, rounded once.
   * - `"fast"`: in float32, from exact parts: within 1.5e-7 of the formula at any whole position up to 2^44. As exact
   *   where a position is no whole number, and where an amplitude other than 1, or a dimension that is always 0, is wanted.
   */
  precision?: "exact" | "fast";
}

/** Options of `sinusoidal` in `posenc/full`. */
export interface PaddedSinusoidalOptions extends SinusoidalOptions {
  /**
   * The row of this position is 0, as that of fairseq's padding_idx; none by default. With the preset `"tensor2tensor"` and
   * `paddedPositions` as positions these are fairseq's sinusoids, and those of the models that took them from there.
   */
  paddingIdx?: number;
}

/** The encoding, and how far its rows are to move. */
export interface ShiftMatrixOptions extends SinusoidOptions, OutOption {
  /** How many positions to move on: any number, negative and fractional too. */
  by: number;
}

/** The options that the table was made with, and how many positions to move on. */
export type ShiftOptions = ShiftMatrixOptions;

/** The angle of one unit of weight × coordinate: sin(2π w x), sin(π w x) or sin(w x). */
export type AngleUnit = "cycles" | "half-cycles" | "radians";

/** Sines and cosines of weighted sums of coordinates; the result has shape [points, 2 * features]. */
export interface FourierOptions extends OutOption {
  /** Coordinates, `inputs` of them a point. */
  points: ArrayLike<number>;
  /** The weights B, [features, inputs] row by row: random or learned, they are yours. */
  weights: ArrayLike<number>;
  /** Coordinates of a point. */
  inputs?: number;
  /**
   * Has no default:
   *
   * - `"diffusers"`: GaussianFourierProjection: [sin | cos] of 2π w ln x. Its `flip_sin_to_cos` is the order
   *   `"cosines-first"`, its `log` is `logarithmic`.
   * - `"rff"`: random-fourier-features-pytorch: [cos | sin] of 2π B x.
   */
  preset: "diffusers" | "rff";
  /** `"cycles"` by default. */
  unit?: AngleUnit;
  /** The preset's by default. */
  order?: Order;
  /** Encode ln x in place of x; every coordinate must then be > 0. The preset's by default. */
  logarithmic?: boolean;
}

/** NeRF's encoding (Mildenhall et al. 2020) of points: each coordinate by the powers 2^k, k = 0 … levels - 1. */
export interface NerfOptions extends Pick<FourierOptions, "points" | "inputs">, OutOption {
  /** L, from 1 to 52. */
  levels: number;
  /**
   * `"paper"` by default:
   *
   * - `"paper"`: equation 4, coordinate by coordinate sin(πx), cos(πx), sin(2πx), cos(2πx), …; [points, inputs * 2 * levels].
   * - `"code"`: bmild/nerf: the coordinates themselves, then level by level the sines of all 2^k x, then their cosines,
   *   without π; [points, inputs * (1 + 2 * levels)].
   */
  preset?: "paper" | "code";
  /** The preset's by default: `"half-cycles"` for the paper, `"radians"` for its code. */
  unit?: AngleUnit;
}
