import { inputsFirst } from "../base/call.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { checkApart, current } from "../base/view.js";
import type * as t from "../types/index.js";

const notNegative = is.optional(is.number, expected.finite_at_least, { bound: 0 });

const inputs = { parameters: is.changed };

/** Returns the caller's array, whose values have changed. */
const updated = (_: unknown, { parameters }: is.ReadOf<typeof inputs>, module: Module) => current(module, parameters);

const sgdFields = {
  gradient: is.floats,
  lr: is.number,
  momentum: notNegative,
  dampening: is.optional(is.number, expected.finite),
  weightDecay: notNegative,
  nesterov: is.optional(is.flag),
  buffer: is.optional(is.changed),
  step: is.optional(is.whole),
} satisfies is.FieldsOf<t.SgdOptions>;

export const sgdStep = inputsFirst(
  { name: "sgdStep", inputs, options: sgdFields },
  ({ parameters, buffer }) => checkApart(parameters, buffer),
  updated,
);

const adamFields = {
  gradient: is.floats,
  lr: is.number,
  betas: is.optional(is.pair(is.numbers, "two numbers")),
  eps: notNegative,
  weightDecay: notNegative,
  decay: is.optional(is.word()),
  step: is.whole,
  firstMoment: is.changed,
  secondMoment: is.changed,
} satisfies is.FieldsOf<t.AdamOptions>;

export const adamStep = inputsFirst(
  { name: "adamStep", inputs, options: adamFields },
  ({ parameters, firstMoment, secondMoment }) => checkApart(parameters, firstMoment, secondMoment),
  updated,
);
