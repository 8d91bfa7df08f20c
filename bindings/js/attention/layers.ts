// What stands before and after attention, forward and backward: linear layers, sums with a table, the softmax.

import { define, inputsFirst } from "../base/call.js";
import { checkExtents } from "../base/check.js";
import { count, type FieldsOf, optional, tensor } from "../base/kinds.js";
import type { Module } from "../base/module.js";
import type {
  AddBackwardOptions,
  LinearBackwardOptions,
  LinearOptions,
  SoftmaxBackwardOptions,
  Tensor,
} from "../types/index.js";
import { productInputs, productSize } from "./linear.js";

export const addedProduct = define(
  {
    name: "linearLayer",
    where: "linear",
    inputs: productInputs,
    options: { bias: optional(tensor(1)) } satisfies FieldsOf<LinearOptions>,
    results: Float32Array,
  },
  ({ x, weight, bias }) => {
    const size = productSize({ x, weight });
    if (bias) checkExtents("bias", bias.shape, weight.shape.slice(0, 1));
    return size;
  },
);

/** The bias alone may stand in place of the options. */
export function linear(module: Module, x: Tensor, weight: Tensor, last?: Tensor | LinearOptions): Tensor {
  const isBias = typeof last === "object" && last !== null && "data" in last;
  return addedProduct(module, isBias ? { bias: last } : last, { x, weight });
}

export const linearBackward = define(
  {
    name: "linearBackward",
    options: { ...productInputs, gradient: tensor() } satisfies FieldsOf<LinearBackwardOptions>,
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

export const addBackward = inputsFirst(
  define(
    {
      name: "addBackward",
      inputs: { gradient: tensor() },
      options: { rows: count } satisfies FieldsOf<AddBackwardOptions>,
      results: Float32Array,
    },
    ({ gradient, rows }) => ({ shape: [rows, gradient.shape.at(-1) as number], what: "rows * dim" }),
  ),
);

export const softmax = inputsFirst(
  define({ name: "softmax", inputs: { x: tensor() }, results: Float32Array }, ({ x }) => ({
    shape: x.shape,
    what: "x",
  })),
);

export const softmaxBackward = define(
  {
    name: "softmaxBackward",
    options: { weights: tensor(), gradient: tensor() } satisfies FieldsOf<SoftmaxBackwardOptions>,
    results: Float32Array,
  },
  ({ weights, gradient }) => {
    checkExtents("gradient", gradient.shape, weights.shape);
    return { shape: weights.shape, what: "gradient" };
  },
);
