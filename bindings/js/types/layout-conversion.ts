import type { OutOption } from "./out.js";

/** From which layout to which, and where the lanes of the heads stand in x. */
export interface ConvertLayoutOptions extends OutOption {
  /** Lanes of a head. */
  dim: number;
  /** How many of them rotate; dim by default. The others stay where they are. */
  rotaryDim?: number;
  /** The layout that x has. */
  from: "half" | "interleaved";
  /** The layout that the result is to have. */
  to: "half" | "interleaved";
  /**
   * The axis of x that holds the lanes of the heads, heads · dim of them or dim: the last one of queries, keys and a
   * projection's bias, 0 of its weight [heads · dim, in]. Has no default.
   */
  axis: number;
}
