// Attention of the full entry: with dropout and sums in double; its gradients; and linear attention.

import { define } from "../base/call.js";
import { checkExtents, wrongType, wrongValue } from "../base/check.js";
import * as is from "../base/kinds.js";
import { positionList } from "../frequencies/positions.js";
import { rotaryOption } from "../rotary/rotary.js";
import type * as t from "../types/index.js";
import { attentionFields, scoreFields, sizesOf, wantedOf, weightsAndOutput } from "./attention.js";
import { checkSeed, dropoutOptions } from "./dropout.js";
import { arraysOf, sizesLike } from "./gradients.js";
import { headed, headedSizes } from "./headed.js";

/** Those that the small entry does not have. */
export const fullFields = {
  biasForm: is.optional(is.word()),
  mask: is.optional(is.booleans),
  maskMeaning: is.optional(is.word()),
  dropout: is.optional(dropoutOptions),
  precision: is.optional(is.word()),
};

/** The options of attention besides its tensors. */
export const termFields = { ...scoreFields, ...fullFields } satisfies is.FieldsOf<t.AttentionTerms>;

/** Checks of those what the core does not know. */
export function checkFull({ bias, biasForm, mask, dropout }: is.ReadOf<typeof termFields>): void {
  if (!bias && biasForm !== undefined) throw wrongType("biasForm", biasForm, "nothing without a bias");
  for (const [name, pairs] of Object.entries({ bias, mask })) {
    if (pairs && pairs.shape.length > 4) throw wrongValue(`${name}.shape`, pairs.shape, "at most four axes");
  }
  checkSeed(dropout);
}

const forwardFields = {
  ...attentionFields,
  ...fullFields,
  weights: is.optional(is.flag),
} satisfies is.FieldsOf<t.MaskedAttentionOptions>;

export const attention = define(
  { name: "maskedAttention", where: "attention", options: forwardFields, results: weightsAndOutput },
  ({ weights, ...inputs }) => {
    checkFull(inputs);
    return wantedOf(sizesOf(inputs), weights);
  },
);

const inputFields = {
  query: is.tensor(),
  key: is.tensor(),
  value: is.tensor(),
  ...termFields,
} satisfies is.FieldsOf<t.MaskedAttentionInputs>;

const backwardFields = {
  ...inputFields,
  gradient: is.tensor(),
} satisfies is.FieldsOf<t.AttentionBackwardOptions>;

const gradients = ["query", "key", "value", "bias"] as const;

export const attentionBackward = define(
  { name: "attentionBackward", options: backwardFields, results: arraysOf(gradients) },
  ({ gradient, ...inputs }) => {
    checkFull(inputs);
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
  (read) => headedSizes(read).output,
);
