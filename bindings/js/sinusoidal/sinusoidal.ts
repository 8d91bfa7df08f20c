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

const fields = { ...sinusoidFields, ...namedPositionFields, precision: optional(word()) };

/** A row for each position. */
const tableSize = (read: Parameters<typeof positionShape>[0] & { dim: number }) => ({
  shape: [...positionShape(read), read.dim],
  what: "length * dim",
});

export const sinusoidal = define(
  { name: "sinusoidal", options: fields satisfies FieldsOf<SinusoidalOptions>, results: Float32Array },
  tableSize,
);
