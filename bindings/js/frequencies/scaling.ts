import { flag, number, numbers, oneOf, optional, whole } from "../base/kinds.js";
import type { Scaling } from "../types/index.js";

/** The options of each rule; what they mean, and their defaults, is the core's to know. */
export const scaling = oneOf<Scaling>({
  default: {},
  linear: { factor: number },
  ntk: { factor: number },
  dynamic: { factor: number, originalLength: number },
  yarn: {
    factor: number,
    originalLength: number,
    betaFast: optional(number),
    betaSlow: optional(number),
    truncate: optional(flag),
    attentionFactor: optional(number),
    mscale: optional(number),
    mscaleAllDim: optional(number),
  },
  longrope: {
    factor: number,
    originalLength: number,
    shortFactor: numbers,
    longFactor: numbers,
    attentionFactor: optional(number),
  },
  llama3: {
    factor: number,
    originalLength: number,
    lowFrequencyFactor: optional(number),
    highFrequencyFactor: optional(number),
  },
  proportional: { fraction: optional(number), factor: optional(number) },
  given: { frequencies: numbers, attentionFactor: optional(number) },
});

export const scalingFields = { exponentDim: optional(whole), scaling: optional(scaling), length: optional(whole) };
