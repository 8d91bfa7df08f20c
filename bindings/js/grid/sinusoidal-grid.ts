import { define } from "../base/call.js";
import { product, wrongValue } from "../base/check.js";
import { dtypeOption, named, sizeOf } from "../base/dtype.js";
import { booleans, extents, type FieldsOf, flag, number, optional, whole, word } from "../base/kinds.js";
import type { SinusoidalGridOptions } from "../types/index.js";

const fields = {
  shape: extents,
  dim: whole,
  preset: word("the name of a preset; it has no default"),
  base: optional(number),
  order: optional(word()),
  axes: optional(word()),
  arrangement: optional(word()),
  normalised: optional(flag),
  start: optional(number),
  extent: optional(number),
  epsilon: optional(number),
  prefixTokens: optional(whole),
  mask: optional(booleans),
} satisfies FieldsOf<SinusoidalGridOptions>;

export const sinusoidalGrid = define(
  { name: "sinusoidalGrid", options: { ...fields, dtype: dtypeOption }, results: Float32Array },
  ({ shape, dim, prefixTokens = 0, mask, dtype }) => {
    if (mask && String(mask.shape) !== String(shape)) {
      throw wrongValue("mask.shape", mask.shape, `the grid's, [${shape.join(", ")}]`);
    }
    const rows = prefixTokens === 0 ? shape : [prefixTokens + product(shape)];
    return sizeOf(dtype, [...rows, dim], "shape * dim");
  },
  (made, { dtype }) => named(made, dtype),
);
