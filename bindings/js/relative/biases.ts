// The biases that depend on the relative position, and T5's buckets. The full entry offers all that this file exports.

import { define } from "../base/call.js";
import { count, type FieldsOf, flag, floats, number, optional, tensor, whole, word } from "../base/kinds.js";
import type {
  AlibiOptions,
  AlibiSlopesOptions,
  FireOptions,
  KerpleOptions,
  SandwichOptions,
  T5BucketOptions,
  T5Options,
} from "../types/index.js";
import { perceptron, perceptronOutputs } from "./perceptron.js";
import { biasFields, biasSize, pairFields, pairSize } from "./relative.js";

const slopeFields = {
  heads: count,
  slopes: optional(word()),
  steepness: optional(number),
} satisfies FieldsOf<AlibiSlopesOptions>;

export const alibiSlopes = define(
  { name: "alibiSlopes", options: slopeFields, results: Float32Array },
  ({ heads }) => ({ shape: [heads], what: "heads" }),
);

export const alibi = define(
  {
    name: "alibi",
    options: { ...biasFields, ...slopeFields, distance: optional(word()) } satisfies FieldsOf<AlibiOptions>,
    results: Float32Array,
  },
  (read) => biasSize(read, read.heads),
);

export const fire = define(
  {
    name: "fire",
    options: {
      ...biasFields,
      perceptron,
      c: optional(number),
      threshold: optional(number),
      epsilon: optional(number),
    } satisfies FieldsOf<FireOptions>,
    results: Float32Array,
  },
  (read) => biasSize(read, perceptronOutputs(read.perceptron, 1)),
);

export const kerple = define(
  {
    name: "kerple",
    options: {
      ...biasFields,
      kernel: word("the name of a kernel; it has no default"),
      r1: floats,
      r2: floats,
    } satisfies FieldsOf<KerpleOptions>,
    results: Float32Array,
  },
  (read) => biasSize(read, read.r1.length),
);

export const sandwich = define(
  {
    name: "sandwich",
    options: {
      ...biasFields,
      heads: count,
      dim: optional(whole),
      base: optional(number),
      indices: optional(word()),
    } satisfies FieldsOf<SandwichOptions>,
    results: Float32Array,
  },
  (read) => biasSize(read, read.heads),
);

const bucketFields = { buckets: optional(whole), maxDistance: optional(whole), bidirectional: flag };

export const t5Buckets = define(
  {
    name: "t5Buckets",
    options: { ...pairFields, ...bucketFields } satisfies FieldsOf<T5BucketOptions>,
    results: Int32Array,
  },
  (read) => pairSize(read),
);

export const t5 = define(
  {
    name: "t5",
    options: { ...biasFields, ...bucketFields, table: tensor(2) } satisfies FieldsOf<T5Options>,
    results: Float32Array,
  },
  (read) => biasSize(read, read.table.shape[1] as number),
);
