import type { IdsOut, OutOption } from "./out.js";
import type { Ids } from "./relative.js";

/** Which rows of a table: those of `ids`, or consecutive ones. */
export interface RowOptions {
  /** Position ids, in any order: a row each. Without them they are 0, 1, 2, … */
  ids?: Ids | ArrayLike<number>;
  /** Added to every id: 0 by default, 2 for BART and OPT, the tokens seen so far while decoding. */
  offset?: number;
}

/** Which rows are looked up: those of `ids`, or `length` consecutive ones. */
export interface LookupRows extends RowOptions {
  /** How many consecutive rows; in place of `ids`. */
  length?: number;
}

/** Which rows `lookupRows` gives, and where it writes them. */
export interface LookupOptions extends LookupRows, OutOption {}

/** Which rows `addRows` adds to the tokens, and where it writes the sum. */
export interface AddRowsOptions extends RowOptions, OutOption {}

/** Which rows the forward pass took, for the gradient of their table. */
export interface RowGradientOptions extends RowOptions, OutOption {
  /** Rows of the table. */
  rows: number;
  /** This row gets a gradient of 0, as with torch.nn.Embedding's padding_idx; none by default. */
  paddingIdx?: number;
}

/** Size, seed and distribution of a random table. */
export interface LearnedTableOptions extends OutOption {
  /** Rows of the table: the longest sequence. */
  length: number;
  /** Lanes of a row. */
  dim: number;
  /**
   * A whole number. The same seed gives the same bits on every machine; they are not those torch draws for it. Values
   * come from Philox4x32-10 and depend on the seed, their row and their lane alone.
   */
  seed: number;
  /** Standard deviation of a normal distribution around 0: 0.02 by default, as BERT and GPT-2 have it. */
  std?: number;
  /** In place of `std`: values are uniform between -bound and bound. */
  bound?: number;
  /** The first row to make, 0 by default: rows from `offset` on are those of a longer table. */
  offset?: number;
  /** This row is 0, as with torch.nn.Embedding's padding_idx; none by default. */
  paddingIdx?: number;
}

/** How the ids of padded sequences are counted. */
export interface PaddedPositionOptions extends IdsOut {
  /** The id of padding, and one less than that of the first token: 1 for RoBERTa. */
  paddingIdx: number;
  /** Tokens of the same sequences that came before: 0 by default. */
  past?: number;
}
