// What all encodings of relative positions share: which queries meet which keys, and in which form all pairs are written.

import { wrongValue } from "../base/check.js";
import { count, type FieldsOf, optional, whole, word } from "../base/kinds.js";
import type { BiasOptions, IdsOptions } from "../types/index.js";

export const pairFields = {
  queries: count,
  keys: count,
  queryOffset: optional(whole),
  form: optional(word()),
} satisfies FieldsOf<IdsOptions>;

export const biasFields = { ...pairFields, future: optional(word()) } satisfies FieldsOf<BiasOptions>;

interface Pairs {
  queries: number;
  keys: number;
  form: string | undefined;
}

/** The shape of pairs in their form, behind the extents that lead it. */
export function pairSize({ queries, keys, form = "full" }: Pairs, heads?: number) {
  if (form !== "full" && form !== "compact") throw wrongValue("form", form, 'one of "full", "compact"');
  const lead = heads === undefined ? [] : [heads];
  const of = heads === undefined ? "" : "heads * ";
  if (form === "full") return { shape: [...lead, queries, keys], what: `${of}queries * keys` };
  const distances = queries === 0 || keys === 0 ? 0 : queries + keys - 1;
  return {
    shape: [...lead, distances],
    what: heads === undefined ? "queries + keys - 1" : "heads * (queries + keys - 1)",
  };
}
