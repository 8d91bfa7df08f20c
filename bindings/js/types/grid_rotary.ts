import type { OutOption } from "./out.js";
import type { Releasable } from "./releasable.js";
import type { Layout, RotaryOuts } from "./rotary.js";
import type { Tensor } from "./tensor.js";

/**
 * Rotary position embeddings of grids as implementations have them. c is dim / axes; where nothing else is said the
 * frequencies of an axis are base^(-2i/c) with base 10000, coordinates are indices from 0, and the axes' pairs come in the
 * order of the grid.
 *
 * - `"axial"`: nobody's: any number of axes. `layout`, and `axes` or `lanes`, have to be given.
 * - `"qwen2-vl"`: the vision towers of Qwen2-VL, 2.5 and 3 (transformers): [h, w], or [t, h, w] with t not rotated;
 *   `"half"`. Their patches stand in blocks: `mergeSize: 2`.
 * - `"pixtral"`: transformers: [h, w]; one list of frequencies of dim, even ones for h, odd ones for w; `"half"`.
 * - `"dinov3"`: transformers: [h, w]; centres of patches in [-1, 1], angles 2π · coordinate · 100^(-2i/c); `"half"`. The
 *   random shifts of training are left out: give moved `points`. Class and register tokens are `prefixTokens`.
 * - `"llama4"`: its vision tower (transformers): [h, w], w's pairs first, indices from 1; `"interleaved"`. Its class token
 *   comes last: `suffixTokens: 1`.
 * - `"timm"`: RotaryEmbeddingCat as EVA-02 uses it: [h, w]; `"interleaved"`. `reference` is its `ref_feat_shape`.
 * - `"timm-pixel"`: its default, `in_pixels`: points from -1 to 1, π times numbers from 1 to maxFrequency / 2 (224 / 2)
 *   at equal ratios.
 * - `"rope-vit"`: RoPE-Axial (Heo et al. 2024): [h, w], w's pairs first, base 100; `"interleaved"`.
 * - `"croco"`: RoPE2D of CroCo, DUSt3R and VGGT: [h, w], base 100; `"half"` within the lanes of each axis.
 * - `"rotary-embedding-torch"`: its axial frequencies for language: any number of axes; `"interleaved"`.
 * - `"rotary-embedding-torch-pixel"`: those for pixels: points from -1 to 1, π times numbers from 1 to maxFrequency / 2
 *   (10 / 2) at equal distances.
 * - `"wan"`: Wan 2.1 (diffusers): [t, h, w]; h and w have 2 · floor(dim / 6) lanes, t the rest; `"interleaved"`.
 * - `"cogvideox"`: CogVideoX (diffusers) without crops: [t, h, w]; dim/4, 3/8 dim and 3/8 dim lanes; `"interleaved"`.
 * - `"hunyuan-video"`: HunyuanVideo (diffusers): [t, h, w]; 16, 56 and 56 lanes for dim 128; base 256; `"interleaved"`.
 * - `"flux"`: FLUX.1 (diffusers): the same with base 10000. Its ids are points (0, y, x), (0, 0, 0) for text.
 */
export type GridRotaryPreset =
  | "axial"
  | "qwen2-vl"
  | "pixtral"
  | "dinov3"
  | "llama4"
  | "timm"
  | "timm-pixel"
  | "rope-vit"
  | "croco"
  | "rotary-embedding-torch"
  | "rotary-embedding-torch-pixel"
  | "wan"
  | "cogvideox"
  | "hunyuan-video"
  | "flux";

/** How `rotaryGrid` rotates: a preset, and what is to differ from it. */
export interface GridRotaryOptions {
  /** Has no default: the conventions differ, and a wrong one gives no error. */
  preset: GridRotaryPreset;
  /** Lanes of a head, the last axis of what is rotated. */
  dim: number;
  /** `"half"` or `"interleaved"`; the preset's by default. */
  layout?: Exclude<Layout, "deinterleaved">;
  /** The preset's by default. Not for pixel frequencies. */
  base?: number;
  /** How many coordinates a point has, 1 to 8, where the preset leaves it open. */
  axes?: number;
  /** How many lanes each axis rotates, in the order of the grid: even numbers. Lanes left over pass through. */
  lanes?: readonly number[];
  /** The index of the first cell; the preset's by default. */
  start?: number;
  /** The grid of pretraining: index i of n is encoded as (start + i) · reference / n. */
  reference?: readonly number[];
  /** Cells of a grid stand block by block, each mergeSize × mergeSize cells of its last two axes. 1 by default. */
  mergeSize?: number;
  /** Of pixel frequencies alone; at least 2. */
  maxFrequency?: number;
}

/** Points to rotate by: those of a grid, or any. Give the one or the other. */
export interface GridPoints {
  /** Extents, [h, w] or [t, h, w]: its cells in row-major order are the points. */
  grid?: readonly number[];
  /** The coordinates themselves, point by point: [points, axes]. Negative and fractional ones too. */
  points?: ArrayLike<number>;
  /** Tokens in front of the points that are not rotated: class and register tokens. 0 by default. */
  prefixTokens?: number;
  /** The same behind the points, where a class token comes last. 0 by default. */
  suffixTokens?: number;
}

/** What is rotated: its shape, and the points that its tokens stand at. */
export interface GridRotaryApply extends GridPoints {
  /** Shape of the data. The last axis is the head's lanes. */
  shape: readonly number[];
  /**
   * Which axis of `shape` is the sequence; negative counts from the end. By default -3, as in [..., seq, heads, dim]; for
   * two axes, [seq, dim], the first. `points` may be one list for all, or one for each index of the axes in front.
   */
  seqAxis?: number;
  /** Rotate back. */
  inverse?: boolean;
}

/** For which points cosines and sines are wanted, and in what form. */
export interface GridRotaryCache extends GridPoints, OutOption<RotaryOuts> {
  /** What a row holds: `"pairs"`, a value a pair (the default), or `"lanes"`, one a rotated lane, as most models have it. */
  row?: "pairs" | "lanes";
}

/** A rotary position embedding of points. Scores depend on the differences of coordinates alone. */
export interface GridRotary extends Releasable {
  /** Lanes of a head, rotated or not. */
  readonly dim: number;
  /** How many of them rotate. */
  readonly rotaryDim: number;
  /** Coordinates of a point. */
  readonly axes: number;
  /** How many heads have frequencies of their own; 1 where all have the same. */
  readonly heads: number;
  /**
   * Rotates `x` in place and returns it. Nothing of `x` changes when an error is thrown. With several `heads`, they are
   * the axis behind the sequence's or, where there is none, the one in front of it.
   */
  apply(x: Float32Array, options: GridRotaryApply): Float32Array;
  /** The cosines and sines by which `apply` rotates, [tokens, width], or [tokens, heads, width] with several heads. */
  cache(options: GridRotaryCache): { cos: Tensor; sin: Tensor };
  /** The points of a grid's cells, [cells, axes]. */
  points(grid: readonly number[], options?: OutOption<Float64Array>): Float64Array;
}

/** RoPE-Mixed (Heo et al. 2024, arXiv 2403.13298): the angle of a pair is the sum of coordinate × frequency over the axes. */
export interface MixedRotaryOptions {
  /** Lanes of a head, the last axis of what is rotated. */
  dim: number;
  /** Has no default. The authors' code has `"interleaved"`. */
  layout: Exclude<Layout, "deinterleaved">;
  /** [axes, heads, rotaryDim / 2], radians for a coordinate of 1: learned ones, or those of `mixedFrequencies`. */
  frequencies: ArrayLike<number>;
  /** 1 by default: all heads have the same frequencies. */
  heads?: number;
  /** 2 by default. */
  axes?: number;
  /**
   * Whose frequencies come first: `"last-first"`, x's, the last coordinate's (the authors' code; the default), or
   * `"first-first"`.
   */
  order?: "first-first" | "last-first";
  /** How many lanes rotate, the first ones; dim by default. */
  rotaryDim?: number;
}

/** How many frequencies training of RoPE-Mixed starts from, and their directions. */
export interface MixedFrequencyOptions extends OutOption<Float64Array> {
  /** Lanes that rotate: a multiple of 4. */
  dim: number;
  /** 1 by default. */
  heads?: number;
  /** 10 by default. */
  base?: number;
  /** Of the heads' random directions, a whole number; without it they are those of the axes. */
  seed?: number;
}
