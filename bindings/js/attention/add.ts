import { define, type Size } from "../base/call.js";
import { wrongValue } from "../base/check.js";
import { type ReadTensor, tensor } from "../base/kinds.js";
import type { Module } from "../base/module.js";
import type { OutOption, Tensor } from "../types/index.js";

export const sumInputs = { x: tensor(), table: tensor(2) };

/** x + table, a row for each of the last axis but one. */
export function sumSize({ x, table }: { x: ReadTensor; table: ReadTensor }): Size {
  const rows = x.shape.at(-2) ?? 1;
  const dim = x.shape.at(-1);
  if (table.shape[1] !== dim) throw wrongValue("table.shape", table.shape, `[at least ${rows}, ${dim}]`);
  return { shape: x.shape, what: "x" };
}

export const addTable = define({ name: "add", inputs: sumInputs, results: Float32Array }, sumSize);

export const add = (module: Module, x: Tensor, table: Tensor, options?: OutOption): Tensor =>
  addTable(module, options, { x, table });
