import { define, inputsFirst, type Size } from "../base/call.js";
import { isArray, product, wrongType } from "../base/check.js";
import * as is from "../base/kinds.js";
import type * as t from "../types/index.js";
import { checkRows, namedRowFields, rowsShape, tokenRowFields } from "./learned-table.js";

const axisTable = is.tensor(2);

const tables: is.Kind<readonly t.TensorInput[], is.ReadTensor[]> = {
  is: "tensors",
  read(argument, value) {
    if (!isArray(value)) throw wrongType(argument, value, "an array of tensors");
    return value.map((table, axis) => axisTable.read(`${argument}[${axis}]`, table as t.TensorInput));
  },
  write(block, read = [], argument) {
    block.number(read.length);
    for (let axis = 0; axis < read.length; ++axis) axisTable.write(block, read[axis], `${argument}[${axis}]`);
  },
};

const axialFields = {
  ...namedRowFields,
  tables,
  combination: is.optional(is.word()),
} satisfies is.FieldsOf<t.ReformerAxialOptions>;

export const reformerAxial = define(
  { name: "reformerAxial", options: axialFields, results: Float32Array },
  ({ tables, combination, ...rows }): Size => {
    const all = product(tables.map(({ shape }) => shape[0] as number));
    const dims = tables.map(({ shape }) => shape[1] as number);
    const dim = combination === "sum" ? (dims[0] ?? 0) : dims.reduce((sum, one) => sum + one, 0);
    return { shape: [...rowsShape(rows, all), dim], what: "rows * dim" };
  },
);

const gradientFields = {
  ...tokenRowFields,
  shape: is.extents,
  dims: is.extents,
  combination: is.optional(is.word()),
} satisfies is.FieldsOf<t.ReformerAxialGradientOptions>;

/** The names of the tables, one for each axis that the core allows. */
const results = Object.fromEntries(Array.from({ length: 8 }, (_, axis) => [axis, Float32Array]));

export const reformerAxialGradient = inputsFirst(
  { name: "reformerAxialGradient", inputs: { gradient: is.tensor() }, options: gradientFields, results },
  ({ gradient, shape, dims, ...rows }) => {
    checkRows("gradient", gradient.shape, rows);
    const what = "shape * dims";
    // The core checks that there are axes, also where there is an array for one.
    const sides = shape.length > 0 ? shape : [0];
    return Object.fromEntries(sides.map((extent, axis) => [axis, { shape: [extent, dims[axis] ?? 0], what }]));
  },
  Object.values<t.Tensor>,
);
