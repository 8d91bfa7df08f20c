import type { DType, HalfData, OutOption } from "./base.js";
import type { PositionList, PositionOptions, TensorAxes } from "./frequencies.js";
import type { GridRotary, Mrope } from "./grid.js";
import type { Rotary } from "./rotary.js";
import type { Xpos } from "./xpos.js";

/** How a cache holds keys: `"q8_0"` are ggml's blocks of 32 dimensions, a float16 scale d and 32 int8, 34 bytes. */
export type KeyDType = DType | "q8_0";

/** Keys of a cache. A Uint16Array has the bits that `dtype` says, a Uint8Array the blocks of q8_0. */
export type KeyArray = Float32Array | HalfData | Uint8Array;

/** A rotation of keys. */
export type KeyRotation = Rotary | Xpos | GridRotary | Mrope;

/** Describes the keys of a cache: their shape, by what they are rotated and at which positions. */
export interface KeyCacheOptions extends TensorAxes, PositionOptions {
  /** The rotation of the keys. */
  rotary: KeyRotation;
  /** The type of the bits in a Uint16Array; other arrays have their own. */
  dtype?: KeyDType;
  /** The first dimension that rotates with the rotary's first, where heads have more dimensions than it: MLA's rotary slice. */
  firstDim?: number;
  /**
   * For `rotary` and `xpos`: the position of each token, [seq] or [batch, seq], where `batchAxis` has lists
   * of its own, heads too. Of `mrope`: [axes, seq] or [axes, batch, seq], as its `apply` takes them. Of grids:
   * points, [seq, axes] or [batch, seq, axes]. There may be fewer tokens than `shape` has room for; without positions
   * (and of `rotary` and `xpos` alone) all of them, from `offset` on.
   */
  positions?: PositionList;
}

/** Tokens of the sequence, by their indices at the time of the edit. */
export interface KeyRange {
  /** The first; 0 by default. */
  from?: number;
  /** The one behind the last; by default all are meant. */
  to?: number;
  /** Which list of positions, where there are several; all by default. */
  list?: number;
}

/** Names an edit. */
export interface EditType<Type extends string> {
  /** Which edit. */
  type: Type;
}

/** Positions move on by `by`; tokens keep their places. */
export interface ShiftKeys extends KeyRange, EditType<"shift"> {
  /** How far: one number, or one for each coordinate of M-RoPE and grids. */
  by: number | ArrayLike<number>;
}

/** Tokens go to another place; those behind them close up, those behind that place make room. */
export interface MoveKeys extends KeyRange, EditType<"move"> {
  /** Which token of the sequence without them the first becomes. Its position is what it finds there. */
  at: number;
  /** Whether all keep their positions and only change places; false by default. */
  keepPositions?: boolean;
}

/** Tokens are taken out; those behind them close up. */
export interface DropKeys extends KeyRange, EditType<"drop"> {
  /** Whether those behind keep their positions; false by default. */
  keepPositions?: boolean;
}

/** Keys of another cache come in, or tokens of zeros; those behind them make room. */
export interface InsertKeys extends Partial<Omit<KeyCacheOptions, "firstDim">>, EditType<"insert"> {
  /** The index of the token in front of which rows are inserted; the number of tokens for the end. */
  at: number;
  /** The keys, with `shape` and, unless they start at 0, their positions. `rotary` is the cache's own by default. */
  keys?: KeyArray;
  /** How many tokens of zeros in their place. */
  count?: number;
  /** Whether theirs and all other positions stay; by default the first takes the position that it finds there. */
  keepPositions?: boolean;
  /** As in KeyRange. */
  list?: number;
}

/** All keys as another rotation would have rotated them: other frequencies, another factor, another layout. */
export interface RotateKeys extends EditType<"rotate"> {
  /** The new rotation, of as many dimensions, heads and coordinates as the old one. */
  rotary: KeyRotation;
}

/** Positions p become floor(p / by) + plus, as SelfExtend's groups have them: see `positionMap`. */
export interface DivideKeys extends KeyRange, EditType<"divide"> {
  /** The group, finite and > 0. */
  by: number;
  /** The number added then; 0 by default. */
  plus?: number;
}

/** Another type for all keys: they are then written to a new array. */
export interface ConvertKeys extends EditType<"convert"> {
  /** Which type. */
  dtype: KeyDType;
}

/**
 * An edit of a sequence of cached keys. A range takes as much room as the position behind it less that of its first
 * token; at the end of the sequence, its largest coordinate plus 1 less that.
 */
export type KeyEdit = ShiftKeys | MoveKeys | DropKeys | InsertKeys | RotateKeys | DivideKeys | ConvertKeys;

/** The options of `editKeys`. */
export interface EditKeysOptions extends KeyCacheOptions, OutOption<KeyArray> {
  /** The edits, in this order. */
  edits: readonly KeyEdit[];
}

/** How wrong keys may be: beside what real numbers make of the given ones. As `certify` counts. */
export interface KeyBound {
  /**
   * The bound of a dimension, as a part of the largest Euclidean norm of a pair of its head (q8_0: or of its largest
   * other dimension).
   */
  dimension: number;
  /** The bound in units of the last place of values from 0.5 to 1; of q8_0, of 1 / 127 of a block's largest value. */
  ulps: number;
}

/** Keys after edits. */
export interface EditedKeys<K extends KeyArray = KeyArray> {
  /** The caller's array, or a new one where the dtype changed or there was no room. */
  keys: K | KeyArray;
  /** The type of the keys. */
  dtype: KeyDType;
  /** The shape of that array: the caller's, or with a sequence axis as long as the longest list has tokens. */
  shape: number[];
  /**
   * Positions of each list, one list after the other, as the rotation's own functions take them: [tokens] of `rotary` and
   * `xpos`, [axes, tokens] of `mrope`, [tokens, axes] of grids.
   */
  positions: Float64Array;
  /** How many tokens each list has. */
  lengths: number[];
  /** How wrong they may be. */
  bound: KeyBound;
}
