import type { AttentionOptions } from "./attention.js";
import type { FrequencyList, FrequencyOptions } from "./frequencies.js";
import type { HubConfig } from "./hub-config.js";
import type { Rotary, RotaryOptions } from "./rotary.js";
import type { ScalingOptions } from "./scaling.js";
import type { SinusoidalOptions } from "./sinusoidal.js";
import type { Tensor } from "./tensor.js";

/** The library, loaded. */
export interface Posenc {
  /** A table of sinusoids, [positions, dim]. */
  sinusoidal(options: SinusoidalOptions): Tensor;
  /** The inverse frequencies in radians a position, [ceil(dim / 2)], as doubles, and the attention factor. */
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
  /** Scaled dot-product attention for one head: softmax(scale · Q Kᵀ) V, and the softmax's rows. */
  attention(options: AttentionOptions): { output: Tensor; weights: Tensor };
}
