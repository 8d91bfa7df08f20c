// The windows of Swin Transformer and BEiT: pairs of patches, in two dimensions.

import { define } from "../base/call.js";
import { type FieldsOf, flag, optional, tensor, whole } from "../base/kinds.js";
import type {
  SwinBiasOptions,
  SwinIndexOptions,
  SwinLogCoordinatesOptions,
  SwinLogCpbOptions,
} from "../types/index.js";
import { perceptron, perceptronOutputs } from "./perceptron.js";

const windowFields = { height: whole, width: whole, classToken: optional(flag) } satisfies FieldsOf<SwinIndexOptions>;

const logFields = {
  height: whole,
  width: whole,
  pretrainedHeight: optional(whole),
  pretrainedWidth: optional(whole),
} satisfies FieldsOf<SwinLogCoordinatesOptions>;

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

export const swinBias = define(
  {
    name: "swinBias",
    options: { ...windowFields, table: tensor(2) } satisfies FieldsOf<SwinBiasOptions>,
    results: Float32Array,
  },
  ({ table, ...window }) => {
    const tokens = tokensOf(window);
    return { shape: [table.shape[1] as number, tokens, tokens], what: "heads * tokens * tokens" };
  },
);

export const swinLogCoordinates = define(
  { name: "swinLogCoordinates", options: logFields, results: Float32Array },
  (window) => ({ shape: [rowsOf(window), 2], what: "rows * 2" }),
);

export const swinLogCpb = define(
  {
    name: "swinLogCpb",
    options: { ...logFields, perceptron } satisfies FieldsOf<SwinLogCpbOptions>,
    results: Float32Array,
  },
  (read) => ({ shape: [rowsOf(read), perceptronOutputs(read.perceptron, 2)], what: "rows * heads" }),
);
