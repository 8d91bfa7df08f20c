import type { Module } from "posenc-module";
import { options as checkOptions, number, product, tensor, unwrap, wrongValue } from "./check.js";
import { borrow } from "./memory.js";
import type { AttentionOptions, Tensor } from "./types/index.js";

export function linear(module: Module, x: Tensor, weight: Tensor): Tensor {
  const input = tensor("x", x);
  const matrix = tensor("weight", weight, 2);
  const [outputs, inputs] = matrix.shape as [number, number];
  if (input.shape.at(-1) !== inputs) {
    throw wrongValue("weight.shape", matrix.shape, `[out, ${input.shape.at(-1)}]`);
  }
  const shape = [...input.shape.slice(0, -1), outputs];
  return borrow(module, (memory) => {
    const from = memory.floatsFrom(input.data, "x");
    const by = memory.floatsFrom(matrix.data, "weight");
    const to = memory.floats(product(shape), "x");
    unwrap(module.linear(from.address, from.length / inputs, inputs, by.address, outputs, to.address));
    return { data: memory.viewFloats(to).slice(), shape };
  });
}

export function attention(module: Module, options: AttentionOptions): { output: Tensor; weights: Tensor } {
  checkOptions(options, ["query", "key", "value", "scale"], "attention");
  const query = tensor("query", options.query, 2);
  const key = tensor("key", options.key, 2);
  const value = tensor("value", options.value, 2);
  const [queries, dim] = query.shape as [number, number];
  const [keys, keyDim] = key.shape as [number, number];
  const [values, valueDim] = value.shape as [number, number];
  if (keyDim !== dim) throw wrongValue("key.shape", key.shape, `[keys, ${dim}], as wide as query`);
  if (values !== keys) throw wrongValue("value.shape", value.shape, `[${keys}, dv], as long as key`);
  const scale = options.scale === undefined ? 1 / Math.sqrt(Math.max(dim, 1)) : number("scale", options.scale);
  return borrow(module, (memory) => {
    const q = memory.floatsFrom(query.data, "query");
    const k = memory.floatsFrom(key.data, "key");
    const v = memory.floatsFrom(value.data, "value");
    const weights = memory.floats(queries * keys, "queries * keys");
    const output = memory.floats(queries * valueDim, "queries * dv");
    unwrap(
      module.attention(
        queries,
        keys,
        dim,
        valueDim,
        scale,
        q.address,
        k.address,
        v.address,
        weights.address,
        output.address,
      ),
    );
    return {
      output: { data: memory.viewFloats(output).slice(), shape: [queries, valueDim] },
      weights: { data: memory.viewFloats(weights).slice(), shape: [queries, keys] },
    };
  });
}
