import { inputsFirst } from "../base/call.js";
import { whole as checkWhole, options, product, shape, wrongValue } from "../base/check.js";
import * as is from "../base/kinds.js";
import { listView, type View } from "../base/view.js";
import type * as t from "../types/index.js";

/** A list of whole numbers, which the core is given as doubles. */
export const wholes: is.Kind<ArrayLike<number>, View<ArrayLike<number>>> = {
  ...is.numbers,
  read(argument, value) {
    const view = is.numbers.read(argument, value);
    Array.prototype.forEach.call(view.values, (item) => checkWhole(argument, item));
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
const attentionMask: is.Kind<t.AttentionMask, is.Shaped<ArrayLike<number>>> = {
  is: "tensor",
  read(argument, value) {
    const { data, shape: given } = options(value, ["data", "shape"], argument);
    const extents = shape(`${argument}.shape`, given);
    if (extents.length !== 1 && extents.length !== 2) {
      throw wrongValue(`${argument}.shape`, extents, "[sequence] or [batch, sequence]");
    }
    const isBoolean = Array.isArray(data) && data.findIndex((item) => typeof item !== "boolean") < 0;
    const view = isBoolean ? listView(Array.from(data, Number)) : is.numbers.read(`${argument}.data`, data as number[]);
    if (view.length !== product(extents)) {
      throw wrongValue(`${argument}.data`, view.length, `${product(extents)} values for its shape`);
    }
    const wrong = Array.prototype.find.call(view.values, (item) => item !== 0 && item !== 1);
    if (wrong !== undefined) throw wrongValue(`${argument}.data`, wrong, "0 or 1, or true or false");
    return { ...view, shape: extents };
  },
  write(block, read, argument) {
    if (read) block.copy(Int32Array, read, argument);
    block.list(read?.shape ?? []);
  },
};

const maskFields = { padding: is.optional(is.whole) } satisfies is.FieldsOf<t.MaskPositionsOptions>;

export const maskPositions = inputsFirst(
  { name: "maskPositions", inputs: { mask: attentionMask }, options: maskFields, results: Int32Array },
  ({ mask: { shape } }) => ({ shape, what: "mask" }),
);
