import type { IdList, IdsOut, IdTensor, OutOption, Tensor, TensorInput, TensorResult } from "./base.js";
import type { SequenceAxis } from "./frequencies.js";
import type { Ids } from "./relative.js";

/** Which rows of a table: those of `ids`, or consecutive ones. */
export interface RowOptions {
  /** Position ids, in any order: a row each. Without them they are 0, 1, 2, … */
  ids?: IdList;
  /** Added to every id: 0 by default, 2 for BART and OPT, the tokens seen so far while decoding. */
  offset?: number;
}

/** Which rows belong to the tokens of x [..., dim]. */
export interface TokenRowOptions extends RowOptions, SequenceAxis {
  /**
   * An id for each index of the sequence's axis, or with x's axes but the last one for each token: [batch, n] of x
   * [batch, n, dim]; `seqAxis` is left out then. Without them they are 0, 1, 2, … along that axis.
   */
  ids?: IdList;
}

/** Which rows are looked up: those of `ids`, or `length` consecutive ones. */
export interface LookupRows extends RowOptions {
  /** The number of consecutive rows, in place of `ids`. */
  length?: number;
}

/** Which rows `lookupRows` gives, and where it writes them. */
export interface LookupOptions extends LookupRows, OutOption {}

/** The one or the other. */
export type LengthOrIds = { ids: IdList; length?: undefined } | { length: number; ids?: undefined };

/** Which rows `addRows` adds to the tokens, and where it writes the sum. */
export interface AddRowsOptions extends TokenRowOptions, OutOption {}

/** Which rows the forward pass took, for the gradient of their table. */
export interface RowGradientOptions extends TokenRowOptions, OutOption {
  /** Rows of the table. */
  rows: number;
  /** This row gets a gradient of 0, as with torch.nn.Embedding's padding_idx; none by default. */
  paddingIdx?: number;
}

/** Size, seed and distribution of a random table. */
export interface LearnedTableOptions extends OutOption {
  /** Rows of the table: the longest sequence. */
  length: number;
  /** Dimensions of a row. */
  dim: number;
  /**
   * A whole number. The same seed gives the same bits on every machine; they are not those torch draws for it. Values
   * come from Philox4x32-10 and depend on the seed, their row and their dimension alone.
   */
  seed: number;
  /** Standard deviation of a normal distribution around 0; BERT and GPT-2 have 0.02. */
  std?: number;
  /** The bound of uniform values, -bound … bound, in place of normal ones with `std`. */
  bound?: number;
  /** The first row to make, 0 by default: rows from `offset` on are those of a longer table. */
  offset?: number;
  /** This row is 0, as with torch.nn.Embedding's padding_idx; none by default. */
  paddingIdx?: number;
}

/** The one, the other or neither. */
export type StdOrBound = { std?: undefined } | { bound?: undefined };

/** How the ids of padded sequences are counted. */
export interface PaddedPositionOptions extends IdsOut {
  /** The id of padding, and one less than that of the first token: 1 for RoBERTa. */
  paddingIdx: number;
  /** Tokens of the same sequences that came before: 0 by default. */
  past?: number;
}

/** A learned bias by relative position: its table, and the row that each pair takes. */
export interface TableBiasOptions extends OutOption {
  /** Rows of the table, of any shape: [queries, keys] from `t5Buckets`, `shawIds` or `swinIndex`. */
  ids: IdTensor;
  /** [rows, heads] */
  table: TensorInput;
}

/** The ids that a learned bias was read by, and the gradient of it. */
export interface TableBiasBackwardOptions extends Pick<TableBiasOptions, "ids">, OutOption {
  /** The gradient of the bias: [heads, ...ids.shape]. */
  gradient: TensorInput;
  /** The number of rows of the table. */
  rows: number;
}

/** Learned positions: tables of parameters, optimisers, and resizing to a longer sequence or a larger grid. */
export interface LearnedTables {
  /**
   * A random table to start from, [length, dim]. Largest error against the formula of its distribution: 0.501 ulp.
   *
   * Throws a TypeError for both `std` and `bound`, a RangeError for an option outside its range.
   *
   * @example
   * ```ts
   * console.log(pe.learnedTable({ length: 512, dim: 64, seed: 1, std: 0.02 }).shape); // [ 512, 64 ]
   * ```
   */
  learnedTable(options: LearnedTableOptions & StdOrBound): TensorResult;
  /**
   * Rows of a table, [...ids, dim] or [length, dim]. A RangeError names an id that is no row, and its index.
   * Throws a TypeError for both or neither of `ids` and `length`.
   *
   * @example
   * ```ts
   * const table = { data: Float32Array.of(0, 0, 1, 1, 2, 2), shape: [3, 2] };
   * console.log([...pe.lookupRows(table, { ids: [2, 0] }).data].join(" ")); // 2 2 0 0
   * ```
   */
  lookupRows(table: TensorInput, options: LookupOptions & LengthOrIds): TensorResult;
  /**
   * x [..., dim] + the rows of a table; a new tensor. A RangeError where x has three axes or more and neither `seqAxis`
   * nor ids name the row of each token. Largest error: 0.5 ulp.
   */
  addRows(x: TensorInput, table: TensorInput, options?: AddRowsOptions): TensorResult;
  /**
   * The gradient of the table [rows, dim] for `lookupRows` and `addRows`, from that of their result [..., dim]: each
   * row's gradients added up, in order and in double, rounded once.
   */
  rowsGradient(gradient: TensorInput, options: RowGradientOptions): TensorResult;
  /**
   * Position ids of sequences padded on either side, from a mask [..., n] that is 0 where there is padding (fairseq,
   * RoBERTa): paddingIdx there, and past + paddingIdx + 1, + 2, … for the tokens of a sequence.
   */
  paddedPositions(mask: IdList, options: PaddedPositionOptions): Ids;
  /** A learned bias, [heads, ...ids.shape]: table[id, head]. */
  tableBias(options: TableBiasOptions): TensorResult;
  /** The table's gradient, [rows, heads]. */
  tableBiasBackward(options: TableBiasBackwardOptions): TensorResult;
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
  resizeTable(table: TensorInput, options: ResizeTableOptions): TensorResult;
  /** A table [prefixTokens + height · width, dim] for another grid. Largest error: the same. */
  resizeGrid(table: TensorInput, options: ResizeGridOptions): TensorResult;
  /** Rows of Reformer's axial table, [...ids, dim] or [length, dim]; all of them by default. */
  reformerAxial(options: ReformerAxialOptions): TensorResult;
  /** The gradients of its axes' tables, from that of rows [..., n, dim]. */
  reformerAxialGradient(gradient: TensorInput, options: ReformerAxialGradientOptions): Tensor[];
}

/** A step of torch.optim's SGD. */
export interface SgdOptions extends Pick<AdamOptions, "gradient" | "lr"> {
  /** The share of the buffer that stays. */
  momentum?: number;
  /** The share of the gradient that does not go into the buffer. */
  dampening?: number;
  /** The decay of the parameters, added to the gradient. */
  weightDecay?: number;
  /** false by default; needs a momentum and no dampening. */
  nesterov?: boolean;
  /** Where there is a momentum: as long as the parameters and apart from them, written in each step, read from step 2 on. */
  buffer?: Float32Array;
  /** The number of this step, from 1 on; required with a momentum. */
  step?: number;
}

/** A step of torch.optim's Adam or AdamW. */
export interface AdamOptions {
  /** The gradient, as long as the parameters. */
  gradient: Float32Array;
  /** Learning rate. */
  lr: number;
  /** [0.9, 0.999] by default. */
  betas?: readonly [number, number];
  /** Added to the divisor. */
  eps?: number;
  /** The decay of the parameters; torch's AdamW has 0.01. */
  weightDecay?: number;
  /**
   * Has no default where there is a weight decay, because the two train differently: `"coupled"` adds weightDecay · p to
   * the gradient (torch.optim.Adam), `"decoupled"` multiplies p by 1 - lr · weightDecay (torch.optim.AdamW).
   */
  decay?: "coupled" | "decoupled";
  /** 1, 2, … */
  step: number;
  /** m, as long as the parameters and apart from them: zeros before step 1, written in each step. */
  firstMoment: Float32Array;
  /** v, likewise. */
  secondMoment: Float32Array;
}

/**
 * How the rows of the axes' tables make the row of a position: one after the other, `"concatenate"` (the paper, Hugging
 * Face), or added, `"sum"` (reformer-pytorch without axial_dims; all dims are then the same).
 */
export type AxialCombination = "concatenate" | "sum";

/** The axes' tables, how their rows are combined, and which rows are wanted. */
export interface ReformerAxialOptions extends LookupRows, OutOption {
  /** A table for each axis, [extent, dim of the axis]: position i of shape [R, C] has rows i div C and i mod C. */
  tables: readonly TensorInput[];
  /** `"concatenate"` by default. */
  combination?: AxialCombination;
}

/** `out` is an array for each axis. */
export interface ReformerAxialGradientOptions
  extends TokenRowOptions,
    Pick<ReformerAxialOptions, "combination">,
    OutOption<readonly Float32Array[]> {
  /** Extents of the axes: Hugging Face's axial_pos_shape. */
  shape: readonly number[];
  /** Dims of the axes' tables: Hugging Face's axial_pos_embds_dim. */
  dims: readonly number[];
}

/** How rows of a table are interpolated, and which of them are left alone. */
export interface ResizeOptions extends OutOption {
  /** Rows at the table's start that are kept as they are (class token, registers). */
  prefixTokens?: number;
  /** `"linear"` (torch's "linear", "bilinear") or `"cubic"` (torch's "bicubic": a = -0.75, or -0.5 with antialias). */
  interpolation?: "linear" | "cubic";
  /**
   * The first and last rows stay in place: new row i reads at i (from - 1) / (to - 1), and not at
   * (i + 1/2) from / to - 1/2. false by default; not with antialias.
   */
  alignCorners?: boolean;
  /** Where an axis becomes shorter its kernel becomes as much wider, so that every old row counts. */
  antialias?: boolean;
}

/** Without antialias and `"linear"` by default: torch.nn.functional.interpolate(mode="linear", size=length). */
export interface ResizeTableOptions extends ResizeOptions {
  /** The new number of rows, without the prefix. */
  length: number;
}

/** `"cubic"` by default, with antialias unless corners are aligned: timm's resample_abs_pos_embed. */
export interface ResizeGridOptions extends ResizeOptions {
  /** The table's grid, [height, width]; row y · width + x, after the prefix, is that of point (y, x). */
  from: readonly [number, number];
  /** The new one. */
  to: readonly [number, number];
}
