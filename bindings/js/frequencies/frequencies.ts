import { define } from "../base/call.js";
import * as is from "../base/kinds.js";
import type * as t from "../types/index.js";
import { scalingFields } from "./scaling.js";

export const frequencyFields = {
  dim: is.whole,
  base: is.optional(is.number),
  exponent: is.optional(is.word()),
  shift: is.optional(is.number),
  scale: is.optional(is.number),
} satisfies is.FieldsOf<t.FrequencyOptions>;

export const frequencies = define(
  {
    name: "frequencies",
    options: { ...frequencyFields, ...scalingFields } satisfies is.FieldsOf<t.FrequencyListOptions>,
    results: Float64Array,
    answers: ["attentionFactor"],
  },
  ({ dim, exponent }) => ({ shape: [exponent === "half" ? Math.floor(dim / 2) : Math.ceil(dim / 2)], what: "dim" }),
  ({ out, attentionFactor }): t.FrequencyList => ({ ...out, attentionFactor }),
);
