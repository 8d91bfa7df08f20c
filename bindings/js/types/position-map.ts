import type { OutOption, Outs } from "./base.js";
import type { Ids, RelativeShape } from "./relative.js";

/** Which map, and for which queries and keys. Query i is at position queryOffset + i, from 0 on, key j at position j. */
export interface PositionMapOptions
  extends PositionRule,
    RelativeShape,
    OutOption<Outs<"distances" | "queryPositions" | "keyPositions", Float64Array> & Outs<"region", Int32Array>> {}

/**
 * Which map of positions. With w, g and f for `window`, `group` and `factor`, c = chunkSize - localSize, and ⌊ ⌋ rounding
 * down, the score of a query at position i and a key at j has distance
 *
 * - `"self-extend"` (Jin et al. 2024; datamllab/LongLM): i - j where that is below w, else ⌊i/g⌋ - ⌊j/g⌋ + w - ⌊w/g⌋. The
 *   authors' Llama patch does not round w/g: let g divide w.
 * - `"rerope"` (bojone/rerope): i - j where that is below w, else w.
 * - `"leaky-rerope"` (bojone/rerope, `scaling_factor` f): i - j where that is below w, else w + (i - j - w) / f.
 * - `"dual-chunk"` (An et al. 2024; Qwen2.5-1M's `dual_chunk_attention_config`): i - j within a chunk of c positions,
 *   min(i mod c + c, chunkSize) - j mod c for the chunk before, min(2c - 1, chunkSize) - j mod c for earlier ones.
 *
 * By what they multiply queries or keys is left out: log(i + 1) / log(trained length), at least 1, in bojone/rerope;
 * 0.1 ln(length / original length) + 1, at least 1, of keys in vLLM's dual chunks.
 */
export interface PositionRule {
  /** Has no default. */
  type: "self-extend" | "rerope" | "leaky-rerope" | "dual-chunk";
  /** For all but `"dual-chunk"`: at least 1. */
  window?: number;
  /** For `"self-extend"`: at least 1. */
  group?: number;
  /** For `"leaky-rerope"`: at least 1. */
  factor?: number;
  /** For `"dual-chunk"`: at least 1. */
  chunkSize?: number;
  /** For `"dual-chunk"`: less than chunkSize. */
  localSize?: number;
}

/**
 * The names of a map's regions. In each of them a score is the product of a query and a key, rotated for the region.
 */
export type PositionRegion = "window" | "group" | "beyond" | "leaky" | "intra" | "succ" | "inter";

/** Float64 values with their shape, in row-major order. */
export interface PositionTensor extends Pick<Ids, "shape"> {
  /** The values, as many as the extents multiply to. */
  data: Float64Array;
}

/** Which relative position each score has, and how rotations make it. */
export interface PositionMap {
  /** Query less key, [queries, keys]; i - j where the key comes after the query. */
  distances: PositionTensor;
  /** Which of the regions each pair is in, [queries, keys]; -1 where the key comes after the query, which all mask. */
  region: Ids;
  /** Two or three, from near to far. */
  regions: PositionRegion[];
  /** Positions of the queries by region, [regions, queries]: `positions` for a batch of them, a row for each region. */
  queryPositions: PositionTensor;
  /** Positions of the keys by region, [regions, keys]. */
  keyPositions: PositionTensor;
}
