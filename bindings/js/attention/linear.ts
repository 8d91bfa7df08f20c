import { define, type Size } from "../base/call.js";
import { wrongValue } from "../base/check.js";
import { type ReadTensor, tensor } from "../base/kinds.js";
import type { Module } from "../base/module.js";
import type { OutOption, Tensor } from "../types/index.js";

export const productInputs = { x: tensor(), weight: tensor(2) };

/** x Wᵀ of x [..., in] and weight [out, in]. */
export function productSize({ x, weight }: { x: ReadTensor; weight: ReadTensor }): Size {
  const [outputs, inputs] = weight.shape as [number, number];
  if (x.shape.at(-1) !== inputs) throw wrongValue("weight.shape", weight.shape, `[out, ${x.shape.at(-1)}]`);
  return { shape: [...x.shape.slice(0, -1), outputs], what: "x" };
}

export const multiply = define({ name: "linear", inputs: productInputs, results: Float32Array }, productSize);

export const linear = (module: Module, x: Tensor, weight: Tensor, options?: OutOption): Tensor =>
  multiply(module, options, { x, weight });
