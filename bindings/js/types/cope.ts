import type { OutOption, Outs } from "./out.js";
import type { Tensor } from "./tensor.js";

/** Contextual position encoding, Golovneva et al. (2024). */
export interface CopeOptions extends OutOption<Outs<"bias" | "counts">> {
  /** [queries, d] or [heads, queries, d] */
  query: Tensor;
  /** The scores before this bias, [queries, keys] or [heads, queries, keys]; the gates are their sigmoids. */
  logits: Tensor;
  /** One row a position, [positions, d], shared by the heads; the paper's pos_emb, transposed. */
  embedding: Tensor;
  /** 0 by default. */
  queryOffset?: number;
  /** `"mask"` (the default): keys after the query open no gate and get -Infinity. `"keep"`: they count. */
  future?: "keep" | "mask";
}
