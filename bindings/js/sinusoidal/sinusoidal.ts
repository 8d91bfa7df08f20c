import { define } from "../base/call.js";
import { textAt } from "../base/check.js";
import * as is from "../base/kinds.js";
import { frequencyFields } from "../frequencies/frequencies.js";
import { namedPositionFields, positionCount } from "../frequencies/positions.js";
import type * as t from "../types/index.js";

export const sinusoidFields = {
  ...frequencyFields,
  preset: is.optional(is.word()),
  order: is.optional(is.word()),
  amplitude: is.optional(is.number),
} satisfies is.FieldsOf<t.SinusoidOptions>;

export const sinusoidalFields = {
  ...sinusoidFields,
  ...namedPositionFields,
  precision: is.optional(is.word()),
} satisfies is.FieldsOf<t.SinusoidalOptions>;

export const sinusoidal = define(
  { name: "sinusoidal", options: sinusoidalFields, results: Float32Array },
  // A row for each position.
  (read) => ({ shape: [positionCount(read), read.dim], what: "length * dim" }),
);

/** Names what the preset and the options beside it resolve to; texts by address and size. */
const resolved = ["base", "shift", "scale", "amplitude", "exponent", "exponentSize", "order", "orderSize"] as const;
/** The dimension of the first sine and of the first cosine, from one to the next, and how many there are. */
const places = ["firstSine", "firstCosine", "stride", "sines", "cosines"] as const;

export const sinusoidalPlan = define(
  { name: "sinusoidalPlan", options: sinusoidFields, answers: [...resolved, ...places] },
  () => {},
  (made, { dim }, module): t.SinusoidalPlan => {
    const dims = (first: number, count: number) =>
      Array.from({ length: made.sines }, (_, i) => (i < count ? first + i * made.stride : -1));
    return {
      dim,
      base: made.base,
      exponent: textAt(module, made.exponent, made.exponentSize) as t.Exponent,
      shift: made.shift,
      scale: made.scale,
      order: textAt(module, made.order, made.orderSize) as t.Order,
      amplitude: made.amplitude,
      sines: dims(made.firstSine, made.sines),
      cosines: dims(made.firstCosine, made.cosines),
    };
  },
);
