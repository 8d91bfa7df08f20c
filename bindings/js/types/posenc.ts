import type { AttentionOptions } from "./attention.js";
import type { FloatBuffer } from "./buffer.js";
import type { FrequencyList, FrequencyListOptions } from "./frequencies.js";
import type { OutOption } from "./out.js";
import type { Rotary, RotaryOptions } from "./rotary.js";
import type { SinusoidalOptions } from "./sinusoidal.js";
import type { Tensor } from "./tensor.js";

/** The library, loaded from `posenc`. */
export interface Posenc {
  /** A table of sinusoids, [positions, dim]. */
  sinusoidal(options: SinusoidalOptions): Tensor;
  /**
   * The inverse frequencies in radians a position, [ceil(dim / 2)] ([floor(dim / 2)] for the exponent `"half"`), as
   * doubles, and the attention factor.
   */
  frequencies(options: FrequencyListOptions): FrequencyList;
  /** Rotary position embedding (RoPE): a plan that rotates queries and keys by their positions. */
  rotary(options: RotaryOptions): Rotary;
  /** Room for `length` float32 values in the library's own memory, all 0. */
  buffer(length: number): FloatBuffer;
  /** Absolute encoding added to embeddings: x [..., n, dim] + table [n' >= n, dim], row by row; a new tensor. */
  add(x: Tensor, table: Tensor, options?: OutOption): Tensor;
  /** x Wᵀ, as torch.nn.functional.linear without bias: x [..., in], weight [out, in], result [..., out]. */
  linear(x: Tensor, weight: Tensor, options?: OutOption): Tensor;
  /** Scaled dot-product attention, softmax(scale · Q Kᵀ) V with or without a bias, and the softmax's rows. */
  attention(options: AttentionOptions): { output: Tensor; weights: Tensor };
}
