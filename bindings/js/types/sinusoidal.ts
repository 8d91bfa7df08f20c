import type { FrequencyOptions } from "./frequencies.js";
import type { Positions } from "./positions.js";

/**
 * Where sine and cosine of frequency i go in a row of dim d:
 *
 * - `"interleaved"`: sine in lane 2i, cosine in lane 2i + 1 (the paper). When d is odd the last lane is a sine.
 * - `"split"`: all sines (ceil(d / 2) of them), then all cosines (floor(d / 2)).
 */
export type Order = "interleaved" | "split";

export interface SinusoidalOptions extends FrequencyOptions, Positions {
  /** `"interleaved"` by default. */
  order?: Order;
}
