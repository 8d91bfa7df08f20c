import * as is from "../base/kinds.js";
import type * as t from "../types/index.js";

/** The options of each rule; what they mean, and their defaults, is the core's to know. */
export const scaling = is.oneOf<t.Scaling>({
  default: {},
  linear: { factor: is.number },
  ntk: { factor: is.number },
  dynamic: { factor: is.number, originalLength: is.number },
  yarn: {
    factor: is.number,
    originalLength: is.number,
    betaFast: is.optional(is.number),
    betaSlow: is.optional(is.number),
    truncate: is.optional(is.flag),
    attentionFactor: is.optional(is.number),
    mscale: is.optional(is.number),
    mscaleAllDim: is.optional(is.number),
  },
  longrope: {
    factor: is.number,
    originalLength: is.number,
    shortFactor: is.numbers,
    longFactor: is.numbers,
    attentionFactor: is.optional(is.number),
  },
  llama3: {
    factor: is.number,
    originalLength: is.number,
    lowFrequencyFactor: is.optional(is.number),
    highFrequencyFactor: is.optional(is.number),
  },
  proportional: { fraction: is.optional(is.number), factor: is.optional(is.number) },
  given: { frequencies: is.numbers, attentionFactor: is.optional(is.number) },
});

export const scalingFields = {
  exponentDim: is.optional(is.whole),
  scaling: is.optional(scaling),
  length: is.optional(is.whole),
} satisfies is.FieldsOf<t.ScalingOptions>;
