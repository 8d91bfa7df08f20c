import { define } from "../base/call.js";
import { type FieldsOf, flag, numbers, optional, whole, word } from "../base/kinds.js";
import type { FourierOptions, NerfOptions } from "../types/index.js";

const pointFields = { points: numbers, inputs: optional(whole), unit: optional(word()) };

/** A row of features for each point, which has one coordinate unless another number is named. */
const rows = ({ points, inputs = 1 }: { points: { length: number }; inputs?: number | undefined }, lanes: number) => ({
  shape: [Math.floor(points.length / inputs), lanes],
  what: "points * features",
});

export const fourier = define(
  {
    name: "fourier",
    options: {
      ...pointFields,
      weights: numbers,
      preset: word("the name of a preset; it has no default"),
      order: optional(word()),
      logarithmic: optional(flag),
    } satisfies FieldsOf<FourierOptions>,
    results: Float32Array,
  },
  (read) => rows(read, 2 * Math.floor(read.weights.length / (read.inputs ?? 1))),
);

export const nerf = define(
  {
    name: "nerf",
    options: { ...pointFields, levels: whole, preset: optional(word()) } satisfies FieldsOf<NerfOptions>,
    results: Float32Array,
  },
  (read) => rows(read, (read.inputs ?? 1) * (2 * read.levels + (read.preset === "code" ? 1 : 0))),
);
