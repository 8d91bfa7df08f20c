import type { Module } from "posenc-module";
import { product, tensor, unwrap, wrongValue } from "./check.js";
import { borrow } from "./memory.js";
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
