// The full entry's sinusoidal, with a choice of dtype, and what moves the rows of a table.

import { define, inputsFirst } from "../base/call.js";
import { wrongValue } from "../base/check.js";
import { named, sizeOf } from "../base/dtype.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import { dtypeOption } from "../base/stored.js";
import { positionCount } from "../frequencies/positions.js";
import type * as t from "../types/index.js";
import { sinusoidalFields, sinusoidFields } from "./sinusoidal.js";

const fields = {
  ...sinusoidalFields,
  paddingIdx: is.optional(is.whole),
} satisfies is.FieldsOf<t.PaddedSinusoidalOptions>;

const options = { ...fields, dtype: dtypeOption };

export const sinusoidal = define(
  { name: "sinusoidalFull", where: "sinusoidal", options, results: Float32Array },
  (read) => {
    const size = sizeOf(read.dtype, [positionCount(read), read.dim], "length * dim");
    if (size.kindFor && read.precision !== undefined && read.precision !== "exact") {
      throw wrongValue(
        "precision",
        read.precision,
        expected.exactly,
        { value: '"exact"' },
        " beside a dtype of 16 bits",
      );
    }
    return size;
  },
  (made, { dtype }) => named(made, dtype),
);

const shiftFields = { ...sinusoidFields, by: is.number } satisfies is.FieldsOf<t.ShiftMatrixOptions>;

export const shiftMatrix = define({ name: "shiftMatrix", options: shiftFields, results: Float32Array }, ({ dim }) => ({
  shape: [dim, dim],
  what: "dim * dim",
}));

export const shift = inputsFirst(
  { name: "shift", inputs: { table: is.tensor() }, options: shiftFields, results: Float32Array },
  ({ table: { shape }, dim }) => {
    if (shape.at(-1) !== dim) throw wrongValue("table.shape", shape, expected.last_extent, { dim });
    return { shape, what: "table" };
  },
);
