import type { BooleanTensor } from "./attention.js";
import type { IdList, IdsOut, OutOption, Releasable, TensorInput, TensorResult, WithoutShape } from "./base.js";
import type { AxisOf, NamedAxis, TensorAxes } from "./frequencies.js";
import type { Ids } from "./relative.js";
import type { Layout, Rotary, RotaryOptions, RotaryOuts } from "./rotary.js";
import type { Order } from "./sinusoidal.js";

/**
 * The options of an implementation of grid encodings:
 *
 * - `"detr"`: DETR's PositionEmbeddingSine: [h, w], indices counted from 1, divided by
 *   (extent + 1e-6) and multiplied by 2π, y's dimensions then x's, interleaved. `normalised: false` leaves the counts.
 * - `"mae"`: MAE's get_2d_sincos_pos_embed: [h, w], the column's dimensions first, [sin | cos] each.
 * - `"timm"`: timm's build_sincos2d_pos_embed: [h, w], sin h, sin w, cos h, cos w.
 * - `"diffusers"`: get_2d_sincos_pos_embed of Hugging Face diffusers: MAE's dimensions, index i of n encoded as i / n · extent,
 *   which is its base_size / interpolation_scale: 16 by its defaults. Its extra_tokens are `prefixTokens`.
 * - `"positional-encodings"`: PositionalEncoding1D, 2D and 3D of the PyPI package: interleaved per axis; dimensions are
 *   rounded up to 2 for each axis and what is too many cut off.
 */
export type GridPreset = "detr" | "mae" | "timm" | "diffusers" | "positional-encodings";

/** Sinusoids of a grid's coordinates: each axis has dim / axes dimensions (c of them), frequencies base^(-2i/c). */
export interface SinusoidalGridOptions {
  /** Extents of the grid, slowest axis first: [h, w], or [length], [x, y, z] where the preset knows them. */
  shape: readonly number[];
  /** Dimensions of a cell: a multiple of twice the number of axes, but for `"positional-encodings"`. */
  dim: number;
  /** Has no default: the conventions differ, and a wrong one gives no error. */
  preset: GridPreset;
  /** DETR's and timm's temperature. */
  base?: number;
  /** Among an axis's dimensions; the preset's by default. */
  order?: Order;
  /** Which axis's dimensions come first, the first one's of the shape or the last one's; the preset's by default. */
  axes?: "first-first" | "last-first";
  /**
   * `"by-axis"`: all dimensions of an axis, then the next axis's. `"by-function"`: the sines of every axis, then their
   * cosines, which needs the order `"split"` or `"cosines-first"`. The preset's by default.
   */
  arrangement?: "by-axis" | "by-function";
  /** Whether index i of n is encoded as (start + i) / (n + epsilon) * extent rather than start + i. */
  normalised?: boolean;
  /** The coordinate of index 0: 1 for `"detr"`, otherwise 0. */
  start?: number;
  /** 2π by default, 16 for `"diffusers"`; only with normalised coordinates. */
  extent?: number;
  /** 1e-6 by default, 0 for `"diffusers"`; only with normalised coordinates. */
  epsilon?: number;
  /** Rows of zeros before the grid's; MAE's `cls_token` is 1. With any there is one axis of rows. */
  prefixTokens?: number;
  /**
   * A mask of the grid's shape, false where there is padding: indices then count what is no padding, as DETR does with
   * its `pixel_mask`. Padding has the coordinate of the cell before it.
   */
  mask?: BooleanTensor;
}

/**
 * Rotary position embeddings of grids as implementations have them. c is dim / axes; where nothing else is said the
 * frequencies of an axis are base^(-2i/c) with base 10000, coordinates are indices from 0, and the axes' pairs come in the
 * order of the grid.
 *
 * - `"axial"`: of no implementation: any number of axes. `layout`, and `axes` or `dims`, have to be given.
 * - `"qwen2-vl"`: the vision towers of Qwen2-VL, 2.5 and 3 (transformers): [h, w], or [t, h, w] with t not rotated;
 *   `"half"`. Its patches come in blocks: `mergeSize` has no default.
 * - `"pixtral"`: transformers: [h, w]; one list of frequencies of dim, even ones for h, odd ones for w; `"half"`.
 * - `"dinov3"`: transformers: [h, w]; centres of patches in [-1, 1], angles 2π · coordinate · 100^(-2i/c); `"half"`. The
 *   random shifts of training are left out: give moved `points`. Class and register tokens are `prefixTokens`.
 * - `"llama4"`: its vision tower (transformers): [h, w], w's pairs first, indices from 1; `"interleaved"`. Its class token
 *   comes last: `suffixTokens: 1`.
 * - `"timm"`: RotaryEmbeddingCat as EVA-02 uses it: [h, w]; `"interleaved"`. `reference` is its `ref_feat_shape`.
 * - `"timm-pixel"`: its default, `in_pixels`: points from -1 to 1, π times numbers from 1 to maxFrequency / 2 (224 / 2)
 *   at equal ratios.
 * - `"rope-vit"`: RoPE-Axial (Heo et al. 2024): [h, w], w's pairs first, base 100; `"interleaved"`.
 * - `"croco"`: RoPE2D of CroCo, DUSt3R and VGGT: [h, w], base 100; `"half"` within the dimensions of each axis.
 * - `"rotary-embedding-torch"`: its axial frequencies for language: any number of axes; `"interleaved"`.
 * - `"rotary-embedding-torch-pixel"`: those for pixels: points from -1 to 1, π times numbers from 1 to maxFrequency / 2
 *   (10 / 2) at equal distances.
 * - `"wan"`: Wan 2.1 (diffusers): [t, h, w]; h and w have 2 · floor(dim / 6) dimensions, t the rest; `"interleaved"`.
 * - `"cogvideox"`: CogVideoX (diffusers) without crops: [t, h, w]; dim/4, 3/8 dim and 3/8 dim dimensions; `"interleaved"`.
 * - `"hunyuan-video"`: HunyuanVideo (diffusers): [t, h, w]; 16, 56 and 56 dimensions for dim 128; base 256; `"interleaved"`.
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

/** Patches of this preset are ordered in blocks or by rows, which has no default. */
export type NamedMergeSize =
  | { preset: "qwen2-vl"; mergeSize: number }
  | { preset: Exclude<GridRotaryPreset, "qwen2-vl"> };

/** How `rotaryGrid` rotates: a preset, and what is to differ from it. */
export interface GridRotaryOptions extends Pick<RotaryOptions, "dim"> {
  /** Has no default: the conventions differ, and a wrong one gives no error. */
  preset: GridRotaryPreset;
  /** `"half"` or `"interleaved"`; the preset's by default. */
  layout?: Exclude<Layout, "deinterleaved">;
  /** The preset's by default. Not for pixel frequencies. */
  base?: number;
  /** How many coordinates a point has, 1 to 8, where the preset leaves it open. */
  axes?: number;
  /** How many dimensions each axis rotates, in the order of the grid: even numbers. Dimensions left over pass through. */
  dims?: readonly number[];
  /** The index of the first cell; the preset's by default. */
  start?: number;
  /** The grid of pretraining: index i of n is encoded as (start + i) · reference / n. */
  reference?: readonly number[];
  /**
   * Cells are ordered block by block, each mergeSize × mergeSize cells of the grid's last two axes. Has no default for
   * `"qwen2-vl"` (a RangeError): 2 as Qwen's processors cut images, 1 for patches row by row. Else 1.
   */
  mergeSize?: number;
  /** The highest of pixel frequencies, at least 2; other frequencies have none. */
  maxFrequency?: number;
}

/** Points to rotate by: those of a grid, or any. Give the one or the other. */
export interface GridPoints {
  /** Extents, [h, w] or [t, h, w]: its cells in row-major order are the points. */
  grid?: readonly number[];
  /** The coordinates themselves, point by point: [points, axes]. Negative and fractional ones too. */
  points?: ArrayLike<number>;
  /** Tokens in front of the points that are not rotated: class and register tokens. */
  prefixTokens?: number;
  /** Tokens behind the points, where a class token comes last. */
  suffixTokens?: number;
}

/** The one or the other, so that a call with both or neither does not compile. */
export type GridOrPoints =
  | { grid: readonly number[]; points?: undefined }
  | { points: ArrayLike<number>; grid?: undefined };

/**
 * The tensor to rotate: its shape, and the points of its tokens. The last axis is the head's dimensions. Points are one
 * list for all, or one for each index of `batchAxis`. Heads with directions of their own are the last axis without a name.
 */
export interface GridRotaryApply extends Omit<TensorAxes, "dimAxis">, GridPoints {
  /** Rotate back. */
  inverse?: boolean;
}

/** The points whose cosines and sines are wanted, and their form. */
export interface GridRotaryCache extends GridPoints, OutOption<RotaryOuts> {
  /**
   * The values of a row: `"pairs"`, a value a pair (the default), or `"dims"`, one a rotated dimension, as most models
   * have it.
   */
  row?: "pairs" | "dims";
}

/** A rotary position embedding of points. Scores depend on the differences of coordinates alone. */
export interface GridRotary extends Releasable, Pick<Rotary, "dim"> {
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
  apply<const S extends readonly number[]>(
    x: Float32Array,
    options: GridRotaryApply & GridOrPoints & NamedAxis<S>,
  ): Float32Array;
  /** Takes a tensor, which has its shape and is given back; ONNX Runtime's and transformers.js's, too. */
  apply<X extends TensorInput>(x: X, options: WithoutShape<GridRotaryApply> & GridOrPoints & AxisOf<X>): X;
  /** The cosines and sines by which `apply` rotates, [tokens, width], or [tokens, heads, width] with several heads. */
  cache(options: GridRotaryCache & GridOrPoints): { cos: TensorResult; sin: TensorResult };
  /** The points of a grid's cells, [cells, axes]. */
  points(grid: readonly number[], options?: OutOption<Float64Array>): Float64Array;
}

/** RoPE-Mixed (Heo et al. 2024, arXiv 2403.13298): the angle of a pair is the sum of coordinate × frequency over the axes. */
export interface MixedRotaryOptions extends Pick<RotaryOptions, "dim"> {
  /** Has no default. The authors' code has `"interleaved"`. */
  layout: Exclude<Layout, "deinterleaved">;
  /** [axes, heads, rotaryDim / 2], radians for a coordinate of 1: learned ones, or those of `mixedFrequencies`. */
  frequencies: ArrayLike<number>;
  /** 1: all heads have the same frequencies. */
  heads?: number;
  /** Coordinates of a point. */
  axes?: number;
  /** Which come first: `"last-first"`, the last coordinate's, x's (the authors'; the default), or `"first-first"`. */
  order?: "first-first" | "last-first";
  /** How many dimensions rotate, the first ones; dim by default. */
  rotaryDim?: number;
}

/** How many frequencies training of RoPE-Mixed starts from, and their directions. */
export interface MixedFrequencyOptions extends OutOption<Float64Array> {
  /** Dimensions that rotate: a multiple of 4. */
  dim: number;
  /** 1 by default. */
  heads?: number;
  /** Theta. */
  base?: number;
  /** The seed of the heads' random directions, a whole number; without it they are those of the axes. */
  seed?: number;
}

/** Options of `rotary`, and which pairs rotate with time, height and width. */
export interface MropeOptions extends Omit<RotaryOptions, "layout"> {
  /** Has no default. Qwen's models and HunyuanOCR have `"half"`, Ernie 4.5 VL and GLM-4V `"interleaved"`. */
  layout: Exclude<Layout, "deinterleaved">;
  /**
   * Pairs of time, height and width: `mrope_section` of a config. They add up to rotaryDim / 2; interleaved, time has what
   * the others leave, so that they may add up to less (GenLIP: 8, 12, 12 of 36). Chunked, two to eight of them, of as
   * many positions: HunyuanOCR's 16, 16, 16, 16. Ernie's config lists height, width, time: [22, 22, 20] is [20, 22, 22].
   */
  sections: readonly number[];
  /**
   * Has no default: `"chunked"`, time's pairs, then height's, then width's (Qwen2-VL, Qwen2.5-VL); `"interleaved"`, height
   * has pairs 1, 4, 7, …, width 2, 5, 8, …, time the others (Qwen3-VL, `mrope_interleaved`); `"time-last"`, height and
   * width take turns, then time's pairs (Ernie 4.5 VL, Bailing).
   */
  order: "chunked" | "interleaved" | "time-last";
}

/** Positions of `mropePositions`, or a list of numbers: [axes, seq] or [axes, batch, seq], an axis for each section. */
export type MropeIds = IdList;

/**
 * The tensor to rotate: its shape, and the three positions of its tokens. The last axis is the head's dimensions.
 * Positions [axes, batch, seq] need `batchAxis`.
 */
export interface MropeApply extends Omit<TensorAxes, "dimAxis">, Pick<GridRotaryApply, "inverse"> {
  /** Time, height and width of each token, or what the sections are of. */
  positions: MropeIds;
}

/** Names the cells whose cosines and sines are wanted, and their form. */
export interface MropeCache extends Pick<GridRotaryCache, "row" | "out">, Pick<MropeApply, "positions"> {}

/** M-RoPE (Qwen2-VL, arXiv 2409.12191): text, whose three positions are equal, is rotated as by `rotary`, bit for bit. */
export interface Mrope extends Releasable, Pick<Rotary, "dim" | "rotaryDim" | "attentionFactor"> {
  /** Which dimensions are pairs. */
  readonly layout: MropeOptions["layout"];
  /** Positions of a token, one for each section. */
  readonly axes: number;
  /** Rotates `x` in place and returns it. Nothing of `x` changes when an error is thrown. */
  apply<const S extends readonly number[]>(x: Float32Array, options: MropeApply & NamedAxis<S>): Float32Array;
  /** Takes a tensor, which has its shape and is given back; ONNX Runtime's and transformers.js's, too. */
  apply<X extends TensorInput>(x: X, options: WithoutShape<MropeApply> & AxisOf<X>): X;
  /** Cosines and sines, [batch * seq, rotaryDim / 2], or twice as wide by dimension. */
  cache(options: MropeCache): { cos: TensorResult; sin: TensorResult };
}

/** A part of a sequence: so many tokens of text, or [t, h, w] of an image or a video in patches, before they are merged. */
export type MropeSegment =
  | { text: number }
  | { image: readonly number[] }
  | {
      video: readonly number[];
      /** Seconds between frames, `second_per_grid_ts`; 1 by default. Only where time is in seconds. */
      secondsPerGrid?: number;
      /**
       * Tokens of the video's sound (`use_audio_in_video`), which are among those of its frames, and behind and in front
       * of both two marks that belong to the segment too. Only of the Omni presets. Sound alone is `text`.
       */
      audio?: number;
    };

/** `out` is for the positions. */
export interface MropePositionOptions extends IdsOut {
  /**
   * - `"qwen2-vl"`: time `"index"`; `"qwen2.5-vl"`: `"seconds"`, needs `tokensPerSecond`; `"qwen3-vl"`: `"frame"`.
   * - `"glm4v"`: GLM-4.1V to 4.6V and GLM-OCR: `"frame"`.
   * - `"qwen2.5-omni"`: TMRoPE: `"seconds"`, 25 tokens each by default; a video's `audio` in turn with it, by chunks.
   * - `"qwen3-omni"`: `"unrounded"`, 25 tokens a second by default; `audio` by its times, behind frames of the same time.
   * - `"ernie4.5-vl"`: `"index"`; two frames of a video are one. transformers 5 has `next` `"past-extent"`.
   * - `"bailing"`: Ling-VL: a frame is two positions on; rows and columns count from the centre, beyond the time. What
   *   follows goes on behind the time.
   * - `"hunyuan-vl"`: XD-RoPE of HunyuanOCR, positions [4, …]: index of the token, column, row, number of the image; each
   *   row of an image has a token more, its line break. All four of text are its index.
   */
  preset:
    | "qwen2-vl"
    | "qwen2.5-vl"
    | "qwen3-vl"
    | "glm4v"
    | "qwen2.5-omni"
    | "qwen3-omni"
    | "ernie4.5-vl"
    | "bailing"
    | "hunyuan-vl";
  /** The parts of one sequence, in order. Give these or `rows`. */
  segments?: readonly MropeSegment[];
  /** The parts of each sequence of a batch. */
  rows?: readonly (readonly MropeSegment[])[];
  /**
   * Time of a video's frame i beyond that of frame 0: `"index"`, i; `"seconds"`, i · secondsPerGrid · tokensPerSecond, in
   * float32, without its fraction (transformers up to 4.51); `"whole-seconds"`, the same with secondsPerGrid
   * without its fraction (transformers 4.52 to 5.15: half a second is none); `"unrounded"`, as `"seconds"`, and a
   * RangeError where a time has a fraction, which Qwen3-Omni keeps; `"frame"`, no video has more than one frame: time is text between them, as in
   * `[{ text: 5 }, { video: [1, h, w] }, { text: 5 }, { video: [1, h, w] }]`.
   */
  time?: "index" | "seconds" | "whole-seconds" | "unrounded" | "frame";
  /**
   * Where what follows an image or a video starts: `"past-maximum"`, one behind its largest position (the default), or
   * `"past-extent"`, max(h, w) / mergeSize behind its start whatever its time (transformers from 5.3 on).
   */
  next?: "past-maximum" | "past-extent";
  /** `spatial_merge_size`: mergeSize × mergeSize patches are a token. */
  mergeSize?: number;
  /**
   * `tokens_per_second` of a config, 2 in the published ones, or `position_id_per_seconds`, 25; only where time is in
   * seconds.
   */
  tokensPerSecond?: number;
  /** `seconds_per_chunk` of `"qwen2.5-omni"`, 2 by default. */
  secondsPerChunk?: number;
  /** Which side of a row that is shorter than the longest is filled up. Has no default. */
  padding?: "left" | "right";
  /** The position of padding: 1 in transformers up to 5.1, then 0. */
  paddingPosition?: number;
  /**
   * The length from which `ropeDeltas` are counted: `"padded"`, the length of the filled-up row (the default;
   * transformers up to 5.2), or `"unpadded"`, the row's own tokens (from 5.3 on).
   */
  deltas?: "padded" | "unpadded";
}

/** One sequence, or several, of which shorter ones are filled up: a call with both or neither does not compile. */
export type SegmentsOrRows =
  | { segments: readonly MropeSegment[]; rows?: undefined }
  | { rows: readonly (readonly MropeSegment[])[]; segments?: undefined; padding: "left" | "right" };

/** The three positions of every token, and the position of the next one. */
export interface MropePositions {
  /** (t, h, w) of every token: [3, seq] for `segments`, [3, rows, seq] for `rows`; 4 of `"hunyuan-vl"`. */
  positions: Ids;
  /**
   * For each row, largest position + 1 - seq: the position, in all three, of the token at index n behind the row is
   * n + ropeDelta. n counts the filled-up tokens too; with deltas `"unpadded"` seq and n are without them.
   */
  ropeDeltas: number[];
  /** Tokens of each row. */
  lengths: number[];
}
