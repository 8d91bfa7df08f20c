import type { AttentionTensors } from "./attention.js";
import type { OutOption } from "./out.js";
import type { Rotary } from "./rotary.js";

/** Queries, keys and values of linear attention, and how their features are rotated. */
export interface LinearAttentionOptions extends Omit<AttentionTensors, "scale">, OutOption {
  /** Rotates the features; its dim is that of queries and keys. */
  rotary: Rotary;
  /** Query i sees keys 0 … i + queryOffset alone; false by default. */
  causal?: boolean;
  /** Index of the first query among the keys: while decoding, how many keys come before it. 0 by default. */
  queryOffset?: number;
  /** [queries]; queryOffset + i by default. */
  queryPositions?: ArrayLike<number>;
  /** [keys]; 0, 1, … by default. */
  keyPositions?: ArrayLike<number>;
}
