import type { AttentionOutput, AttentionOuts, AttentionResult, ScoreTerms, WeightsOption } from "./attention.js";
import type { AnyTensor, DType, NumberList, OutOption, Releasable, TensorInput } from "./base.js";
import type { PositionList } from "./frequencies.js";
import type { Rotary } from "./rotary.js";

/** How many keys and values a cache has room for, how they are kept, and by what keys are rotated. */
export interface KvCacheOptions {
  /** How many sequences; 1 by default. */
  batch?: number;
  /** Heads of keys and values; those of queries are a multiple of them. */
  heads: number;
  /** Tokens that each sequence has room for. */
  capacity: number;
  /** Dimensions of a key. */
  dim: number;
  /** Dimensions of a value; `dim` by default. */
  valueDim?: number;
  /** How keys and values are kept; `"float32"` by default. Those of 16 bits take half the memory. */
  dtype?: DType;
  /**
   * The axis of tokens in what goes in and comes out, which has no default: 1 for [batch, seq, heads, dim], as
   * projections give it, 2 for [batch, heads, seq, dim]. A batch of one may be left out of them; the axis is counted
   * with it.
   */
  seqAxis: number;
  /**
   * Rotates keys and queries, each at its position. Must not be deleted before the cache. Without it nothing rotates.
   */
  rope?: Rotary;
}

/** The sequences that the rows of a batch belong to, and the positions of their tokens. */
export interface KvCacheRows {
  /** The sequence of each row; all, in their order, by default. */
  sequences?: number | NumberList;
  /**
   * [tokens], or [rows, tokens] where each row has its own. By default those that follow a sequence's last (from 0),
   * and of queries those of its last tokens.
   */
  positions?: PositionList;
}

/** The terms of attention over a cache: which sequences attend, and what hides keys. */
export interface AttendOptions
  extends Omit<ScoreTerms, "queryOffset">,
    KvCacheRows,
    WeightsOption,
    OutOption<AttentionOuts> {
  /** Whether a query sees no later key; `true` by default, queries being the last tokens of their sequence. */
  causal?: boolean;
}

/** Tokens to drop, by their indices. */
export interface DropTokens extends Pick<KvCacheRows, "sequences"> {
  /** The first; 0 by default. */
  from?: number;
  /** The one behind the last. */
  to: number;
  /**
   * `true`: those behind keep their positions. `false`, the default: their positions close up, and keys are rotated
   * again, by `editKeys`, which `posenc/tools` alone has. Without a rope the two are the same.
   */
  keepPositions?: boolean;
}

/**
 * Keys and values of earlier tokens, in the library's memory, for a decoder that attends to them. Nothing but what is
 * new is copied, and nothing is written by a call that throws. Methods may be taken out of the object.
 */
export interface KvCache extends Releasable, Required<Omit<KvCacheOptions, "rope">>, Pick<KvCacheOptions, "rope"> {
  /** How many tokens each sequence has. */
  readonly lengths: readonly number[];
  /** The keys as they are kept, rotated: [batch, heads, capacity, dim], a view of the library's memory. */
  readonly key: AnyTensor;
  /** The values: [batch, heads, capacity, valueDim]. */
  readonly value: AnyTensor;
  /**
   * Adds keys and values of new tokens, [batch, seq, heads, dim] and valueDim or as `seqAxis` says, of any dtype: keys
   * are rotated in float32, and rounded once. A RangeError where a sequence has no room for them.
   */
  append(key: AnyTensor, value: AnyTensor, options?: KvCacheRows): void;
  /**
   * Attention of queries, [batch, seq, heads, dim] or as `seqAxis` says, which are rotated in a copy, over all that is
   * there: the bits of `attention`. Queries are the last tokens of their sequence.
   */
  attend(query: TensorInput, options: AttendOptions & { weights: true }): AttentionResult;
  /** Attends, and returns no rows of softmax. */
  attend(query: TensorInput, options?: AttendOptions): AttentionOutput;
  /** Keeps at most so many of the first tokens of each sequence, or of all as many. */
  truncate(length: number | NumberList): void;
  /** Takes tokens out; those behind close up. */
  drop(tokens: DropTokens): void;
  /** Forgets all tokens. */
  reset(): void;
}
