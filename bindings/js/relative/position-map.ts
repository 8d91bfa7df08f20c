// Maps of positions: which relative position each score has, and the rotations that make it.

import { define } from "../base/call.js";
import * as is from "../base/kinds.js";
import type * as t from "../types/index.js";

/** Which map it is, of whatever queries and keys. */
export const positionRuleFields = {
  type: is.named,
  window: is.optional(is.whole),
  group: is.optional(is.whole),
  factor: is.optional(is.number),
  chunkSize: is.optional(is.whole),
  localSize: is.optional(is.whole),
} satisfies is.FieldsOf<t.PositionRule>;

const fields = {
  ...positionRuleFields,
  queries: is.count,
  keys: is.count,
  queryOffset: is.optional(is.whole),
} satisfies is.FieldsOf<t.PositionMapOptions>;

const regionNames: { [type: string]: readonly t.PositionRegion[] } = {
  "self-extend": ["window", "group"],
  rerope: ["window", "beyond"],
  "leaky-rerope": ["window", "leaky"],
  "dual-chunk": ["intra", "succ", "inter"],
};

const namesOf = (type: string) => regionNames[type] ?? [];

export const positionMap = define(
  {
    name: "positionMap",
    options: fields,
    results: {
      distances: Float64Array,
      region: Int32Array,
      queryPositions: Float64Array,
      keyPositions: Float64Array,
    },
  },
  ({ type, queries, keys }) => {
    const pairs = { shape: [queries, keys], what: "queries * keys" };
    const regions = namesOf(type).length;
    return {
      distances: pairs,
      region: pairs,
      queryPositions: { shape: [regions, queries], what: "regions * queries" },
      keyPositions: { shape: [regions, keys], what: "regions * keys" },
    };
  },
  (made, { type }): t.PositionMap => ({ ...made, regions: [...namesOf(type)] }),
);
