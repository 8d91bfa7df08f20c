// Attention of the full entry: with masks, dropout, a batch, and keys that heads share.

import { define } from "../base/call.js";
import { checkExtents, wrongValue } from "../base/check.js";
import {
  booleans,
  type FieldsOf,
  flag,
  number,
  optional,
  type ReadOf,
  type ReadTensor,
  tensor,
  whole,
  word,
} from "../base/kinds.js";
import type {
  AttentionBackwardOptions,
  AttentionTerms,
  MaskedAttentionInputs,
  MaskedAttentionOptions,
} from "../types/index.js";
import { checkBias, weightsAndOutput } from "./attention.js";
import { checkSeed, dropoutOptions } from "./dropout.js";

/** What attention takes beside its tensors. */
export const termFields = {
  scale: optional(number, "a finite number"),
  bias: optional(tensor()),
  biasScaled: optional(flag),
  mask: optional(booleans),
  keyMask: optional(booleans),
  maskMeaning: optional(word()),
  causal: optional(flag),
  queryOffset: optional(whole),
  dropout: optional(dropoutOptions),
} satisfies FieldsOf<AttentionTerms>;

type Terms = ReadOf<typeof termFields>;

/** Whether masks and a bias fit the pairs is for the core to say; these are what it is not told. */
export function checkTerms(terms: Terms, batch: number, keys: number): void {
  checkBias(terms);
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
  query: tensor(),
  key: tensor(),
  value: tensor(),
  ...termFields,
} satisfies FieldsOf<MaskedAttentionInputs>;

/** Refuses another number of axes, and other extents; names stand for those that are free. */
function checkAxes(argument: string, { shape }: ReadTensor, wanted: readonly (number | string)[]): void {
  if (shape.length !== wanted.length) {
    throw wrongValue(`${argument}.shape`, shape, `${wanted.length} axes, as query`);
  }
  if (wanted.some((extent, axis) => typeof extent === "number" && extent !== shape[axis])) {
    throw wrongValue(`${argument}.shape`, shape, `[${wanted.join(", ")}]`);
  }
}

/** Of [rows, columns], [heads, rows, columns] or [batch, heads, rows, columns]; whether heads share keys the core says. */
function sizesOf({ query, key, value, ...terms }: ReadOf<typeof inputFields>) {
  const { length } = query.shape;
  if (length < 2 || length > 4) throw wrongValue("query.shape", query.shape, "two to four axes");
  const last = (shape: readonly (number | string)[]) => shape.slice(-length);
  const [batch, , queries, dim] = [1, 1, ...query.shape].slice(-4) as [number, number, number, number];
  checkAxes("key", key, last([batch, "kvHeads", "keys", dim]));
  const [kvHeads, keys] = [1, ...key.shape].slice(-3) as [number, number];
  checkAxes("value", value, last([batch, kvHeads, keys, "dv"]));
  checkTerms(terms, batch, keys);
  const lead = query.shape.slice(0, -2);
  return {
    weights: { shape: [...lead, queries, keys], what: "batch * heads * queries * keys" },
    output: { shape: [...lead, queries, value.shape.at(-1) as number], what: "batch * heads * queries * dv" },
  };
}

export const attention = define(
  {
    name: "maskedAttention",
    where: "attention",
    options: inputFields satisfies FieldsOf<MaskedAttentionOptions>,
    results: weightsAndOutput,
  },
  sizesOf,
);

export const attentionBackward = define(
  {
    name: "attentionBackward",
    options: { ...inputFields, weights: tensor(), gradient: tensor() } satisfies FieldsOf<AttentionBackwardOptions>,
    results: { query: Float32Array, key: Float32Array, value: Float32Array, bias: Float32Array },
  },
  ({ weights, gradient, ...inputs }) => {
    const sizes = sizesOf(inputs);
    checkExtents("weights", weights.shape, sizes.weights.shape);
    checkExtents("gradient", gradient.shape, sizes.output.shape);
    return {
      query: { shape: inputs.query.shape, what: "query" },
      key: { shape: inputs.key.shape, what: "key" },
      value: { shape: inputs.value.shape, what: "value" },
      bias: inputs.bias && { shape: inputs.bias.shape, what: "bias" },
    };
  },
);
