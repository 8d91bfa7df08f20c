// Attention of the full entry: with masks, dropout, a batch, and keys that heads share; and linear attention.

import { define } from "../base/call.js";
import { checkExtents, wrongType, wrongValue } from "../base/check.js";
import { storedTensor } from "../base/dtype.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import { positionList } from "../frequencies/positions.js";
import { rotaryOption } from "../rotary/rotary.js";
import type * as t from "../types/index.js";
import { arraysOf, attentionSizes, checkBias, headed, sizesLike, wantedOf, weightsAndOutput } from "./attention.js";
import { checkSeed, dropoutOptions } from "./dropout.js";

/** The options of attention besides its tensors. */
export const termFields = {
  scale: is.optional(is.number, expected.finite),
  bias: is.optional(is.tensor()),
  biasForm: is.optional(is.word()),
  biasScaled: is.optional(is.flag),
  mask: is.optional(is.booleans),
  keyMask: is.optional(is.booleans),
  maskMeaning: is.optional(is.word()),
  causal: is.optional(is.flag),
  queryOffset: is.optional(is.whole),
  dropout: is.optional(dropoutOptions),
  precision: is.optional(is.word()),
} satisfies is.FieldsOf<t.AttentionTerms>;

/** Checks what the core does not know; that masks and a bias fit the pairs is checked there. */
export function checkTerms(terms: is.ReadOf<typeof termFields>, batch: number, keys: number): void {
  checkBias(terms);
  const { bias, biasForm } = terms;
  if (!bias && biasForm !== undefined) throw wrongType("biasForm", biasForm, "nothing without a bias");
  checkSeed(terms.dropout);
  for (const name of ["bias", "mask"] as const) {
    const shape = terms[name]?.shape;
    if (shape && shape.length > 4) throw wrongValue(`${name}.shape`, shape, "at most four axes");
  }
  const { keyMask } = terms;
  const wanted = keyMask?.shape.length === 1 && batch === 1 ? [keys] : [batch, keys];
  if (keyMask && keyMask.shape.join() !== wanted.join()) {
    throw wrongValue("keyMask.shape", keyMask.shape, `[${wanted.join(", ")}]`);
  }
}

const inputFields = {
  query: is.tensor(),
  key: is.tensor(),
  value: is.tensor(),
  ...termFields,
} satisfies is.FieldsOf<t.MaskedAttentionInputs>;

export const cacheOptions = is.group({
  length: is.optional(is.count),
  seqAxis: is.optional(is.whole),
} satisfies is.FieldsOf<t.AttentionCache>);

/** Whether the sequence's axis is before that of heads. */
function isSequenceFirst(seqAxis: number | undefined, rank: number): boolean {
  const fromEnd = seqAxis === undefined ? -2 : seqAxis < 0 ? seqAxis : seqAxis - rank;
  if (fromEnd !== -2 && (fromEnd !== -3 || rank === 2)) {
    const other = rank === 2 ? "" : " or -3, as in [..., capacity, kvHeads, d]";
    throw wrongValue("cache.seqAxis", seqAxis, `-2, as in [..., capacity, d]${other}`);
  }
  return fromEnd === -3;
}

/** Throws for another number of axes and other extents; a name is an extent that is free. */
function checkAxes(
  argument: string,
  { shape }: Pick<is.ReadTensor, "shape">,
  wanted: readonly (number | string)[],
): void {
  if (shape.length !== wanted.length) {
    throw wrongValue(`${argument}.shape`, shape, `${wanted.length} axes, as query`);
  }
  if (wanted.some((extent, axis) => typeof extent === "number" && extent !== shape[axis])) {
    throw wrongValue(`${argument}.shape`, shape, `[${wanted.join(", ")}]`);
  }
}

/** `sizesOf` reads these of tensors, whatever their dtype, and how keys and values lie. */
type Read = Omit<is.ReadOf<typeof inputFields>, "key" | "value"> & {
  key: Pick<is.ReadTensor, "shape">;
  value: Pick<is.ReadTensor, "shape">;
  cache?: is.ReadOf<typeof cacheOptions.fields> | undefined;
};

/** Reads [rows, columns], [heads, rows, columns] or [batch, heads, rows, columns]; the core checks whether heads share keys. */
function sizesOf({ query, key, value, cache, ...terms }: Read) {
  const { length } = query.shape;
  if (length < 2 || length > 4) throw wrongValue("query.shape", query.shape, "two to four axes");
  const isSwapped = isSequenceFirst(cache?.seqAxis, length);
  /** Four extents with heads before keys as the arrays have them, or back. */
  const ordered = <A>([batch, heads, keys, dim]: readonly [A, A, A, A]): [A, A, A, A] =>
    isSwapped ? [batch, keys, heads, dim] : [batch, heads, keys, dim];
  const fourOf = ({ shape }: Pick<is.ReadTensor, "shape">) =>
    [1, 1, ...shape].slice(-4) as [number, number, number, number];
  const last = (...shape: [number, number | string, number | string, number | string]) =>
    ordered<number | string>(shape).slice(-length);
  const [batch, , queries, dim] = fourOf(query);
  checkAxes("key", key, last(batch, "kvHeads", cache ? "capacity" : "keys", dim));
  const [, kvHeads, capacity] = ordered(fourOf(key));
  checkAxes("value", value, last(batch, kvHeads, capacity, "dv"));
  const keys = cache?.length ?? capacity;
  if (keys > capacity) throw wrongValue("cache.length", keys, `at most the capacity, ${capacity}`);
  checkTerms(terms, batch, keys);
  const lead = query.shape.slice(0, -2);
  return {
    weights: { shape: [...lead, queries, keys], what: "batch * heads * queries * keys" },
    output: { shape: [...lead, queries, value.shape.at(-1) as number], what: "batch * heads * queries * dv" },
  };
}

const forwardFields = {
  query: is.tensor(),
  key: storedTensor,
  value: storedTensor,
  cache: is.optional(cacheOptions),
  ...termFields,
  weights: is.optional(is.flag),
} satisfies is.FieldsOf<t.MaskedAttentionOptions>;

export const attention = define(
  { name: "maskedAttention", where: "attention", options: forwardFields, results: weightsAndOutput },
  ({ weights, ...inputs }) => wantedOf(sizesOf(inputs), weights),
);

const backwardFields = {
  ...inputFields,
  gradient: is.tensor(),
} satisfies is.FieldsOf<t.AttentionBackwardOptions>;

const gradients = ["query", "key", "value", "bias"] as const;

export const attentionBackward = define(
  { name: "attentionBackward", options: backwardFields, results: arraysOf(gradients) },
  ({ gradient, ...inputs }) => {
    checkExtents("gradient", gradient.shape, sizesOf(inputs).output.shape);
    return sizesLike(inputs, gradients);
  },
);

/** Messages call both lists positions. */
const positions: typeof positionList = {
  ...positionList,
  read: (_, value) => positionList.read("positions", value),
};

const linearFields = {
  rotary: rotaryOption,
  query: headed,
  key: headed,
  value: headed,
  causal: is.optional(is.flag),
  queryOffset: is.optional(is.whole),
  queryPositions: is.optional(positions),
  keyPositions: is.optional(positions),
} satisfies is.FieldsOf<t.LinearAttentionOptions>;

export const linearAttention = define(
  { name: "linearAttention", options: linearFields, results: Float32Array },
  (read) => attentionSizes(read).output,
);
