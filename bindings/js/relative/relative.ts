// Holds what all encodings of relative positions share: which queries meet which keys, in which form all pairs are
// written, and the network that makes a bias of them.

import { define, inputsFirst } from "../base/call.js";
import { checkExtents, names as checkNames, shape, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import type { View } from "../base/view.js";
import { sinusoidFields } from "../sinusoidal/sinusoidal.js";
import type * as t from "../types/index.js";

export const pairFields = {
  queries: is.count,
  keys: is.count,
  queryOffset: is.optional(is.whole),
  form: is.optional(is.word()),
} satisfies is.FieldsOf<t.IdsOptions>;

export const biasFields = { ...pairFields, future: is.optional(is.word()) } satisfies is.FieldsOf<t.BiasOptions>;

interface Pairs {
  queries: number;
  keys: number;
  form: string | undefined;
}

export const distances = (queries: number, keys: number) => (queries === 0 || keys === 0 ? 0 : queries + keys - 1);

/** The shape of pairs in their form. */
export function pairSize({ queries, keys, form = "full" }: Pairs) {
  if (form !== "full" && form !== "compact")
    throw wrongValue("form", form, expected.one_of, { names: '"full", "compact"' });
  if (form === "full") return { shape: [queries, keys], what: "queries * keys" };
  return { shape: [distances(queries, keys)], what: "queries + keys - 1" };
}

const factor = (what: string) => (what.includes("+") ? `(${what})` : what);

/** Counts the entries for all heads. */
export function biasSize(pairs: Pairs, heads: number) {
  const { shape, what } = pairSize(pairs);
  return { shape: [heads, ...shape], what: `heads * ${factor(what)}` };
}

const perceptronFields = {
  weight1: is.tensor(2),
  bias1: is.tensor(1),
  weight2: is.tensor(2),
  bias2: is.optional(is.tensor(1)),
};

/** The network inside FIRE and Swin's log-CPB. */
export const perceptron = is.group<t.Perceptron, typeof perceptronFields>(perceptronFields, "");

/** How many outputs a perceptron of so many inputs has: a bias's heads. */
export function perceptronOutputs(read: is.ReadOf<typeof perceptronFields>, inputs: number): number {
  const hidden = read.bias1.shape[0] as number;
  const outputs = read.weight2.shape[0] as number;
  checkExtents("weight1", read.weight1.shape, [hidden, inputs]);
  checkExtents("weight2", read.weight2.shape, [outputs, hidden]);
  if (read.bias2) checkExtents("bias2", read.bias2.shape, [outputs]);
  return outputs;
}

export const relativeOffsets = define({ name: "relativeOffsets", options: pairFields, results: Int32Array }, (read) =>
  pairSize(read),
);

const sinusoidalFields = {
  ...sinusoidFields,
  ...pairFields,
  sign: is.optional(is.word()),
} satisfies is.FieldsOf<t.RelativeSinusoidalOptions>;

export const relativeSinusoidal = define(
  { name: "relativeSinusoidal", options: sinusoidalFields, results: Float32Array },
  ({ dim, ...pairs }) => {
    const { shape, what } = pairSize(pairs);
    return { shape: [...shape, dim], what: `${factor(what)} * dim` };
  },
);

const extentFields = { queries: is.count, keys: is.count } satisfies is.FieldsOf<t.ExpandOptions>;

export const relativeExpand = inputsFirst(
  { name: "relativeExpand", inputs: { compact: is.tensor(2) }, options: extentFields, results: Float32Array },
  ({ compact, ...extents }) => biasSize({ ...extents, form: "full" }, compact.shape[0] as number),
);

/** Ids in compact form. */
const compactIds: is.Kind<t.Ids, View<Int32Array>> = {
  ...is.ints,
  read(argument, value) {
    const given = checkNames(value, ["data", "shape"], argument);
    const view = is.ints.read(`${argument}.data`, given.data);
    const extents = shape(`${argument}.shape`, given.shape);
    if (extents.length !== 1 || extents[0] !== view.length) {
      throw wrongValue(
        `${argument}.shape`,
        extents,
        expected.shape,
        { shape: `[${view.length}]` },
        ", one axis as long as its data",
      );
    }
    return view;
  },
};

export const relativeExpandIds = inputsFirst(
  { name: "relativeExpandIds", inputs: { compact: compactIds }, options: extentFields, results: Int32Array },
  (extents) => pairSize({ ...extents, form: "full" }),
);
