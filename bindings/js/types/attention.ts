import type { OutOption, Outs } from "./out.js";
import type { Tensor } from "./tensor.js";

/** Queries, keys and values of one head, or of several: then all three have a leading axis, heads. */
export interface AttentionTensors {
  /** [queries, d] or [heads, queries, d] */
  query: Tensor;
  /** [keys, d] or [heads, keys, d] */
  key: Tensor;
  /** [keys, dv] or [heads, keys, dv] */
  value: Tensor;
  /** What scores are multiplied by; 1 / sqrt(d) by default. */
  scale?: number;
}

/** Arrays for the output and for the softmax's rows. */
export type AttentionOuts = Outs<"output" | "weights">;

/** Scaled dot-product attention in `posenc`: its tensors, a bias of the scores, and where to write. */
export interface AttentionOptions extends AttentionTensors, OutOption<AttentionOuts> {
  /**
   * What is added to the scores, [heads, queries, keys] (or [queries, keys] for one head): finite, or -Infinity where a
   * query must not see a key. A query that sees none gets weights and outputs of 0.
   */
  bias?: Tensor;
  /**
   * Has no default and must stand beside `bias`, because both forms are in use and differ: `false` is
   * softmax(scale · Q Kᵀ + bias), as ALiBi and most implementations have it; `true` is softmax(scale · (Q Kᵀ + bias)),
   * as in softmax((Q Kᵀ + R) / sqrt(d)) V.
   */
  biasScaled?: boolean;
}

/** What attention gives: the output, and the weights that made it. */
export interface AttentionResult {
  /** [queries, dv] or [heads, queries, dv] */
  output: Tensor;
  /** The softmax's rows, [queries, keys] or [heads, queries, keys]. */
  weights: Tensor;
}
