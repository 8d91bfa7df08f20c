import { inputsFirst } from "../base/call.js";
import { number as checkNumber, whole as checkWhole, isArray, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import { listView, typeOf, type View, viewOf } from "../base/view.js";
import type * as t from "../types/index.js";

/** A list of whole numbers, which the core is given as doubles. */
export const wholes: is.Kind<ArrayLike<number>, View<ArrayLike<number>>> = {
  ...is.numbers,
  read(argument, value) {
    const view = is.numbers.read(argument, value);
    for (let i = 0; i < view.length; ++i) checkWhole(argument, view.values[i]);
    return view;
  },
};

export const packedPositions = inputsFirst(
  { name: "packedPositions", inputs: { boundaries: wholes }, results: Int32Array },
  ({ boundaries }) => ({
    shape: [Math.max(boundaries.values[boundaries.length - 1] ?? 0, 0)],
    what: "boundaries",
  }),
);

/** 1 or true for a token, 0 or false for padding. */
const attentionMask: is.Kind<t.AttentionMask, View<ArrayLike<number>>> = {
  is: "tensor",
  read(argument, value) {
    const given = is.tensorOf(argument, value);
    const { data } = given;
    const extents = is.shapeOf(argument, given);
    if (extents.length !== 1 && extents.length !== 2)
      throw wrongValue(`${argument}.shape`, extents, expected.shape, { shape: "[sequence] or [batch, sequence]" });
    const where = `${argument}.data`;
    let first: string | undefined;
    const areInts = typeOf(data) === "Int32Array"; // what is wrong with them the core says
    const view = areInts
      ? viewOf(where, data as unknown as Int32Array)
      : !isArray(data)
        ? is.numbers.read(where, data as unknown as number[])
        : listView(
            data.map((item, i) => {
              first ??= typeof item === "boolean" ? "boolean" : "number";
              return typeof item === first ? Number(item) : checkNumber(`${where}[${i}]`, item);
            }),
          );
    is.withShape(argument, view, extents);
    for (let i = 0; i < view.length && !areInts; ++i) {
      const item = view.values[i];
      if (item !== 0 && item !== 1)
        throw wrongValue(`${argument}.data`, item, expected.one_of, { names: "0, 1, true, false" });
    }
    return view;
  },
  write: is.writeInts,
};

const maskFields = { padding: is.optional(is.whole) } satisfies is.FieldsOf<t.MaskPositionsOptions>;

export const maskPositions = inputsFirst(
  { name: "maskPositions", inputs: { mask: attentionMask }, options: maskFields, results: Int32Array },
  ({ mask: { shape } }) => ({ shape, what: "mask" }),
);
