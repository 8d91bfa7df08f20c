import type { AttentionTerms, WeightsOption } from "./attention.js";
import type { OutOption, Outs, Tensor, TensorInput, TensorResult } from "./base.js";
import type { LinearLayer } from "./layers.js";

/**
 * W^Q, W^K, W^V and W^O. Rows h · d … (h + 1) · d - 1 of W^Q are head h's, so that q = W_h x. torch's in_proj_weight
 * holds the first three, one after the other.
 */
export interface MultiHeadLayers {
  /** [heads * d, width of query] */
  query: LinearLayer;
  /** [kvHeads * d, width of key] */
  key: LinearLayer;
  /** [kvHeads * dv, width of value] */
  value: LinearLayer;
  /** [width of the output, heads * dv] */
  out: LinearLayer;
}

/** Inputs, layers and heads of multi-head attention, and what attention takes beside them. */
export interface MultiHeadInputs extends AttentionTerms {
  /** [queries, width] or [batch, queries, width] */
  query: TensorInput;
  /** The tensor that keys are made of, [keys, width] or [batch, keys, width]; `query` by default: self-attention. */
  key?: TensorInput;
  /** The tensor that values are made of; by default the keys'. */
  value?: TensorInput;
  /** The projections of queries, keys, values and of the output. */
  layers: MultiHeadLayers;
  /** How many heads queries have. */
  heads: number;
  /** A divisor of heads; heads by default. */
  kvHeads?: number;
}

/** Arrays for the results. */
export type MultiHeadOuts = Outs<"output" | "weights"> & { saved?: Outs<"query" | "key" | "value" | "context"> };

/** Multi-head attention, and where to write its results. */
export interface MultiHeadOptions extends MultiHeadInputs, WeightsOption, OutOption<MultiHeadOuts> {}

/** Intermediate results, for backward and for the reader. Without a batch its axis is missing. */
export interface MultiHeadSaved {
  /** [batch, heads, queries, d] */
  query: Tensor;
  /** [batch, kvHeads, keys, d] */
  key: Tensor;
  /** [batch, kvHeads, keys, dv] */
  value: Tensor;
  /** The heads' outputs, concatenated: [batch, queries, heads * dv]. */
  context: Tensor;
}

/** The output of multi-head attention, and what its backward pass needs. */
export interface MultiHeadOutput {
  /** [batch, queries, width of the output] */
  output: TensorResult;
  /** The intermediate results that `multiHeadBackward` needs. */
  saved: MultiHeadSaved;
}

/** The result with `weights: true`. */
export interface MultiHeadResult extends MultiHeadOutput {
  /** The softmax's rows of each head, before dropout: [batch, heads, queries, keys]. */
  weights: TensorResult;
}

/** Arrays for the gradients that there are. */
export type MultiHeadBackwardOuts = Outs<"query" | "key" | "value" | "bias"> & {
  layers?: Outs<"query" | "key" | "value" | "out", Outs<"weight" | "bias">>;
};

/** The options of forward, what it saved, and the gradient of its output. */
export interface MultiHeadBackwardOptions extends MultiHeadInputs, OutOption<MultiHeadBackwardOuts> {
  /** The intermediate results that `multiHeadAttention` returned. */
  saved: MultiHeadSaved;
  /** The gradient of the output, in its shape. */
  gradient: TensorInput;
}

/** Each in the shape of what it is the gradient of. */
export interface MultiHeadGradients {
  /** The gradient of `query`, including what came through `key` and `value` where `query` was used for them. */
  query: TensorResult;
  /** The gradient of `key`, if it was given, including what came through `value` where `key` was used for it. */
  key?: TensorResult;
  /** The gradient of `value`, if it was given. */
  value?: TensorResult;
  /** The gradients of the weights and biases, in their shapes. */
  layers: MultiHeadLayers;
  /** The gradient of the scores' bias, where there was one. */
  bias?: TensorResult;
}
