// Rotated keys moved on or rotated anew, a rotation as a matrix, and lanes where another layout has them.

import { define, inputsFirst } from "../base/call.js";
import { number as checkNumber, wrongValue } from "../base/check.js";
import {
  changed,
  type FieldsOf,
  flag,
  type Kind,
  number,
  numbers,
  optional,
  type Shaped,
  tensor,
  whole,
  word,
} from "../base/kinds.js";
import { listView } from "../base/view.js";
import { positionFields, positionList, refuseOffset } from "../frequencies/positions.js";
import type {
  ConvertLayoutOptions,
  PositionList,
  RotaryMatrixOptions,
  RotateAgainOptions,
  ShiftRotatedOptions,
} from "../types/index.js";
import { axesFields, rotaryOption, rotated } from "./rotary.js";

/** How far to move: each token by its own number, or all by one. */
const distances: Kind<number | PositionList, Shaped<ArrayLike<number>>> = {
  is: "positions",
  read: (argument, value) =>
    typeof value === "object" && value !== null
      ? positionList.read("positions", value)
      : { ...listView([checkNumber(argument, value)]), shape: [] },
  write(block, read, argument) {
    if (read?.shape.length !== 0) return positionList.write(block, read, argument);
    numbers.write(block, read, argument);
    block.number(-1);
  },
};

export const shiftRotated = inputsFirst(
  define(
    {
      name: "shiftRotated",
      inputs: { x: changed },
      options: { ...axesFields, rotary: rotaryOption, by: distances } satisfies FieldsOf<ShiftRotatedOptions>,
    },
    () => {},
    rotated,
  ),
);

export const rotateAgain = inputsFirst(
  define(
    {
      name: "rotateAgain",
      inputs: { x: changed },
      options: {
        ...axesFields,
        ...positionFields,
        from: rotaryOption,
        to: rotaryOption,
      } satisfies FieldsOf<RotateAgainOptions>,
    },
    refuseOffset,
    rotated,
  ),
);

export const rotaryMatrix = define(
  {
    name: "rotaryMatrix",
    options: {
      rotary: rotaryOption,
      position: number,
      inverse: optional(flag),
    } satisfies FieldsOf<RotaryMatrixOptions>,
    results: Float32Array,
  },
  ({ rotary }) => ({ shape: [rotary.made.dim, rotary.made.dim], what: "dim * dim" }),
);

const conversionFields = {
  dim: whole,
  rotaryDim: optional(whole),
  from: word(),
  to: word(),
  axis: whole,
} satisfies FieldsOf<ConvertLayoutOptions>;

export const convertLayout = inputsFirst(
  define(
    { name: "convertLayout", inputs: { x: tensor() }, options: conversionFields, results: Float32Array },
    ({ x: { shape }, dim, axis }) => {
      const lanes = shape.at(axis);
      const rank = shape.length;
      if (lanes === undefined) throw wrongValue("axis", axis, `an axis of x: from ${-rank} to ${rank - 1}`);
      if (dim > 0 && lanes % dim !== 0) {
        throw wrongValue("x.shape", shape, `a multiple of ${dim} (dim) as the extent of axis ${axis}`);
      }
      return { shape, what: "x" };
    },
  ),
);
