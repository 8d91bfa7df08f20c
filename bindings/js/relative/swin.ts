// The windows of Swin Transformer and BEiT: pairs of patches, in two dimensions.

import { define } from "../base/call.js";
import * as is from "../base/kinds.js";
import type * as t from "../types/index.js";
import { perceptron, perceptronOutputs } from "./relative.js";

const windowFields = {
  height: is.whole,
  width: is.whole,
  classToken: is.optional(is.flag),
} satisfies is.FieldsOf<t.SwinIndexOptions>;

const logFields = {
  height: is.whole,
  width: is.whole,
  pretrainedHeight: is.optional(is.whole),
  pretrainedWidth: is.optional(is.whole),
} satisfies is.FieldsOf<t.SwinLogCoordinatesOptions>;

interface Window {
  height: number;
  width: number;
  classToken?: boolean | undefined;
}

const tokensOf = ({ height, width, classToken = false }: Window) => height * width + Number(classToken);

/** Rows of a bias table: one for each relative position of two patches. */
const rowsOf = ({ height, width }: Window) => (2 * height - 1) * (2 * width - 1);

export const swinIndex = define({ name: "swinIndex", options: windowFields, results: Int32Array }, (window) => {
  const tokens = tokensOf(window);
  return { shape: [tokens, tokens], what: "tokens * tokens" };
});

const biasFields = { ...windowFields, table: is.tensor(2) } satisfies is.FieldsOf<t.SwinBiasOptions>;

export const swinBias = define(
  { name: "swinBias", options: biasFields, results: Float32Array },
  ({ table, ...window }) => {
    const tokens = tokensOf(window);
    return { shape: [table.shape[1] as number, tokens, tokens], what: "heads * tokens * tokens" };
  },
);

export const swinLogCoordinates = define(
  { name: "swinLogCoordinates", options: logFields, results: Float32Array },
  (window) => ({ shape: [rowsOf(window), 2], what: "rows * 2" }),
);

const cpbFields = { ...logFields, perceptron } satisfies is.FieldsOf<t.SwinLogCpbOptions>;

export const swinLogCpb = define({ name: "swinLogCpb", options: cpbFields, results: Float32Array }, (read) => ({
  shape: [rowsOf(read), perceptronOutputs(read.perceptron, 2)],
  what: "rows * heads",
}));
