import type { LookupRows, RowOptions } from "./learned-table.js";
import type { OutOption } from "./out.js";
import type { Tensor } from "./tensor.js";

/**
 * How the rows of the axes' tables make the row of a position: one after the other, `"concatenate"` (the paper, Hugging
 * Face), or added, `"sum"` (reformer-pytorch without axial_dims; all dims are then the same).
 */
export type AxialCombination = "concatenate" | "sum";

/** The axes' tables, how their rows are combined, and which rows are wanted. */
export interface ReformerAxialOptions extends LookupRows, OutOption {
  /** A table for each axis, [extent, dim of the axis]: position i of shape [R, C] has rows i div C and i mod C. */
  tables: readonly Tensor[];
  /** `"concatenate"` by default. */
  combination?: AxialCombination;
}

/** `out` is an array for each axis. */
export interface ReformerAxialGradientOptions extends RowOptions, OutOption<readonly Float32Array[]> {
  /** Extents of the axes: Hugging Face's axial_pos_shape. */
  shape: readonly number[];
  /** Dims of the axes' tables: Hugging Face's axial_pos_embds_dim. */
  dims: readonly number[];
  /** `"concatenate"` by default. */
  combination?: AxialCombination;
}
