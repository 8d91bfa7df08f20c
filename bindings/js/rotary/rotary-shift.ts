// Rotated keys moved on or rotated anew, a rotation as a matrix, and dimensions where another layout has them.

import { define, inputsFirst } from "../base/call.js";
import { number as checkNumber, isObject, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import { listView, shaped, type View } from "../base/view.js";
import { positionFields, positionList, refuseOffset } from "../frequencies/positions.js";
import type * as t from "../types/index.js";
import { axesFields, rotaryOption, rotated } from "./rotary.js";

/** How far to move: each token by its own number, or all by one. */
const distances: is.Kind<number | t.PositionList, View<ArrayLike<number>>> = {
  is: "positions",
  read: (argument, value) =>
    isObject(value) ? positionList.read("positions", value) : shaped(listView([checkNumber(argument, value)]), []),
  write(block, read, argument) {
    if (read?.shape.length !== 0) return positionList.write(block, read, argument);
    is.numbers.write(block, read, argument);
    block.number(-1);
  },
};

const inputs = { x: is.changed };

const shiftFields = {
  ...axesFields,
  rotary: rotaryOption,
  by: distances,
} satisfies is.FieldsOf<t.ShiftRotatedOptions>;

export const shiftRotated = inputsFirst({ name: "shiftRotated", inputs, options: shiftFields }, () => {}, rotated);

const againFields = {
  ...axesFields,
  ...positionFields,
  from: rotaryOption,
  to: rotaryOption,
} satisfies is.FieldsOf<t.RotateAgainOptions>;

export const rotateAgain = inputsFirst({ name: "rotateAgain", inputs, options: againFields }, refuseOffset, rotated);

const matrixFields = {
  rotary: rotaryOption,
  position: is.number,
  inverse: is.optional(is.flag),
} satisfies is.FieldsOf<t.RotaryMatrixOptions>;

export const rotaryMatrix = define(
  { name: "rotaryMatrix", options: matrixFields, results: Float32Array },
  ({ rotary: { made } }) => ({ shape: [made.dim, made.dim], what: "dim * dim" }),
);

const differenceFields = {
  a: rotaryOption,
  b: rotaryOption,
  distances: is.numbers,
} satisfies is.FieldsOf<t.RotaryDifferenceOptions>;

const differences = { angle: Float64Array, cosine: Float64Array, score: Float64Array };

export const rotaryDifference = define(
  { name: "rotaryDifference", options: differenceFields, results: differences },
  ({ distances }) => {
    const size = { shape: [distances.length], what: "distances" };
    return { angle: size, cosine: size, score: size };
  },
  ({ angle, cosine, score }): t.RotaryDifference => ({ angle: angle.data, cosine: cosine.data, score: score.data }),
);

const conversionFields = {
  dim: is.whole,
  rotaryDim: is.optional(is.whole),
  from: is.word(),
  to: is.word(),
  axis: is.whole,
} satisfies is.FieldsOf<t.ConvertLayoutOptions>;

export const convertLayout = inputsFirst(
  { name: "convertLayout", inputs: { x: is.tensor() }, options: conversionFields, results: Float32Array },
  ({ x: { shape }, dim, axis }) => {
    const dims = shape.at(axis);
    const rank = shape.length;
    if (dims === undefined)
      throw wrongValue("axis", axis, expected.axis_from_to, { tensor: "x", least: -rank, most: rank - 1 });
    if (dim > 0 && dims % dim !== 0)
      throw wrongValue("x.shape", shape, expected.multiple, { of: dim }, ` (dim) as the extent of axis ${axis}`);
    return { shape, what: "x" };
  },
);
