import type { BiasOptions } from "./relative.js";

/** KERPLE (Chi et al. 2022). r1 and r2 are learned, one of each a head; their length is the number of heads. */
export interface KerpleOptions extends BiasOptions {
  /** Has no default: `"logarithmic"`, -r1 · ln(1 + r2 |d|), or `"power"`, -r1 · |d|^r2. */
  kernel: "logarithmic" | "power";
  /** Finite numbers > 0. The authors' code holds them at 0.01 or more while it trains. */
  r1: Float32Array;
  /** Finite numbers > 0; for `"power"` at most 2. */
  r2: Float32Array;
}
