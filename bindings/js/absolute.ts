import type { FullModule, Module } from "posenc-module";
import { options as checkOptions, count, tensor, unwrap, wrongValue } from "./check.js";
import { arrayOf, type Borrower, borrowFor, lendArguments, lendChanged, lendResult, type Result } from "./memory.js";
import type { AddBackwardOptions, OutOption, Tensor } from "./types/index.js";

/** x + table, row by row, as a result of that shape. */
export function lendSum(module: Module, memory: Borrower, x: Tensor, table: Tensor): Result {
  const { data, shape } = tensor("x", x);
  const rows = shape.length < 2 ? 1 : (shape.at(-2) as number);
  const dim = shape.at(-1) as number;
  const encodings = tensor("table", table, 2);
  if (encodings.shape[1] !== dim) {
    throw wrongValue("table.shape", encodings.shape, `[at least ${rows}, ${dim}]`);
  }
  const sum = lendChanged(memory, data, shape, "x");
  const added = memory.floatsFrom(encodings.data, "table");
  unwrap(module.absoluteAdd(sum.address, sum.length, rows, dim, added.address, added.length));
  return sum;
}

export function add(module: Module, x: Tensor, table: Tensor, options: OutOption = {}): Tensor {
  options = checkOptions(options, ["out"], "add");
  return borrowFor(module, options.out, (memory) => lendSum(module, memory, x, table).taken());
}

export function addBackward(module: FullModule, gradient: Tensor, options: AddBackwardOptions): Tensor {
  options = checkOptions(options, ["rows", "out"], "addBackward");
  const { data, shape } = tensor("gradient", gradient);
  const dim = shape.at(-1) as number;
  const added = shape.length < 2 ? 1 : (shape.at(-2) as number);
  const rows = count("rows", options.rows);
  return borrowFor(module, options.out, (memory) => {
    const from = memory.floatsFrom(data, "gradient");
    const table = lendResult(memory, [rows, dim], "rows * dim");
    unwrap(module.absoluteBackward(lendArguments(memory, [added, dim, ...arrayOf(from), ...table.array])));
    return table.taken();
  });
}
