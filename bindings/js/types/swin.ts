import type { IdsOut, OutOption } from "./out.js";
import type { Perceptron } from "./relative.js";
import type { Tensor } from "./tensor.js";

/** A window of patches, numbered row by row. */
export interface SwinWindow {
  height: number;
  width: number;
  /** BEiT: one token before the patches, with three more rows of the table. `false` by default. */
  classToken?: boolean;
}

export interface SwinIndexOptions extends SwinWindow, IdsOut {}

export interface SwinBiasOptions extends SwinWindow, OutOption {
  /** [(2 height - 1) (2 width - 1), heads], and with a class token three rows more. */
  table: Tensor;
}

export interface SwinLogCoordinatesOptions extends OutOption {
  height: number;
  width: number;
  /** Height of the window the perceptron was trained with; this window's by default. */
  pretrainedHeight?: number;
  /** Its width; this window's by default. */
  pretrainedWidth?: number;
}

export interface SwinLogCpbOptions extends SwinLogCoordinatesOptions {
  /** Two inputs, y and x; one output a head. */
  perceptron: Perceptron;
}
