import { define } from "../base/call.js";
import { product, wrongValue } from "../base/check.js";
import { named, sizeOf } from "../base/dtype.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import { dtypeOption } from "../base/stored.js";
import type * as t from "../types/index.js";

/** Its options but the type of the result. */
export const sinusoidalGridFields = {
  shape: is.extents,
  dim: is.whole,
  preset: is.named,
  base: is.optional(is.number),
  order: is.optional(is.word()),
  axes: is.optional(is.word()),
  arrangement: is.optional(is.word()),
  normalised: is.optional(is.flag),
  start: is.optional(is.number),
  extent: is.optional(is.number),
  epsilon: is.optional(is.number),
  prefixTokens: is.optional(is.whole),
  mask: is.optional(is.booleans),
} satisfies is.FieldsOf<t.SinusoidalGridOptions>;

export const sinusoidalGrid = define(
  { name: "sinusoidalGrid", options: { ...sinusoidalGridFields, dtype: dtypeOption }, results: Float32Array },
  ({ shape, dim, prefixTokens = 0, mask, dtype }) => {
    if (mask && String(mask.shape) !== String(shape))
      throw wrongValue("mask.shape", mask.shape, expected.shape, { shape: `[${shape.join(", ")}]` }, ", the grid's");
    const rows = prefixTokens === 0 ? shape : [prefixTokens + product(shape)];
    return sizeOf(dtype, [...rows, dim], "shape * dim");
  },
  (made, { dtype }) => named(made, dtype),
);
