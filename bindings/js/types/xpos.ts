import type { OutOption, Releasable, TensorInput, TensorResult, WithoutShape } from "./base.js";
import type {
  AxisOf,
  LengthOrPositions,
  OffsetOrPositions,
  PositionOptions,
  Positions,
  TensorAxes,
} from "./frequencies.js";
import type { Applied, Rotary, RotaryOptions } from "./rotary.js";

/** A rotary embedding, and the centre and the base of its scales. */
export interface XposOptions extends RotaryOptions {
  /**
   * The position whose scale is 1: floor(n / 2) for n positions in rotary-embedding-torch, ceil(n / 2) in torchscale.
   * Has no default: keys that were scaled about another centre do not fit.
   */
  centre: number;
  /** How many positions from the centre a pair is scaled by its ζ once. */
  scaleBase?: number;
}

/** Shape and positions of what is rotated and scaled, and which side of the score it is. */
export interface XposApplyOptions extends TensorAxes, PositionOptions {
  /** Queries are multiplied by the scale, keys divided by it. */
  side: "query" | "key";
  /** The transpose: it rotates back and scales as before. To undo, give the other side too. */
  inverse?: boolean;
}

/**
 * Extrapolatable rotary embedding (Sun et al. 2022, "A Length-Extrapolatable Transformer"): pair i of r rotated dimensions is
 * rotated and multiplied by s = ζ^((position - centre) / scaleBase), ζ = (2i + 0.4 r) / (1.4 r), or divided by it.
 */
export interface Xpos extends Releasable, Pick<Rotary, "dim" | "rotaryDim" | "layout"> {
  /** The factor of `apply` beside the scales: 1 without scaling. */
  readonly attentionFactor: number;
  /**
   * Rotates and scales `x` in place and returns it. A RangeError where a position is so far from the centre that a scale
   * leaves e^-80 … e^80: 32695 positions with scaleBase 512.
   */
  apply<const S extends readonly number[]>(x: Float32Array, options: XposApplyOptions & Applied<S>): Float32Array;
  /** Takes a tensor, which has its shape and is given back; ONNX Runtime's and transformers.js's, too. */
  apply<X extends TensorInput>(x: X, options: WithoutShape<XposApplyOptions> & OffsetOrPositions & AxisOf<X>): X;
  /** The scales s of queries, [positions, rotaryDim / 2]. */
  scales(positions: Positions & LengthOrPositions & OutOption): TensorResult;
}
