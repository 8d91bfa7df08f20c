import { define } from "../base/call.js";
import { wrongValue } from "../base/check.js";
import { tensor } from "../base/kinds.js";
import type { Module } from "../base/module.js";
import type { OutOption, Tensor } from "../types/index.js";

export const multiply = define(
  { name: "linear", inputs: { x: tensor(), weight: tensor(2) }, results: Float32Array },
  ({ x, weight }) => {
    const [outputs, inputs] = weight.shape as [number, number];
    if (x.shape.at(-1) !== inputs) throw wrongValue("weight.shape", weight.shape, `[out, ${x.shape.at(-1)}]`);
    return { shape: [...x.shape.slice(0, -1), outputs], what: "x" };
  },
);

export const linear = (module: Module, x: Tensor, weight: Tensor, options: OutOption = {}): Tensor =>
  multiply(module, options, { x, weight });
