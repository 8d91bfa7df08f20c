import { current } from "../base/buffer.js";
import { define, inputsFirst } from "../base/call.js";
import { wrongValue } from "../base/check.js";
import {
  changed,
  type FieldsOf,
  flag,
  floats,
  type Kind,
  number,
  numbers,
  optional,
  whole,
  word,
} from "../base/kinds.js";
import { refuseOverlap, type View } from "../base/view.js";
import type { AdamOptions, SgdOptions } from "../types/index.js";

const notNegative = optional(number, "a finite number >= 0");

/** A step writes to each of them: none shares memory with another. */
function checkApart(states: { readonly [name: string]: View | undefined }): void {
  const given = Object.entries(states);
  for (const [i, [name, state]] of given.entries()) {
    for (const [other, before] of given.slice(0, i)) if (state && before) refuseOverlap(name, state, other, before);
  }
}

export const sgdStep = inputsFirst(
  define(
    {
      name: "sgdStep",
      inputs: { parameters: changed },
      options: {
        gradient: floats,
        lr: number,
        momentum: notNegative,
        dampening: optional(number, "a finite number"),
        weightDecay: notNegative,
        nesterov: optional(flag),
        buffer: optional(changed),
        step: optional(whole),
      } satisfies FieldsOf<SgdOptions>,
    },
    ({ parameters, buffer }) => checkApart({ parameters, buffer }),
    (_, { parameters }, module) => current(module, parameters),
  ),
);

const betas: Kind<readonly [number, number], View<ArrayLike<number>>> = {
  ...numbers,
  read(argument, value) {
    const read = numbers.read(argument, value);
    if (read.length !== 2) throw wrongValue(argument, value, "two numbers");
    return read;
  },
};

export const adamStep = inputsFirst(
  define(
    {
      name: "adamStep",
      inputs: { parameters: changed },
      options: {
        gradient: floats,
        lr: number,
        betas: optional(betas),
        eps: notNegative,
        weightDecay: notNegative,
        decay: optional(word()),
        step: whole,
        firstMoment: changed,
        secondMoment: changed,
      } satisfies FieldsOf<AdamOptions>,
    },
    ({ parameters, firstMoment, secondMoment }) => checkApart({ parameters, firstMoment, secondMoment }),
    (_, { parameters }, module) => current(module, parameters),
  ),
);
