// The layers before and after attention, forward and backward: linear layers, sums with a table, the softmax.

import { define, inputsFirst } from "../base/call.js";
import { checkExtents, has, isObject } from "../base/check.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import type * as t from "../types/index.js";
import { productInputs, productSize, seqAxisField } from "./attention.js";

const precisionFields = { precision: is.optional(is.word()) } satisfies is.FieldsOf<t.SumPrecisionOption>;

const linearFields = { ...precisionFields, bias: is.optional(is.tensor(1)) } satisfies is.FieldsOf<t.LinearOptions>;

export const addedProduct = define(
  { name: "linearLayer", where: "linear", inputs: productInputs, options: linearFields, results: Float32Array },
  ({ x, weight, bias }) => {
    const size = productSize({ x, weight });
    if (bias) checkExtents("bias", bias.shape, weight.shape.slice(0, 1));
    return size;
  },
);

/** The bias alone may be given in place of the options. */
export function linear(
  module: Module,
  x: t.TensorInput,
  weight: t.TensorInput,
  last?: t.TensorInput | t.LinearOptions,
): t.Tensor {
  const isBias = isObject(last) && has(last, "data");
  return addedProduct(module, isBias ? { bias: last } : last, { x, weight });
}

const linearForward = {
  ...productInputs,
  ...precisionFields,
  gradient: is.tensor(),
} satisfies is.FieldsOf<t.LinearBackwardOptions>;

export const linearBackward = define(
  {
    name: "linearBackward",
    options: linearForward,
    results: { x: Float32Array, weight: Float32Array, bias: Float32Array },
  },
  ({ x, weight, gradient }) => {
    checkExtents("gradient", gradient.shape, productSize({ x, weight }).shape);
    return {
      x: { shape: x.shape, what: "x" },
      weight: { shape: weight.shape, what: "weight" },
      bias: { shape: weight.shape.slice(0, 1), what: "bias" },
    };
  },
);

const tableFields = { ...seqAxisField, rows: is.count } satisfies is.FieldsOf<t.AddBackwardOptions>;

export const addBackward = inputsFirst(
  { name: "addBackward", inputs: { gradient: is.tensor() }, options: tableFields, results: Float32Array },
  ({ gradient, rows }) => ({ shape: [rows, gradient.shape.at(-1) as number], what: "rows * dim" }),
);

export const softmax = inputsFirst(
  { name: "softmax", inputs: { x: is.tensor() }, options: precisionFields, results: Float32Array },
  ({ x: { shape } }) => ({ shape, what: "x" }),
);

const softmaxForward = {
  ...precisionFields,
  weights: is.tensor(),
  gradient: is.tensor(),
} satisfies is.FieldsOf<t.SoftmaxBackwardOptions>;

export const softmaxBackward = define(
  { name: "softmaxBackward", options: softmaxForward, results: Float32Array },
  ({ weights: { shape }, gradient }) => {
    checkExtents("gradient", gradient.shape, shape);
    return { shape, what: "gradient" };
  },
);
