// Attention that takes relative positions into its scores: Shaw's tables, Transformer-XL's vectors, CoPE's counts.

import { attentionFields, attentionSizes, headed, weightsAndOutput } from "../attention/attention.js";
import { define, inputsFirst } from "../base/call.js";
import { checkExtents, wrongValue } from "../base/check.js";
import { type FieldsOf, optional, type ReadOf, type ReadTensor, tensor, whole, word } from "../base/kinds.js";
import type {
  CopeOptions,
  ShawAttentionOptions,
  ShawBackwardOptions,
  ShawIdsOptions,
  TransformerXlOptions,
} from "../types/index.js";
import { distances, pairFields, pairSize } from "./relative.js";

export const shawIds = define(
  {
    name: "shawIds",
    options: { ...pairFields, maxDistance: whole } satisfies FieldsOf<ShawIdsOptions>,
    results: Int32Array,
  },
  (read) => pairSize(read),
);

const placeFields = { queryOffset: optional(whole), future: optional(word()) };

const shawFields = {
  ...attentionFields,
  ...placeFields,
  maxDistance: whole,
  keyTable: optional(tensor(2)),
  valueTable: optional(tensor(2)),
} satisfies FieldsOf<ShawAttentionOptions>;

function shawSizes(read: ReadOf<typeof shawFields>) {
  const sizes = attentionSizes(read);
  checkTable("keyTable", read.keyTable, read.query);
  checkTable("valueTable", read.valueTable, read.value);
  return sizes;
}

/** A table of relative vectors is as wide as what they are added to. */
function checkTable(name: string, table: ReadTensor | undefined, { shape }: ReadTensor): void {
  const width = shape.at(-1);
  if (table && table.shape[1] !== width) {
    throw wrongValue(`${name}.shape`, table.shape, `[2 * maxDistance + 1, ${width}]`);
  }
}

export const shawAttention = define(
  { name: "shawAttention", options: shawFields, results: weightsAndOutput },
  shawSizes,
);

export const shawBackward = define(
  {
    name: "shawBackward",
    options: { ...shawFields, weights: tensor(), gradient: tensor() } satisfies FieldsOf<ShawBackwardOptions>,
    results: {
      query: Float32Array,
      key: Float32Array,
      value: Float32Array,
      keyTable: Float32Array,
      valueTable: Float32Array,
    },
  },
  (read) => {
    const { weights, output } = shawSizes(read);
    checkExtents("weights", read.weights.shape, weights.shape);
    checkExtents("gradient", read.gradient.shape, output.shape);
    return {
      query: { shape: read.query.shape, what: "query" },
      key: { shape: read.key.shape, what: "key" },
      value: { shape: read.value.shape, what: "value" },
      keyTable: read.keyTable && { shape: read.keyTable.shape, what: "keyTable" },
      valueTable: read.valueTable && { shape: read.valueTable.shape, what: "valueTable" },
    };
  },
);

export const transformerXl = define(
  {
    name: "transformerXl",
    options: {
      ...attentionFields,
      ...placeFields,
      relative: tensor(),
      contentBias: tensor(),
      positionBias: tensor(),
    } satisfies FieldsOf<TransformerXlOptions>,
    results: weightsAndOutput,
  },
  (read) => {
    const sizes = attentionSizes(read);
    const lead = read.query.shape.slice(0, -2);
    const [queries, dim] = read.query.shape.slice(-2) as [number, number];
    const keys = read.key.shape.at(-2) as number;
    checkExtents("relative", read.relative.shape, [...lead, distances(queries, keys), dim]);
    checkExtents("contentBias", read.contentBias.shape, [...lead, dim]);
    checkExtents("positionBias", read.positionBias.shape, [...lead, dim]);
    return sizes;
  },
);

export const relativeShift = inputsFirst(
  define({ name: "relativeShift", inputs: { x: headed }, results: Float32Array }, ({ x: { shape } }) => ({
    shape,
    what: "x",
  })),
);

export const cope = define(
  {
    name: "cope",
    options: {
      ...placeFields,
      query: headed,
      logits: headed,
      embedding: tensor(2),
    } satisfies FieldsOf<CopeOptions>,
    results: { bias: Float32Array, counts: Float32Array },
  },
  ({ query, logits, embedding }) => {
    const rows = query.shape.slice(0, -1);
    if (logits.shape.slice(0, -1).join() !== rows.join()) {
      throw wrongValue("logits.shape", logits.shape, `[${rows.join(", ")}, keys]`);
    }
    const dim = query.shape.at(-1);
    if (embedding.shape[1] !== dim) throw wrongValue("embedding.shape", embedding.shape, `[positions, ${dim}]`);
    const size = { shape: logits.shape, what: "logits" };
    return { bias: size, counts: size };
  },
);
