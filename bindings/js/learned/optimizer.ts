import { inputsFirst } from "../base/call.js";
import { wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { current, refuseOverlap, type View } from "../base/view.js";
import type * as t from "../types/index.js";

const notNegative = is.optional(is.number, expected.finite_at_least, { bound: 0 });

const inputs = { parameters: is.changed };

/** A step writes to each of them: none shares memory with another. */
function checkApart(states: { readonly [name: string]: View | undefined }): void {
  const given = Object.entries(states);
  for (const [i, [name, state]] of given.entries()) {
    for (const [other, before] of given.slice(0, i)) if (state && before) refuseOverlap(name, state, other, before);
  }
}

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
  ({ parameters, buffer }) => checkApart({ parameters, buffer }),
  updated,
);

const betas: is.Kind<readonly [number, number], View<ArrayLike<number>>> = {
  ...is.numbers,
  read(argument, value) {
    const read = is.numbers.read(argument, value);
    if (read.length !== 2) throw wrongValue(argument, value, "two numbers");
    return read;
  },
};

const adamFields = {
  gradient: is.floats,
  lr: is.number,
  betas: is.optional(betas),
  eps: notNegative,
  weightDecay: notNegative,
  decay: is.optional(is.word()),
  step: is.whole,
  firstMoment: is.changed,
  secondMoment: is.squares(is.changed),
} satisfies is.FieldsOf<t.AdamOptions>;

export const adamStep = inputsFirst(
  { name: "adamStep", inputs, options: adamFields },
  ({ parameters, firstMoment, secondMoment }) => checkApart({ parameters, firstMoment, secondMoment }),
  updated,
);
