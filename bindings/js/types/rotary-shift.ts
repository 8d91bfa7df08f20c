import type { OutOption } from "./out.js";
import type { PositionList, PositionOptions, TensorAxes } from "./positions.js";
import type { Rotary } from "./rotary.js";

export interface ShiftRotatedOptions extends TensorAxes {
  /** What rotated the keys. */
  rotary: Rotary;
  /** How many positions they move on: one number, or one for each token. Negative and fractional ones too. */
  by: number | PositionList;
}

export interface RotateAgainOptions extends TensorAxes, PositionOptions {
  /** What rotated the keys, at the positions given. */
  from: Rotary;
  /** What should have: of the same dim, rotaryDim and layout. */
  to: Rotary;
}

export interface RotaryMatrixOptions extends OutOption {
  rotary: Rotary;
  position: number;
  /** The transpose. */
  inverse?: boolean;
}
