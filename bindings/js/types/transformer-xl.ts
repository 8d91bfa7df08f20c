import type { AttentionOuts, AttentionTensors } from "./attention.js";
import type { OutOption } from "./out.js";
import type { Tensor } from "./tensor.js";

/** softmax(scale · ((q + u) kᵀ + (q + v) rᵀ)) V, Dai et al. (2019). The memory is keys before the first query. */
export interface TransformerXlOptions extends AttentionTensors, OutOption<AttentionOuts> {
  /**
   * The projected relative vectors R W_kR in compact form, [queries + keys - 1, d] or [heads, queries + keys - 1, d],
   * from the farthest key before a query on; see `relativeSinusoidal` with `form: "compact"`, `sign: "query-minus-key"`.
   */
  relative: Tensor;
  /** u, [d] or [heads, d] */
  contentBias: Tensor;
  /** v, [d] or [heads, d] */
  positionBias: Tensor;
  /** Length of the memory; 0 by default. */
  queryOffset?: number;
  /** `"mask"`: a query sees no key after it. `"keep"` by default. */
  future?: "keep" | "mask";
}
