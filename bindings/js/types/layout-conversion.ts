import type { OutOption } from "./out.js";

export interface ConvertLayoutOptions extends OutOption {
  /** Lanes of a head. */
  dim: number;
  /** How many of them rotate; dim by default. The others stay where they are. */
  rotaryDim?: number;
  from: "half" | "interleaved";
  to: "half" | "interleaved";
  /**
   * The axis of x that holds the lanes of the heads, heads · dim of them or dim: the last one of queries, keys and a
   * projection's bias, 0 of its weight [heads · dim, in]. Has no default.
   */
  axis: number;
}
