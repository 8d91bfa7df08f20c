// What all encodings of relative positions share: which queries meet which keys, and in which form all pairs are written.

import { define, inputsFirst } from "../base/call.js";
import { options as checkOptions, shape, wrongValue } from "../base/check.js";
import { count, type FieldsOf, ints, type Kind, optional, tensor, whole, word } from "../base/kinds.js";
import type { View } from "../base/view.js";
import { sinusoidFields } from "../sinusoidal/sinusoidal.js";
import type { BiasOptions, ExpandOptions, Ids, IdsOptions, RelativeSinusoidalOptions } from "../types/index.js";

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

export const distances = (queries: number, keys: number) => (queries === 0 || keys === 0 ? 0 : queries + keys - 1);

/** The shape of pairs in their form. */
export function pairSize({ queries, keys, form = "full" }: Pairs) {
  if (form !== "full" && form !== "compact") throw wrongValue("form", form, 'one of "full", "compact"');
  if (form === "full") return { shape: [queries, keys], what: "queries * keys" };
  return { shape: [distances(queries, keys)], what: "queries + keys - 1" };
}

const factor = (what: string) => (what.includes("+") ? `(${what})` : what);

/** The same for each head. */
export function biasSize(pairs: Pairs, heads: number) {
  const { shape, what } = pairSize(pairs);
  return { shape: [heads, ...shape], what: `heads * ${factor(what)}` };
}

export const relativeOffsets = define({ name: "relativeOffsets", options: pairFields, results: Int32Array }, (read) =>
  pairSize(read),
);

export const relativeSinusoidal = define(
  {
    name: "relativeSinusoidal",
    options: {
      ...sinusoidFields,
      ...pairFields,
      sign: optional(word()),
    } satisfies FieldsOf<RelativeSinusoidalOptions>,
    results: Float32Array,
  },
  ({ dim, ...pairs }) => {
    const { shape, what } = pairSize(pairs);
    return { shape: [...shape, dim], what: `${factor(what)} * dim` };
  },
);

const extentFields = { queries: count, keys: count } satisfies FieldsOf<ExpandOptions>;

export const relativeExpand = inputsFirst(
  define(
    { name: "relativeExpand", inputs: { compact: tensor(2) }, options: extentFields, results: Float32Array },
    ({ compact, ...extents }) => biasSize({ ...extents, form: "full" }, compact.shape[0] as number),
  ),
);

/** Ids in compact form. */
const compactIds: Kind<Ids, View<Int32Array>> = {
  ...ints,
  read(argument, value) {
    const given = checkOptions(value, ["data", "shape"], argument);
    const view = ints.read(`${argument}.data`, given.data);
    const extents = shape(`${argument}.shape`, given.shape);
    if (extents.length !== 1 || extents[0] !== view.length) {
      throw wrongValue(`${argument}.shape`, extents, `[${view.length}], one axis as long as its data`);
    }
    return view;
  },
};

export const relativeExpandIds = inputsFirst(
  define(
    { name: "relativeExpandIds", inputs: { compact: compactIds }, options: extentFields, results: Int32Array },
    (extents) => pairSize({ ...extents, form: "full" }),
  ),
);
