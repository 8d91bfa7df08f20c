import type { OutOption } from "./out.js";
import type { BiasOptions } from "./relative.js";

interface AlibiSlopeRule {
  heads: number;
  /**
   * Which slopes a number of heads has that is no power of two: `"paper"` (the default; BLOOM, ggml) or `"mpt"` (MPT).
   * For a power of two both are 2^(-steepness · h / heads), h = 1 … heads.
   */
  slopes?: "paper" | "mpt";
  /** 8 by default; MPT's `alibi_bias_max`. */
  steepness?: number;
}

export interface AlibiSlopesOptions extends AlibiSlopeRule, OutOption {}

export interface AlibiOptions extends AlibiSlopeRule, BiasOptions {
  /**
   * What a slope is multiplied by, for d = key - query: `"symmetric"`, -|d| (the default), or `"linear"`, d, which
   * gives BLOOM's bias up to a constant of each row. They differ where the key comes after the query.
   */
  distance?: "symmetric" | "linear";
}
