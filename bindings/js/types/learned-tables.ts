import type {
  AddRowsOptions,
  LearnedTableOptions,
  LookupOptions,
  PaddedPositionOptions,
  RowGradientOptions,
} from "./learned-table.js";
import type { AdamOptions, SgdOptions } from "./optimizer.js";
import type { ReformerAxialGradientOptions, ReformerAxialOptions } from "./reformer-axial.js";
import type { Ids } from "./relative.js";
import type { ResizeGridOptions, ResizeTableOptions } from "./resize.js";
import type { Tensor } from "./tensor.js";

/** Learned positions: tables of parameters, what trains them and what makes them fit a longer sequence or a larger grid. */
export interface LearnedTables {
  /** A random table to start from, [length, dim]. Largest error against the formula of its distribution: 0.501 ulp. */
  learnedTable(options: LearnedTableOptions): Tensor;
  /**
   * The rows of a table [rows, dim], [...ids, dim] or [length, dim]. A RangeError names an id that is no row, and its
   * index.
   */
  lookupRows(table: Tensor, options: LookupOptions): Tensor;
  /**
   * x [..., n, dim] + the rows of a table; a new tensor. `ids` are [n], or as many of x's axes before the last as differ:
   * [batch, n]. Largest error: 0.5 ulp.
   */
  addRows(x: Tensor, table: Tensor, options?: AddRowsOptions): Tensor;
  /**
   * The gradient of the table [rows, dim] for `lookupRows` and `addRows`, from that of their result [..., n, dim]: each
   * row's gradients added up, in order and in double, rounded once.
   */
  rowsGradient(gradient: Tensor, options: RowGradientOptions): Tensor;
  /**
   * Position ids of sequences padded on either side, from a mask [..., n] that is 0 where there is padding (fairseq,
   * RoBERTa): paddingIdx there, and past + paddingIdx + 1, + 2, … for the tokens of a sequence.
   */
  paddedPositions(mask: Ids | ArrayLike<number>, options: PaddedPositionOptions): Ids;

  /**
   * One step of torch.optim.SGD in place; gives the parameters back. g += weightDecay · p; b = g in step 1 and
   * momentum · b + (1 - dampening) · g later; p -= lr · b, or with nesterov lr · (g + momentum · b); without momentum
   * p -= lr · g. In double between the float32 values that are stored: 0.501 ulp + 1e-15 times the largest term.
   */
  sgdStep(parameters: Float32Array, options: SgdOptions): Float32Array;
  /**
   * One step of torch.optim.Adam or AdamW in place, without amsgrad; gives the parameters back.
   * m = β₁ m + (1 - β₁) g; v = β₂ v + (1 - β₂) g²; p -= lr / (1 - β₁^step) · m / (sqrt(v) / sqrt(1 - β₂^step) + eps).
   * Largest error: the same.
   */
  adamStep(parameters: Float32Array, options: AdamOptions): Float32Array;

  /** A table [prefixTokens + n, dim] for another length. Largest error: 0.501 ulp + 1e-15 · sum of |weight · value|. */
  resizeTable(table: Tensor, options: ResizeTableOptions): Tensor;
  /** A table [prefixTokens + height · width, dim] for another grid. Largest error: the same. */
  resizeGrid(table: Tensor, options: ResizeGridOptions): Tensor;

  /** Rows of Reformer's axial table, [...ids, dim] or [length, dim]; all of them by default. */
  reformerAxial(options: ReformerAxialOptions): Tensor;
  /** The gradients of its axes' tables, from that of rows [..., n, dim]. */
  reformerAxialGradient(gradient: Tensor, options: ReformerAxialGradientOptions): Tensor[];
}
