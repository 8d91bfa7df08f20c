// The options of a training: a group each for task, encoding, model and optimiser.

import { wrongType } from "../base/check.js";
import * as is from "../base/kinds.js";
import { viewOf } from "../base/view.js";
import { scaling } from "../frequencies/scaling.js";
import { positionRuleFields } from "../relative/position-map.js";
import type * as t from "../types/index.js";

/** A text of any length, or none; the core gets it in UTF-8. */
const text: is.Kind<string | undefined> = {
  is: "array",
  isOptional: true,
  read(argument, value) {
    if (value !== undefined && typeof value !== "string") throw wrongType(argument, value, "a string");
    return value;
  },
  write(block, value, argument) {
    if (value === undefined) block.nothing();
    else block.array(Uint8Array, viewOf(argument, new TextEncoder().encode(value)), argument);
  },
};

const taskFields = {
  type: is.named,
  shortest: is.optional(is.whole),
  longest: is.optional(is.whole),
  symbols: is.optional(is.whole),
  distance: is.optional(is.whole),
  text,
};

export const task = is.group<t.TaskOptions, typeof taskFields>(taskFields);

export const positionRule = is.group<t.PositionRule, typeof positionRuleFields>(positionRuleFields);

const encodingFields = {
  type: is.named,
  base: is.optional(is.number),
  rotated: is.optional(is.number),
  scaling: is.optional(scaling),
  map: is.optional(positionRule),
  rows: is.optional(is.whole),
  buckets: is.optional(is.whole),
  maxDistance: is.optional(is.whole),
  hidden: is.optional(is.whole),
};

export const encoding = is.group<t.EncodingOptions, typeof encodingFields>(encodingFields);

const transformerFields = {
  layers: is.optional(is.whole),
  width: is.optional(is.whole),
  heads: is.optional(is.whole),
  hidden: is.optional(is.whole),
  causal: is.optional(is.flag),
  tiesOutput: is.optional(is.flag),
  dropout: is.optional(is.number),
};

export const transformer = is.group<t.TransformerOptions, typeof transformerFields>(transformerFields);

const optimizerFields = {
  steps: is.optional(is.whole),
  batch: is.optional(is.whole),
  rate: is.optional(is.number),
  warmUp: is.optional(is.whole),
  clip: is.optional(is.number),
  weightDecay: is.optional(is.number),
  encodingRate: is.optional(is.number),
};

export const optimizer = is.group<t.OptimizerOptions, typeof optimizerFields>(optimizerFields);

export const trainingFields = {
  task,
  encoding,
  model: is.optional(transformer),
  optimizer: is.optional(optimizer),
  sampling: is.optional(is.word()),
  stretch: is.optional(is.whole),
  seed: is.optional(is.whole),
} satisfies is.FieldsOf<t.TrainingOptions>;
