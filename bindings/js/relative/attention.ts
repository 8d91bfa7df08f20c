// Attention that takes relative positions into its scores: Shaw's tables, Transformer-XL's vectors, CoPE's counts.

import * as plain from "../attention/attention.js";
import { arraysOf, sizesLike } from "../attention/gradients.js";
import * as headed from "../attention/headed.js";
import { define, inputsFirst } from "../base/call.js";
import { checkExtents, wrongShape, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import type * as t from "../types/index.js";
import { distances, pairFields, pairSize } from "./relative.js";

const idFields = { ...pairFields, maxDistance: is.whole } satisfies is.FieldsOf<t.ShawIdsOptions>;

export const shawIds = define({ name: "shawIds", options: idFields, results: Int32Array }, (read) => pairSize(read));

const placeFields = { queryOffset: is.optional(is.whole), future: is.optional(is.word()) };

/** Lists what attention with relative positions takes beside its tensors. */
const sumFields = { ...placeFields, precision: is.optional(is.word()) };

const inputFields = {
  ...headed.headedFields,
  ...sumFields,
  maxDistance: is.whole,
  keyTable: is.optional(is.tensor(2)),
  valueTable: is.optional(is.tensor(2)),
} satisfies is.FieldsOf<t.ShawInputs>;

function shawSizes(read: is.ReadOf<typeof inputFields>) {
  const sizes = headed.headedSizes(read);
  checkTable("keyTable", read.keyTable, read.query);
  checkTable("valueTable", read.valueTable, read.value);
  return sizes;
}

/** A table of relative vectors is as wide as what they are added to. */
function checkTable(name: string, table: is.ReadTensor | undefined, { shape }: is.ReadTensor): void {
  const width = shape.at(-1);
  if (table && table.shape[1] !== width)
    throw wrongValue(`${name}.shape`, table.shape, expected.shape, { shape: `[2 * maxDistance + 1, ${width}]` });
}

const shawFields = {
  ...inputFields,
  weights: is.optional(is.flag),
} satisfies is.FieldsOf<t.ShawAttentionOptions>;

export const shawAttention = define(
  { name: "shawAttention", options: shawFields, results: plain.weightsAndOutput },
  ({ weights, ...inputs }) => plain.wantedOf(shawSizes(inputs), weights),
);

const backwardFields = {
  ...inputFields,
  gradient: is.tensor(),
} satisfies is.FieldsOf<t.ShawBackwardOptions>;

const gradients = ["query", "key", "value", "keyTable", "valueTable"] as const;

export const shawBackward = define(
  { name: "shawBackward", options: backwardFields, results: arraysOf(gradients) },
  ({ gradient, ...inputs }) => {
    checkExtents("gradient", gradient.shape, shawSizes(inputs).output.shape);
    return sizesLike(inputs, gradients);
  },
);

const transformerXlFields = {
  ...headed.headedFields,
  ...sumFields,
  weights: is.optional(is.flag),
  relative: is.tensor(),
  contentBias: is.tensor(),
  positionBias: is.tensor(),
} satisfies is.FieldsOf<t.TransformerXlOptions>;

export const transformerXl = define(
  { name: "transformerXl", options: transformerXlFields, results: plain.weightsAndOutput },
  (read) => {
    const sizes = headed.headedSizes(read);
    const lead = read.query.shape.slice(0, -2);
    const [queries, dim] = read.query.shape.slice(-2) as [number, number];
    const keys = read.key.shape.at(-2) as number;
    checkExtents("relative", read.relative.shape, [...lead, distances(queries, keys), dim]);
    checkExtents("contentBias", read.contentBias.shape, [...lead, dim]);
    checkExtents("positionBias", read.positionBias.shape, [...lead, dim]);
    return plain.wantedOf(sizes, read.weights);
  },
);

export const relativeShift = inputsFirst(
  { name: "relativeShift", inputs: { x: headed.headed }, results: Float32Array },
  ({ x: { shape } }) => ({ shape, what: "x" }),
);

const copeFields = {
  ...placeFields,
  query: headed.headed,
  logits: headed.headed,
  embedding: is.tensor(2),
} satisfies is.FieldsOf<t.CopeOptions>;

export const cope = define(
  { name: "cope", options: copeFields, results: arraysOf(["bias", "counts"]) },
  ({ query, logits, embedding }) => {
    const rows = query.shape.slice(0, -1);
    if (logits.shape.slice(0, -1).join() !== rows.join()) throw wrongShape("logits", logits.shape, [...rows, "keys"]);
    const dim = query.shape.at(-1) as number;
    if (embedding.shape[1] !== dim) throw wrongShape("embedding", embedding.shape, ["positions", dim]);
    const size = { shape: logits.shape, what: "logits" };
    return { bias: size, counts: size };
  },
);
