import type { GridRotaryCache } from "./grid_rotary.js";
import type { IdsOut } from "./out.js";
import type { Ids } from "./relative.js";
import type { Releasable } from "./releasable.js";
import type { Layout, RotaryOptions } from "./rotary.js";
import type { Tensor } from "./tensor.js";

/** Options of `rotary`, and which pairs turn with time, height and width. */
export interface MropeOptions extends Omit<RotaryOptions, "layout"> {
  /** Has no default. Qwen's models have `"half"`. */
  layout: Exclude<Layout, "deinterleaved">;
  /** Pairs of time, height and width: `mrope_section` of a config. They add up to rotaryDim / 2. */
  sections: readonly number[];
  /**
   * Has no default: `"chunked"`, time's pairs, then height's, then width's (Qwen2-VL, Qwen2.5-VL); `"interleaved"`, height
   * has pairs 1, 4, 7, …, width 2, 5, 8, …, time the others (Qwen3-VL, `mrope_interleaved`).
   */
  order: "chunked" | "interleaved";
}

/** Positions of `mropePositions`, or a list of numbers: [3, seq] or [3, batch, seq]. */
export type MropeIds = Ids | ArrayLike<number>;

/** What is rotated: its shape, and the three positions of its tokens. */
export interface MropeApply {
  /** Shape of the data. The last axis is the head's lanes; the first ones are the batch, where positions have one. */
  shape: readonly number[];
  /** Time, height and width of each token. */
  positions: MropeIds;
  /** As in `rotary`: -3 by default, for two axes the first. */
  seqAxis?: number;
  /** Rotate back. */
  inverse?: boolean;
}

/** Whose cosines and sines are wanted, and in what form. */
export interface MropeCache extends Pick<GridRotaryCache, "row" | "out"> {
  /** Time, height and width of each token. */
  positions: MropeIds;
}

/**
 * Multimodal rotary position embedding (Qwen2-VL, arXiv 2409.12191): text, whose three positions are equal, is rotated as
 * by `rotary`, bit for bit.
 */
export interface Mrope extends Releasable {
  /** Lanes of a head, rotated or not. */
  readonly dim: number;
  /** How many of them rotate, the first ones. */
  readonly rotaryDim: number;
  /** By which `apply` and `cache` multiply: 1 without scaling. */
  readonly attentionFactor: number;
  /** Rotates `x` in place and returns it. Nothing of `x` changes when an error is thrown. */
  apply(x: Float32Array, options: MropeApply): Float32Array;
  /** Cosines and sines, [batch * seq, rotaryDim / 2], or twice as wide by lane. */
  cache(options: MropeCache): { cos: Tensor; sin: Tensor };
}

/** A part of a sequence: so many tokens of text, or [t, h, w] of an image or a video in patches, before they are merged. */
export type MropeSegment =
  | { text: number }
  | { image: readonly number[] }
  | {
      video: readonly number[];
      /** Seconds between frames, `second_per_grid_ts`; 1 by default. Only where time is in seconds. */
      secondsPerGrid?: number;
    };

/** `out` is for the positions. */
export interface MropePositionOptions extends IdsOut {
  /**
   * Whose positions: `"qwen2-vl"` (time `"index"`), `"qwen2.5-vl"` (`"seconds"`, needs `tokensPerSecond`), `"qwen3-vl"`
   * (`"frame"`).
   */
  preset: "qwen2-vl" | "qwen2.5-vl" | "qwen3-vl";
  /** The parts of one sequence, in order. Give these or `rows`. */
  segments?: readonly MropeSegment[];
  /** The parts of each sequence of a batch. */
  rows?: readonly (readonly MropeSegment[])[];
  /**
   * Time of a video's frame i beyond that of frame 0: `"index"`, i; `"seconds"`, i · secondsPerGrid · tokensPerSecond, in
   * float32, without its fraction; `"whole-seconds"`, the same with secondsPerGrid without its fraction (transformers 5);
   * `"frame"`, no video has more than one frame: time is text between them, as in
   * `[{ text: 5 }, { video: [1, h, w] }, { text: 5 }, { video: [1, h, w] }]`.
   */
  time?: "index" | "seconds" | "whole-seconds" | "frame";
  /**
   * Where what follows an image or a video starts: `"past-maximum"`, one behind its largest position (the default), or
   * `"past-extent"`, max(h, w) / mergeSize behind its start whatever its time (transformers 5).
   */
  next?: "past-maximum" | "past-extent";
  /** `spatial_merge_size`, 2 by default: mergeSize × mergeSize patches are a token. */
  mergeSize?: number;
  /** `tokens_per_second` of a config, 2 in the published ones; only where time is in seconds. */
  tokensPerSecond?: number;
  /** Which side of a row that is shorter than the longest is filled up. Has no default. */
  padding?: "left" | "right";
  /** What it is filled with: 1 by default (transformers 4; 0 in 5). */
  paddingPosition?: number;
}

/** The three positions of every token, and where the next token stands. */
export interface MropePositions {
  /** (t, h, w) of every token: [3, seq] for `segments`, [3, rows, seq] for `rows`. */
  positions: Ids;
  /**
   * For each row, largest position + 1 - seq: the position, in all three, of the token at index n behind the row is
   * n + ropeDelta. n counts the filled-up tokens too.
   */
  ropeDeltas: number[];
  /** Tokens of each row. */
  lengths: number[];
}
