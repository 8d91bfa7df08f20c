import type { BiasOptions } from "./relative.js";

export interface AlibiSlopesOptions {
  heads: number;
  /**
   * Which slopes a number of heads has that is no power of two: `"paper"` (the default; BLOOM, ggml) or `"mpt"` (MPT).
   * For a power of two both are 2^(-steepness · h / heads), h = 1 … heads.
   */
  slopes?: "paper" | "mpt";
  /** 8 by default; MPT's `alibi_bias_max`. */
  steepness?: number;
}

export interface AlibiOptions extends AlibiSlopesOptions, BiasOptions {
  /**
   * What a slope is multiplied by, for d = key - query: `"symmetric"`, -|d| (the default), or `"linear"`, d, which
   * gives BLOOM's bias up to a constant of each row. They differ where the key comes after the query.
   */
  distance?: "symmetric" | "linear";
}
