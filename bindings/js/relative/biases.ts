// The biases that depend on the relative position, and T5's buckets. The full entry offers all that this file exports.

import { define } from "../base/call.js";
import * as is from "../base/kinds.js";
import type * as t from "../types/index.js";
import { biasFields, biasSize, pairFields, pairSize, perceptron, perceptronOutputs } from "./relative.js";

const slopeFields = {
  heads: is.count,
  slopes: is.optional(is.word()),
  steepness: is.optional(is.number),
} satisfies is.FieldsOf<t.AlibiSlopesOptions>;

export const alibiSlopes = define(
  { name: "alibiSlopes", options: slopeFields, results: Float32Array },
  ({ heads }) => ({ shape: [heads], what: "heads" }),
);

const alibiFields = {
  ...biasFields,
  ...slopeFields,
  distance: is.optional(is.word()),
} satisfies is.FieldsOf<t.AlibiOptions>;

export const alibi = define({ name: "alibi", options: alibiFields, results: Float32Array }, (read) =>
  biasSize(read, read.heads),
);

const fireFields = {
  ...biasFields,
  perceptron,
  c: is.optional(is.number),
  threshold: is.optional(is.number),
  epsilon: is.optional(is.number),
} satisfies is.FieldsOf<t.FireOptions>;

export const fire = define({ name: "fire", options: fireFields, results: Float32Array }, (read) =>
  biasSize(read, perceptronOutputs(read.perceptron, 1)),
);

const kerpleFields = {
  ...biasFields,
  kernel: is.named,
  r1: is.floats,
  r2: is.floats,
} satisfies is.FieldsOf<t.KerpleOptions>;

export const kerple = define({ name: "kerple", options: kerpleFields, results: Float32Array }, (read) =>
  biasSize(read, read.r1.length),
);

const sandwichFields = {
  ...biasFields,
  heads: is.count,
  dim: is.optional(is.whole),
  base: is.optional(is.number),
  indices: is.optional(is.word()),
} satisfies is.FieldsOf<t.SandwichOptions>;

export const sandwich = define({ name: "sandwich", options: sandwichFields, results: Float32Array }, (read) =>
  biasSize(read, read.heads),
);

const bucketFields = {
  buckets: is.optional(is.whole),
  maxDistance: is.optional(is.whole),
  bidirectional: is.flag,
} satisfies is.FieldsOf<t.T5Buckets>;

export const t5Buckets = define(
  { name: "t5Buckets", options: { ...pairFields, ...bucketFields }, results: Int32Array },
  (read) => pairSize(read),
);

const t5Fields = { ...biasFields, ...bucketFields, table: is.tensor(2) } satisfies is.FieldsOf<t.T5Options>;

export const t5 = define({ name: "t5", options: t5Fields, results: Float32Array }, (read) =>
  biasSize(read, read.table.shape[1] as number),
);
