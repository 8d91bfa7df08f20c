import type { Module, Outcome } from "posenc-module";
import { options as checkOptions, flag, number, tensor, unwrap, wrongType, wrongValue } from "./check.js";
import { type Borrower, borrowFor, borrowForAll, type Loan, lendResult } from "./memory.js";
import type {
  AttentionOptions,
  AttentionOuts,
  AttentionResult,
  AttentionTensors,
  OutOption,
  Tensor,
} from "./types/index.js";

export function linear(module: Module, x: Tensor, weight: Tensor, options: OutOption = {}): Tensor {
  options = checkOptions(options, ["out"], "linear");
  const input = tensor("x", x);
  const matrix = tensor("weight", weight, 2);
  const [outputs, inputs] = matrix.shape as [number, number];
  if (input.shape.at(-1) !== inputs) {
    throw wrongValue("weight.shape", matrix.shape, `[out, ${input.shape.at(-1)}]`);
  }
  const shape = [...input.shape.slice(0, -1), outputs];
  return borrowFor(module, options.out, (memory) => {
    const from = memory.floatsFrom(input.data, "x");
    const by = memory.floatsFrom(matrix.data, "weight");
    const to = lendResult(memory, shape, "x");
    unwrap(module.linear(from.address, from.length / inputs, inputs, by.address, outputs, to.address));
    return to.taken();
  });
}

export const attentionKeys = ["query", "key", "value", "scale", "out"] as const;

/** A tensor of one head or of several, [rows, columns] or [heads, rows, columns]. */
export function headed(argument: string, value: Tensor) {
  const { data, shape } = tensor(argument, value);
  if (shape.length !== 2 && shape.length !== 3) throw wrongValue(`${argument}.shape`, shape, "two or three axes");
  const [rows, columns] = shape.slice(-2) as [number, number];
  return { data, shape, lead: shape.slice(0, -2), heads: shape.length === 3 ? (shape[0] as number) : 1, rows, columns };
}

/** Queries, keys and values that fit together, and their scale. */
export function attentionTensors(options: AttentionTensors) {
  const query = headed("query", options.query);
  const key = headed("key", options.key);
  const value = headed("value", options.value);
  const { lead, rows: queries, columns: dim } = query;
  const heads = lead.map((count) => `${count}, `).join("");
  const fit = (other: { lead: number[] }) => other.lead.length === lead.length && other.lead[0] === lead[0];
  if (key.columns !== dim || !fit(key)) {
    throw wrongValue("key.shape", key.shape, `[${heads}keys, ${dim}], as wide as query`);
  }
  if (value.rows !== key.rows || !fit(value)) {
    throw wrongValue("value.shape", value.shape, `[${heads}${key.rows}, dv], as long as key`);
  }
  const scale = options.scale === undefined ? 1 / Math.sqrt(Math.max(dim, 1)) : number("scale", options.scale);
  return { query, key, value, scale, lead, heads: query.heads, queries, keys: key.rows, dim, valueDim: value.columns };
}

export const attentionOuts = ["out.output", "out.weights"] as const;

/** Lends the tensors and room for the results to `run`, and hands the results out. */
export function attend(
  module: Module,
  tensors: ReturnType<typeof attentionTensors>,
  out: AttentionOuts | undefined,
  run: (memory: Borrower, q: Loan, k: Loan, v: Loan, weights: Loan, output: Loan) => Outcome,
): AttentionResult {
  const { query, key, value, lead, queries, keys, valueDim } = tensors;
  return borrowForAll(module, out, attentionOuts, (memory) => {
    const q = memory.floatsFrom(query.data, "query");
    const k = memory.floatsFrom(key.data, "key");
    const v = memory.floatsFrom(value.data, "value");
    const weights = lendResult(memory, [...lead, queries, keys], "heads * queries * keys", "out.weights");
    const output = lendResult(memory, [...lead, queries, valueDim], "heads * queries * dv", "out.output");
    unwrap(run(memory, q, k, v, weights, output));
    return { output: output.taken(), weights: weights.taken() };
  });
}

/** The bias's values: none, or one for each weight. */
function biasValues({ bias, biasScaled }: AttentionOptions, shape: number[]): Float32Array {
  if (bias === undefined) {
    if (biasScaled !== undefined) throw wrongType("biasScaled", biasScaled, "nothing without a bias");
    return new Float32Array();
  }
  if (biasScaled === undefined) throw wrongType("biasScaled", biasScaled, "true or false; it has no default");
  const { data, shape: given } = tensor("bias", bias);
  const wanted = given.length === 3 && shape.length === 2 ? [1, ...shape] : shape;
  if (given.length !== wanted.length || given.some((extent, axis) => extent !== wanted[axis])) {
    throw wrongValue("bias.shape", given, `[${wanted.join(", ")}]`);
  }
  return data;
}

export function attention(module: Module, options: AttentionOptions): AttentionResult {
  options = checkOptions(options, [...attentionKeys, "bias", "biasScaled"], "attention");
  const tensors = attentionTensors(options);
  const { scale, lead, heads, queries, keys, dim, valueDim } = tensors;
  const values = biasValues(options, [...lead, queries, keys]);
  const scaled = flag("biasScaled", options.biasScaled ?? false);
  return attend(module, tensors, options.out, (memory, q, k, v, weights, output) => {
    const bias = memory.floatsFrom(values, "bias");
    return module.attention(
      heads,
      queries,
      keys,
      dim,
      valueDim,
      scale,
      q.address,
      k.address,
      v.address,
      bias.address,
      bias.length,
      scaled,
      weights.address,
      output.address,
    );
  });
}
