import type { OutOption } from "./out.js";
import type { PositionList, PositionOptions, TensorAxes } from "./positions.js";
import type { Rotary } from "./rotary.js";

/** What rotated the keys, and how far they are to move. */
export interface ShiftRotatedOptions extends TensorAxes {
  /** What rotated the keys. */
  rotary: Rotary;
  /** How many positions they move on: one number, or one for each token. Negative and fractional ones too. */
  by: number | PositionList;
}

/** Where rotated keys stand, what rotated them and what should have. */
export interface RotateAgainOptions extends TensorAxes, PositionOptions {
  /** What rotated the keys, at the positions given. */
  from: Rotary;
  /** What should have: of the same dim, rotaryDim and layout. */
  to: Rotary;
}

/** Which rotation's matrix, and at which position. */
export interface RotaryMatrixOptions extends OutOption {
  /** Its layout and attention factor count too. */
  rotary: Rotary;
  /** Any number: negative and fractional too. */
  position: number;
  /** The transpose. */
  inverse?: boolean;
}
