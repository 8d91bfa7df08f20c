import type { OutOption } from "./out.js";
import type { Order } from "./sinusoidal.js";

/** What one unit of weight × coordinate turns: sin(2π w x), sin(π w x) or sin(w x). */
export type AngleUnit = "turns" | "half-turns" | "radians";

/** Sines and cosines of weighted sums of coordinates; the result has shape [points, 2 * features]. */
export interface FourierOptions extends OutOption {
  /** Coordinates, `inputs` of them a point. */
  points: ArrayLike<number>;
  /** The weights B, [features, inputs] row by row: random or learned, they are yours. */
  weights: ArrayLike<number>;
  /** Coordinates of a point; 1 by default. */
  inputs?: number;
  /**
   * Has no default:
   *
   * - `"diffusers"`: GaussianFourierProjection: [sin | cos] of 2π w ln x. Its `flip_sin_to_cos` is the order
   *   `"cosines-first"`, its `log` is `logarithmic`.
   * - `"rff"`: random-fourier-features-pytorch: [cos | sin] of 2π B x.
   */
  preset: "diffusers" | "rff";
  /** `"turns"` by default. */
  unit?: AngleUnit;
  /** The preset's by default. */
  order?: Order;
  /** Encode ln x in place of x; every coordinate must then be > 0. The preset's by default. */
  logarithmic?: boolean;
}

/** NeRF's encoding (Mildenhall et al. 2020) of points: each coordinate by the powers 2^k, k = 0 … levels - 1. */
export interface NerfOptions extends OutOption {
  /** Coordinates, `inputs` of them a point. */
  points: ArrayLike<number>;
  /** Coordinates of a point; 1 by default. */
  inputs?: number;
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
  /** The preset's by default: `"half-turns"` for the paper, `"radians"` for its code. */
  unit?: AngleUnit;
}
