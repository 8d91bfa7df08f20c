// Fourier position embedding: cosines and sines that mix frequencies, in each head others.

import { define } from "../base/call.js";
import { checkExtents } from "../base/check.js";
import * as is from "../base/kinds.js";
import { namedPositionFields, positionShape } from "../frequencies/positions.js";
import type * as t from "../types/index.js";

const fields = {
  dim: is.whole,
  base: is.optional(is.number),
  cosines: is.tensor(3),
  sines: is.tensor(3),
  originalLength: is.optional(is.number),
  ...namedPositionFields,
} satisfies is.FieldsOf<t.FopeOptions>;

export const fope = define(
  { name: "fope", options: fields, results: { cos: Float32Array, sin: Float32Array } },
  ({ dim, cosines, sines, ...positions }) => {
    checkExtents("sines", sines.shape, cosines.shape);
    const rows = positionShape(positions);
    const size = {
      shape: [cosines.shape[0] as number, ...rows, Math.max(Math.floor(dim / 2), 0)],
      what: "heads * positions * dim / 2",
    };
    return { cos: size, sin: size };
  },
);
