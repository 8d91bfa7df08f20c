// What all relative encodings share: their shape in the module's memory, and the step from compact to full.

import type { FullModule, Outcome } from "posenc-module";
import {
  options as checkOptions,
  shape as checkShape,
  count,
  int32Array,
  product,
  tensor,
  text,
  unwrap,
  whole,
  wrongValue,
} from "./check.js";
import { type Borrower, borrowFor, type Loan, lendResult, lendResultOf } from "./memory.js";
import { sinusoidKeys, withSinusoid } from "./sinusoidal.js";
import type {
  BiasOptions,
  ExpandIdsOptions,
  ExpandOptions,
  Ids,
  IdsOptions,
  Perceptron,
  RelativeShape,
  RelativeSinusoidalOptions,
  Tensor,
} from "./types/index.js";

export const idsKeys = ["queries", "keys", "queryOffset", "form", "out"] as const;
export const biasKeys = [...idsKeys, "future"] as const;

/** Lends heads, queries, keys and query offset. */
export function lendShape(memory: Borrower, heads: number, { queries, keys, queryOffset = 0 }: RelativeShape): Loan {
  return memory.doublesFrom(
    [whole("heads", heads), count("queries", queries), count("keys", keys), whole("queryOffset", queryOffset)],
    "shape",
  );
}

export const distances = (queries: number, keys: number) => (queries === 0 || keys === 0 ? 0 : queries + keys - 1);

function isCompact(form: unknown): boolean {
  if (text("form", form) !== "full" && form !== "compact") {
    throw wrongValue("form", form, 'one of "full", "compact"');
  }
  return form === "compact";
}

/** Ids of relative positions: `fill` writes them in compact form. */
export function idsOf(module: FullModule, options: IdsOptions, fill: (shape: Loan, out: Loan) => Outcome): Ids {
  const { queries, keys, form = "full" } = options;
  const compact = isCompact(form);
  return borrowFor(module, options.out, (memory) => {
    const shape = lendShape(memory, 1, options);
    const length = distances(queries, keys);
    if (compact) {
      const made = lendResultOf(Int32Array, memory, [length], "queries + keys - 1");
      unwrap(fill(shape, made));
      return made.taken();
    }
    const full = lendResultOf(Int32Array, memory, [queries, keys], "queries * keys");
    const line = memory.room(Int32Array, length, "queries + keys - 1");
    unwrap(fill(shape, line));
    unwrap(module.relativeExpandIds(shape.address, 1, line.address, line.length, full.address, full.length));
    return full.taken();
  });
}

/** A bias of relative positions: `fill` writes it in compact form, or in full where that is all it can do. */
export function biasOf(
  module: FullModule,
  heads: number,
  options: BiasOptions,
  fill: (memory: Borrower, shape: Loan, future: string, out: Loan, compact: boolean) => Outcome,
  fillsFull = false,
): Tensor {
  const { queries, keys, form = "full", future = "keep" } = options;
  const compact = isCompact(form);
  text("future", future);
  return borrowFor(module, options.out, (memory) => {
    const shape = lendShape(memory, heads, options);
    const lines = [heads, distances(queries, keys)] as const;
    if (compact || fillsFull) {
      const made = compact
        ? lendResult(memory, lines, "heads * (queries + keys - 1)")
        : lendResult(memory, [heads, queries, keys], "heads * queries * keys");
      unwrap(fill(memory, shape, future, made, compact));
      return made.taken();
    }
    const full = lendResult(memory, [heads, queries, keys], "heads * queries * keys");
    const line = memory.floats(product(lines), "heads * (queries + keys - 1)");
    unwrap(fill(memory, shape, future, line, true));
    unwrap(module.relativeExpand(shape.address, 1, line.address, line.length, full.address, full.length));
    return full.taken();
  });
}

export function relativeOffsets(module: FullModule, options: IdsOptions): Ids {
  options = checkOptions(options, idsKeys, "relativeOffsets");
  return idsOf(module, options, (shape, out) => module.relativeOffsets(shape.address, out.address, out.length));
}

export function relativeSinusoidal(module: FullModule, options: RelativeSinusoidalOptions): Tensor {
  options = checkOptions(options, [...sinusoidKeys, ...idsKeys, "sign"], "relativeSinusoidal");
  const { dim, queries, keys, sign = "key-minus-query", form = "full" } = options;
  const compact = isCompact(form);
  return withSinusoid(module, options, (handle) =>
    borrowFor(module, options.out, (memory) => {
      const shape = lendShape(memory, 1, options);
      const rows = distances(queries, keys);
      const fill = ({ address, length }: Loan) =>
        unwrap(module.relativeSinusoid(handle, text("sign", sign), shape.address, address, length));
      if (compact) {
        const made = lendResult(memory, [rows, dim], "(queries + keys - 1) * dim");
        fill(made);
        return made.taken();
      }
      const full = lendResult(memory, [queries, keys, dim], "queries * keys * dim");
      const line = memory.floats(rows * dim, "(queries + keys - 1) * dim");
      fill(line);
      unwrap(module.relativeExpand(shape.address, dim, line.address, line.length, full.address, full.length));
      return full.taken();
    }),
  );
}

export function relativeExpand(module: FullModule, compact: Tensor, extents: ExpandOptions): Tensor {
  extents = checkOptions(extents, ["queries", "keys", "out"], "relativeExpand");
  const { data, shape: given } = tensor("compact", compact, 2);
  const heads = given[0] as number;
  return borrowFor(module, extents.out, (memory) => {
    const shape = lendShape(memory, heads, extents);
    const from = memory.floatsFrom(data, "compact");
    const full = lendResult(memory, [heads, extents.queries, extents.keys], "heads * queries * keys");
    unwrap(module.relativeExpand(shape.address, 1, from.address, from.length, full.address, full.length));
    return full.taken();
  });
}

export function relativeExpandIds(module: FullModule, compact: Ids, extents: ExpandIdsOptions): Ids {
  extents = checkOptions(extents, ["queries", "keys", "out"], "relativeExpandIds");
  compact = checkOptions(compact, ["data", "shape"], "compact");
  const values = int32Array("compact.data", compact.data);
  const given = checkShape("compact.shape", compact.shape);
  if (given.length !== 1 || given[0] !== values.length) {
    throw wrongValue("compact.shape", given, `[${values.length}], one axis as long as its data`);
  }
  const { queries, keys } = extents;
  return borrowFor(module, extents.out, (memory) => {
    const shape = lendShape(memory, 1, extents);
    const line = memory.copyOf(Int32Array, values, "compact");
    const full = lendResultOf(Int32Array, memory, [queries, keys], "queries * keys");
    unwrap(module.relativeExpandIds(shape.address, 1, line.address, line.length, full.address, full.length));
    return full.taken();
  });
}

/** A perceptron's arrays, lent: its arguments as the module takes them. */
export function lendPerceptron(memory: Borrower, perceptron: Perceptron, inputs: number, outputs: number) {
  const { weight1, bias1, weight2, bias2 } = perceptron;
  const hidden = perceptron.bias1.shape[0] as number;
  const lend = (name: string, value: Tensor, wanted: number[]) => {
    const { data, shape } = tensor(name, value, wanted.length);
    if (shape.some((extent, axis) => extent !== wanted[axis])) {
      throw wrongValue(`${name}.shape`, shape, `[${wanted.join(", ")}]`);
    }
    const loan = memory.floatsFrom(data, name);
    return [loan.address, loan.length] as const;
  };
  return [
    ...lend("weight1", weight1, [hidden, inputs]),
    ...lend("bias1", bias1, [hidden]),
    ...lend("weight2", weight2, [outputs, hidden]),
    ...(bias2 === undefined ? ([0, 0] as const) : lend("bias2", bias2, [outputs])),
  ] as const;
}

/** How many outputs a perceptron has: a bias's heads. */
export function perceptronOutputs(perceptron: Perceptron): number {
  perceptron = checkOptions(perceptron, ["weight1", "bias1", "weight2", "bias2"], "perceptron");
  tensor("bias1", perceptron.bias1, 1);
  return tensor("weight2", perceptron.weight2, 2).shape[0] as number;
}
