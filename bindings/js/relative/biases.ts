import { define } from "../base/call.js";
import { count, type FieldsOf, number, optional, word } from "../base/kinds.js";
import type { AlibiOptions, AlibiSlopesOptions } from "../types/index.js";
import { biasFields, pairSize } from "./relative.js";

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
  (read) => pairSize(read, read.heads),
);
