import type { IdsOut, OutOption } from "./out.js";
import type { SinusoidOptions } from "./sinusoidal.js";
import type { Tensor } from "./tensor.js";

/** An int32 array with its shape, in row-major order. */
export interface Ids {
  data: Int32Array;
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
  queries: number;
  keys: number;
  /** Position of the first query: while decoding, how many keys come before it. 0 by default. */
  queryOffset?: number;
}

interface RelativeForm extends RelativeShape {
  /** `"full"` by default. */
  form?: Form;
}

export interface IdsOptions extends RelativeForm, IdsOut {}

export interface ExpandOptions extends Omit<RelativeShape, "queryOffset">, OutOption {}

export interface ExpandIdsOptions extends Omit<RelativeShape, "queryOffset">, IdsOut {}

export interface BiasOptions extends RelativeForm, OutOption {
  /**
   * What stands where the key comes after the query: `"keep"`, the formula's value (the default), or `"mask"`,
   * -Infinity, for causal attention.
   */
  future?: "keep" | "mask";
}

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
