import type { OutOption } from "./out.js";
import type { BiasOptions } from "./relative.js";

/** Which slope each head of ALiBi has (Press et al. 2022). */
interface AlibiSlopeRule {
  /** How many heads, each with a slope of its own. */
  heads: number;
  /**
   * Which slopes a number of heads has that is no power of two: `"paper"` (the default; BLOOM, ggml) or `"mpt"` (MPT).
   * For a power of two both are 2^(-steepness · h / heads), h = 1 … heads.
   */
  slopes?: "paper" | "mpt";
  /** 8 by default; MPT's `alibi_bias_max`. */
  steepness?: number;
}

/** The heads whose slopes `alibiSlopes` gives, and where it writes them. */
export interface AlibiSlopesOptions extends AlibiSlopeRule, OutOption {}

/** ALiBi's bias: the heads' slopes, the queries and keys that meet, and what slopes are multiplied by. */
export interface AlibiOptions extends AlibiSlopeRule, BiasOptions {
  /**
   * What a slope is multiplied by, for d = key - query: `"symmetric"`, -|d| (the default), or `"linear"`, d, which
   * gives BLOOM's bias up to a constant of each row. They differ where the key comes after the query.
   */
  distance?: "symmetric" | "linear";
}
