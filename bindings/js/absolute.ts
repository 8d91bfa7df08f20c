import type { FullModule, Module } from "posenc-module";
import { options as checkOptions, count, product, tensor, unwrap, wrongValue } from "./check.js";
import { arrayOf, borrow, lendArguments, lendResult } from "./memory.js";
import type { Tensor } from "./types/index.js";

export function add(module: Module, x: Tensor, table: Tensor): Tensor {
  const { data, shape } = tensor("x", x);
  const rows = shape.length < 2 ? 1 : (shape.at(-2) as number);
  const dim = shape.at(-1) as number;
  const encodings = tensor("table", table, 2);
  if (encodings.shape[1] !== dim) {
    throw wrongValue("table.shape", encodings.shape, `[at least ${rows}, ${dim}]`);
  }
  return borrow(module, (memory) => {
    const sum = memory.floatsFrom(data, "x");
    const added = memory.floatsFrom(encodings.data, "table");
    unwrap(module.absoluteAdd(sum.address, product(shape), rows, dim, added.address, added.length));
    return { data: memory.viewFloats(sum).slice(), shape };
  });
}

export function addBackward(module: FullModule, gradient: Tensor, options: { rows: number }): Tensor {
  checkOptions(options, ["rows"], "addBackward");
  const { data, shape } = tensor("gradient", gradient);
  const dim = shape.at(-1) as number;
  const added = shape.length < 2 ? 1 : (shape.at(-2) as number);
  const rows = count("rows", options.rows);
  return borrow(module, (memory) => {
    const from = memory.floatsFrom(data, "gradient");
    const table = lendResult(memory, [rows, dim], "rows * dim");
    unwrap(module.absoluteBackward(lendArguments(memory, [added, dim, ...arrayOf(from), ...table.array])));
    return table.taken();
  });
}
