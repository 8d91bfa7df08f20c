import type { FloatBuffer } from "./buffer.js";
import type { Exponent } from "./frequencies.js";
import type { OutOption, Outs } from "./out.js";
import type { PositionOptions, Positions, TensorAxes } from "./positions.js";
import type { Releasable } from "./releasable.js";
import type { ScalingOptions } from "./scaling.js";
import type { Tensor } from "./tensor.js";

/**
 * Which lanes of a head are rotated together, for r rotated lanes:
 *
 * - `"half"`: lane i with lane i + r/2 (GPT-NeoX; Llama in Hugging Face transformers).
 * - `"interleaved"`: lane 2i with lane 2i + 1 (RoFormer, GPT-J).
 * - `"deinterleaved"`: lanes 2i and 2i + 1 are read, lanes i and i + r/2 are written (DeepSeek's `rope_interleave`).
 *   Scores are those of `"interleaved"`; the lanes come out in another order.
 */
export type Layout = "half" | "interleaved" | "deinterleaved";

/** A rotary embedding: the lanes of a head, which of them are pairs, and the pairs' frequencies. */
export interface RotaryOptions extends ScalingOptions {
  /** Lanes of a head, the last axis of what is rotated. */
  dim: number;
  /** Has no default: mixing layouts up gives wrong scores and no error. */
  layout: Layout;
  /** 10000 by default. */
  base?: number;
  /** How many lanes rotate, the first ones: an even number in 2 … dim; dim by default. The others pass through. */
  rotaryDim?: number;
  /** `"paper"` by default: base^(-2i/exponentDim), exponentDim being rotaryDim unless it is given. */
  exponent?: Exponent;
}

/** Shape and positions of what is rotated, and which way it turns. */
export interface ApplyOptions extends TensorAxes, PositionOptions {
  /**
   * Rotate back: the transpose of the rotation, so that applying both changes nothing but rounding. With an attention
   * factor m it is still the transpose, and both together multiply by m².
   */
  inverse?: boolean;
}

/** Arrays for cosines and for sines. */
export type RotaryOuts<T = Float32Array> = Outs<"cos" | "sin", T>;

/** Which tensor a step rotates, and which way. */
export interface StepOptions extends TensorAxes, Pick<ApplyOptions, "inverse"> {}

/**
 * A rotation that is done again and again to what stands in one buffer, as in decoding, where a token a call arrives.
 * All but the position is settled when it is made: a call costs little more than the rotation.
 */
export interface RotaryStep extends Releasable {
  /** Rotates the buffer's values in place, the first token at `position`, the next at `position` + 1. */
  apply(position: number): void;
}

/** A rotary position embedding: frequencies and layout, ready to be applied to queries and keys. */
export interface Rotary extends Releasable {
  /** Lanes of a head, rotated or not. */
  readonly dim: number;
  /** How many of them rotate, the first ones. */
  readonly rotaryDim: number;
  /** Which lanes are pairs. */
  readonly layout: Layout;
  /**
   * By which `apply` and `cache` multiply: 1 without scaling. Another one is rounded to float32 and multiplies rounded
   * cosines and sines, one rounding more.
   */
  readonly attentionFactor: number;
  /** Rotates `x` in place and returns it. Nothing of `x` changes when an error is thrown. */
  apply(x: Float32Array, options: ApplyOptions): Float32Array;
  /**
   * Prepares what `apply` does for the values of a buffer, which have this shape, to be done for one position after
   * another. Rotary and buffer must not be deleted before it is used the last time.
   */
  step(x: FloatBuffer, options: StepOptions): RotaryStep;
  /** The cosines and sines by which `apply` rotates; each [positions, rotaryDim / 2]. */
  cache(positions: Positions & OutOption<RotaryOuts>): { cos: Tensor; sin: Tensor };
}

/** The options of `rotary` in posenc/full. */
export interface PreciseRotaryOptions extends RotaryOptions {
  /**
   * - `"exact"` (the default): cosines and sines of the true angles, each rounded once.
   * - `"float32"`: of the angles that Hugging Face transformers computes in float32, step by step as it does, for
   *   comparison with a port of it. At large positions they are far from the true ones: with base 10000 and 128 lanes
   *   cosines are off by up to 1.4e-4 at position 4095, by 2.5e-2 at 1048575. Every rule of `scaling` works; of
   *   `exponent` only `"paper"`. Powers of the base are correctly rounded here; PyTorch's may differ by 1 ulp.
   */
  precision?: "exact" | "float32";
}
