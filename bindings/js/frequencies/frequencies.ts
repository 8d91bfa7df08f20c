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

const fields = {
  ...frequencyFields,
  ...scalingFields,
  layout: is.optional(is.word()),
  rotaryDim: is.optional(is.whole),
} satisfies is.FieldsOf<t.FrequencyListOptions>;

export const frequencies = define(
  {
    name: "frequencies",
    options: fields,
    results: Float64Array,
    answers: ["attentionFactor"],
  },
  ({ dim, rotaryDim = dim, exponent }) => ({
    shape: [Math[exponent === "half" ? "floor" : "ceil"](rotaryDim / 2)],
    what: "dim",
  }),
  ({ out, attentionFactor }): t.FrequencyList => ({ ...out, attentionFactor }),
);
