import { define } from "../base/call.js";
import { type FieldsOf, number, optional, whole, word } from "../base/kinds.js";
import type { FrequencyList, FrequencyListOptions, FrequencyOptions } from "../types/index.js";
import { scalingFields } from "./scaling.js";

export const frequencyFields = {
  dim: whole,
  base: optional(number),
  exponent: optional(word()),
  shift: optional(number),
  scale: optional(number),
} satisfies FieldsOf<FrequencyOptions>;

export const frequencies = define(
  {
    name: "frequencies",
    options: { ...frequencyFields, ...scalingFields } satisfies FieldsOf<FrequencyListOptions>,
    results: Float64Array,
    answers: ["attentionFactor"],
  },
  ({ dim, exponent }) => ({ shape: [exponent === "half" ? Math.floor(dim / 2) : Math.ceil(dim / 2)], what: "dim" }),
  ({ out, attentionFactor }): FrequencyList => ({ ...out, attentionFactor }),
);
