import { define } from "../base/call.js";
import { isObject, text, whole, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import type * as t from "../types/index.js";
import { scalingFields } from "./scaling.js";

export const frequencyFields = {
  dim: is.whole,
  base: is.optional(is.number),
  exponent: is.optional(is.word()),
  shift: is.optional(is.number),
  scale: is.optional(is.number),
} satisfies is.FieldsOf<t.FrequencyOptions>;

const listed = define(
  {
    name: "frequencies",
    options: { ...frequencyFields, ...scalingFields },
    results: Float64Array,
    answers: ["attentionFactor"],
  },
  ({ dim, exponent }) => ({ shape: [exponent === "half" ? Math.floor(dim / 2) : Math.ceil(dim / 2)], what: "dim" }),
  ({ out, attentionFactor }): t.FrequencyList => ({ ...out, attentionFactor }),
);

/** A rotary's options have the frequencies of the dimensions that rotate, however these are paired. */
function withoutRotary(given: unknown): object | undefined {
  if (!isObject(given) || !("layout" in given || "rotaryDim" in given)) return given as undefined;
  const { layout, rotaryDim, ...own } = given as t.FrequencyListOptions;
  if (layout !== undefined) text("layout", layout);
  if (rotaryDim === undefined) return own;
  const { dim } = own;
  if (whole("rotaryDim", rotaryDim) < 2 || rotaryDim % 2 !== 0 || rotaryDim > whole("dim", dim))
    throw wrongValue("rotaryDim", rotaryDim, expected.even_to_dim, { dim });
  return { ...own, dim: rotaryDim };
}

export const frequencies = Object.assign(
  (module: Module, given?: object): t.FrequencyList => listed(module, withoutRotary(given)),
  { description: listed.description },
);
