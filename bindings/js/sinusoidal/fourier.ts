import { define } from "../base/call.js";
import * as is from "../base/kinds.js";
import type * as t from "../types/index.js";

const pointFields = { points: is.numbers, inputs: is.optional(is.whole), unit: is.optional(is.word()) };

/** A row of features for each point, which has one coordinate unless another number is named. */
const rows = ({ points, inputs = 1 }: { points: { length: number }; inputs?: number | undefined }, dims: number) => ({
  shape: [Math.floor(points.length / inputs), dims],
  what: "points * features",
});

const fourierFields = {
  ...pointFields,
  weights: is.numbers,
  preset: is.named,
  order: is.optional(is.word()),
  logarithmic: is.optional(is.flag),
} satisfies is.FieldsOf<t.FourierOptions>;

export const fourier = define({ name: "fourier", options: fourierFields, results: Float32Array }, (read) =>
  rows(read, 2 * Math.floor(read.weights.length / (read.inputs ?? 1))),
);

const nerfFields = {
  ...pointFields,
  levels: is.whole,
  preset: is.optional(is.word()),
} satisfies is.FieldsOf<t.NerfOptions>;

export const nerf = define({ name: "nerf", options: nerfFields, results: Float32Array }, (read) =>
  rows(read, (read.inputs ?? 1) * (2 * read.levels + (read.preset === "code" ? 1 : 0))),
);
