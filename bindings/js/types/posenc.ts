import type { AttentionOptions } from "./attention.js";
import type { SinusoidalGridOptions } from "./axial_sinusoid.js";
import type { FourierOptions, NerfOptions } from "./fourier.js";
import type { FrequencyList, FrequencyOptions } from "./frequencies.js";
import type { HubConfig } from "./hub-config.js";
import type { RelativeEncodings } from "./relative-encodings.js";
import type { Rotary, RotaryOptions } from "./rotary.js";
import type { ScalingOptions } from "./scaling.js";
import type { ShiftMatrixOptions, ShiftOptions, SinusoidalOptions } from "./sinusoidal.js";
import type { Tensor } from "./tensor.js";

/** The library, loaded. */
export interface Posenc extends RelativeEncodings {
  /** A table of sinusoids, [positions, dim]. */
  sinusoidal(options: SinusoidalOptions): Tensor;
  /** Sinusoids of a grid's coordinates, [...shape, dim]. */
  sinusoidalGrid(options: SinusoidalGridOptions): Tensor;
  /**
   * The matrix M [dim, dim] that takes every encoding to the one `by` positions on: M · row(p) = row(p + by). Needs a
   * cosine for every sine: an even dim, or the exponent `"half"`.
   */
  shiftMatrix(options: ShiftMatrixOptions): Tensor;
  /** The same map applied to a table [..., dim], without the matrix; a new tensor. */
  shift(table: Tensor, options: ShiftOptions): Tensor;
  /** Fourier features of points, [points, 2 * features]. */
  fourier(options: FourierOptions): Tensor;
  /** NeRF's encoding of points, [points, inputs * 2 * levels]. */
  nerf(options: NerfOptions): Tensor;
  /**
   * The inverse frequencies in radians a position, [ceil(dim / 2)] ([floor(dim / 2)] for the exponent `"half"`), as
   * doubles, and the attention factor.
   */
  frequencies(options: FrequencyOptions & ScalingOptions): FrequencyList;
  rotary(options: RotaryOptions): Rotary;
  /**
   * Reads the rotary plans out of the object parsed from a model's config.json (Hugging Face transformers 4 and 5).
   * A RangeError names a wrong key with its path: "rope_scaling.factor: …".
   */
  hubConfig(config: object): HubConfig;
  /** Absolute encoding added to embeddings: x [..., n, dim] + table [n' >= n, dim], row by row; a new tensor. */
  add(x: Tensor, table: Tensor): Tensor;
  /** x Wᵀ, as torch.nn.functional.linear without bias: x [..., in], weight [out, in], result [..., out]. */
  linear(x: Tensor, weight: Tensor): Tensor;
  /** Scaled dot-product attention, softmax(scale · Q Kᵀ) V with or without a bias, and the softmax's rows. */
  attention(options: AttentionOptions): { output: Tensor; weights: Tensor };
}
