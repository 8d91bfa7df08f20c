import type { Tensor } from "./tensor.js";

export interface AttentionOptions {
  /** [queries, d] */
  query: Tensor;
  /** [keys, d] */
  key: Tensor;
  /** [keys, dv] */
  value: Tensor;
  /** What scores are multiplied by; 1 / sqrt(d) by default. */
  scale?: number;
}
