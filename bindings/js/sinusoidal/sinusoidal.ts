import { define } from "../base/call.js";
import { type FieldsOf, number, optional, word } from "../base/kinds.js";
import { frequencyFields } from "../frequencies/frequencies.js";
import { namedPositionFields, positionShape } from "../frequencies/positions.js";
import type { SinusoidalOptions, SinusoidOptions } from "../types/index.js";

export const sinusoidFields = {
  ...frequencyFields,
  preset: optional(word()),
  order: optional(word()),
  amplitude: optional(number),
} satisfies FieldsOf<SinusoidOptions>;

export const sinusoidalFields = {
  ...sinusoidFields,
  ...namedPositionFields,
  precision: optional(word()),
} satisfies FieldsOf<SinusoidalOptions>;

export const sinusoidal = define(
  { name: "sinusoidal", options: sinusoidalFields, results: Float32Array },
  // A row for each position.
  (read) => ({ shape: [...positionShape(read), read.dim], what: "length * dim" }),
);
