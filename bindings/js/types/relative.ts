import type { IdsOut, OutOption } from "./out.js";
import type { SinusoidOptions } from "./sinusoidal.js";
import type { Tensor } from "./tensor.js";

/** An int32 array with its shape, in row-major order. */
export interface Ids {
  /** As many as the extents multiply to. */
  data: Int32Array;
  /** Extents, the slowest axis first. */
  shape: number[];
}

/**
 * - `"full"`: an entry for each query and key, [..., queries, keys].
 * - `"compact"`: one for each relative position, key - query, from the smallest to the largest: [..., queries + keys - 1].
 *   Entry (i, j) of the full form is entry j - i + queries - 1; `relativeExpand` makes the one from the other.
 */
export type Form = "full" | "compact";

/** Which queries meet which keys. Query i stands at position queryOffset + i, key j at position j. */
export interface RelativeShape {
  /** How many queries. */
  queries: number;
  /** How many keys. */
  keys: number;
  /** Position of the first query: while decoding, how many keys come before it. 0 by default. */
  queryOffset?: number;
}

/** Which queries meet which keys, and whether all pairs are written or each relative position once. */
interface RelativeForm extends RelativeShape {
  /** `"full"` by default. */
  form?: Form;
}

/** For which pairs ids are wanted, in which form, and where to write them. */
export interface IdsOptions extends RelativeForm, IdsOut {}

/** How many queries and keys `relativeExpand` writes a compact bias out for. */
export interface ExpandOptions extends Omit<RelativeShape, "queryOffset">, OutOption {}

/** How many queries and keys `relativeExpandIds` writes compact ids out for. */
export interface ExpandIdsOptions extends Omit<RelativeShape, "queryOffset">, IdsOut {}

/** For which pairs a bias is wanted, in which form, and what it does with keys after the query. */
export interface BiasOptions extends RelativeForm, OutOption {
  /**
   * What stands where the key comes after the query: `"keep"`, the formula's value (the default), or `"mask"`,
   * -Infinity, for causal attention.
   */
  future?: "keep" | "mask";
}

/** Sinusoids of relative positions: the encoding, the pairs, and the sign of their difference. */
export interface RelativeSinusoidalOptions extends RelativeForm, SinusoidOptions, OutOption {
  /** Which difference is encoded: `"key-minus-query"` by default; Transformer-XL has `"query-minus-key"`. */
  sign?: "key-minus-query" | "query-minus-key";
}

/** The network inside FIRE and Swin's log-CPB: weight2 · relu(weight1 · x + bias1) + bias2. */
export interface Perceptron {
  /** [hidden, inputs] */
  weight1: Tensor;
  /** [hidden] */
  bias1: Tensor;
  /** [outputs, hidden] */
  weight2: Tensor;
  /** [outputs]; none by default. */
  bias2?: Tensor;
}
