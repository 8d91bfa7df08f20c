import type { IdsOut, OutOption } from "./out.js";
import type { Perceptron } from "./relative.js";
import type { Tensor } from "./tensor.js";

/** A window of patches, numbered row by row. */
export interface SwinWindow {
  /** Rows of patches. */
  height: number;
  /** Patches in a row. */
  width: number;
  /** BEiT: one token before the patches, with three more rows of the table. `false` by default. */
  classToken?: boolean;
}

/** Of which window the index is, and where to write it. */
export interface SwinIndexOptions extends SwinWindow, IdsOut {}

/** A window, and the learned table that its pairs read. */
export interface SwinBiasOptions extends SwinWindow, OutOption {
  /** [(2 height - 1) (2 width - 1), heads], and with a class token three rows more. */
  table: Tensor;
}

/** The window whose relative coordinates Swin V2 takes, and the one of pretraining. */
export interface SwinLogCoordinatesOptions extends OutOption {
  /** Rows of patches. */
  height: number;
  /** Patches in a row. */
  width: number;
  /** Height of the window the perceptron was trained with; this window's by default. */
  pretrainedHeight?: number;
  /** Its width; this window's by default. */
  pretrainedWidth?: number;
}

/** The window, and the network that makes its table out of coordinates. */
export interface SwinLogCpbOptions extends SwinLogCoordinatesOptions {
  /** Two inputs, y and x; one output a head. */
  perceptron: Perceptron;
}
