import type { SumPrecisionOption } from "./attention.js";
import type { OutOption, Outs, TensorInput, TensorResult } from "./base.js";
import type { SequenceAxis } from "./frequencies.js";
import type { RowGradientOptions } from "./learned.js";

/** x Wᵀ + b, as torch.nn.Linear stores it. */
export interface LinearLayer {
  /** [out, in] */
  weight: TensorInput;
  /** [out]; none by default. */
  bias?: TensorInput;
}

/** Options of `linear` beside x and weight: the layer's bias. */
export interface LinearOptions extends Pick<LinearLayer, "bias">, SumPrecisionOption, OutOption {}

/** The inputs of a linear layer, and the gradient of its output. */
export interface LinearBackwardOptions
  extends Pick<LinearLayer, "weight">,
    SumPrecisionOption,
    OutOption<Outs<"x" | "weight" | "bias">> {
  /** [..., in] */
  x: TensorInput;
  /** The gradient of the result: [..., out]. */
  gradient: TensorInput;
}

/** The gradients of a linear layer, each in the shape of what it is the gradient of. */
export interface LinearGradients extends Record<"x" | "weight", TensorResult> {
  /** `[out]`, for a layer that has one. */
  bias: TensorResult;
}

/** The output of `softmax`, and its gradient. */
export interface SoftmaxBackwardOptions extends SumPrecisionOption, OutOption {
  /** The weights that `softmax` returned. */
  weights: TensorInput;
  /** The gradient of the weights, in their shape. */
  gradient: TensorInput;
}

/** Into how many heads `splitHeads` cuts the last axis. */
export interface HeadsOptions extends OutOption {
  /** A divisor of the last axis. */
  heads: number;
}

/** How large the table was that was added to embeddings, for its gradient. */
export interface AddBackwardOptions extends Pick<RowGradientOptions, "rows">, SequenceAxis, OutOption {}

/** The arguments of the module of that name in PyTorch's tutorial. */
export interface PositionalEncodingOptions {
  /** Width of the embeddings. */
  dModel: number;
  /** 0.1 by default. */
  dropout?: number;
  /** 5000 by default; a longer x is refused. */
  maxLen?: number;
}

/** A module that adds a sinusoidal table to embeddings, with dropout. */
export interface PositionalEncoding {
  /** [maxLen, dModel] */
  table: TensorResult;
  /**
   * dropout(x + table[0 … n - 1]) for x [..., dModel], with n tokens along `seqAxis`: 1 in [batch, n, dModel], 0 in the
   * tutorial's [n, batch, dModel]. Training needs a seed: another one each step.
   */
  forward(x: TensorInput, mode: { training: boolean; seed?: number } & SequenceAxis & OutOption): TensorResult;
}

/**
 * Inverted dropout: an element becomes 0 with probability p and is divided by 1 - p otherwise. Whether element i is
 * dropped depends on seed and i alone (word i mod 4 of Philox4x32-10 at counter i / 4, key seed, is below 2³² p), on
 * every machine. The gradient of what went in is the same dropout of the gradient of what came out.
 */
export interface Dropout {
  /** The probability of a 0. */
  p: number;
  /** A whole number from 0 to 2^53 - 1. It has no default; without training it may be left out. */
  seed?: number;
  /** i of the first element, for a slice of something longer. */
  offset?: number;
  /** `false`, evaluation: everything stays as it is. `true` by default. */
  training?: boolean;
}
