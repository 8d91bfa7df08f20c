import type { FullModule } from "posenc-module";
import {
  options as checkOptions,
  shape as checkShape,
  count,
  int32Array,
  number,
  numbers,
  product,
  tensor,
  unwrap,
  whole,
  wrongType,
  wrongValue,
} from "./check.js";
import { type Borrower, borrowFor, lendChanged, lendResult, lendResultOf } from "./memory.js";
import { given } from "./scaling.js";
import type {
  AddRowsOptions,
  Ids,
  LearnedTableOptions,
  LookupOptions,
  PaddedPositionOptions,
  RowGradientOptions,
  RowOptions,
  Tensor,
} from "./types/index.js";

export const rowKeys = ["ids", "offset"] as const;

/** Ids with a shape, or a list of them. */
function idsOf(argument: string, value: Ids | ArrayLike<number>): Ids {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const list = numbers(argument, value);
    const data = Int32Array.from(list);
    const wrong = data.findIndex((id, i) => id !== list[i]);
    if (wrong >= 0) throw wrongValue(`${argument}[${wrong}]`, list[wrong], "a whole number from -2^31 to 2^31 - 1");
    return { data, shape: [data.length] };
  }
  const ids = value as Ids;
  if (typeof ids !== "object" || ids === null)
    throw wrongType(argument, ids, "ids { data, shape } or an array of numbers");
  const data = int32Array(`${argument}.data`, ids.data);
  const shape = checkShape(`${argument}.shape`, ids.shape);
  if (data.length !== product(shape)) {
    throw wrongValue(`${argument}.data`, data.length, `${product(shape)} values for shape [${shape.join(", ")}]`);
  }
  return { data, shape };
}

/** Rows as the module takes them: the address of ids, or 0 and how many from `offset` on. `shape` is that of the ids. */
export function lendRows(memory: Borrower, { ids, offset = 0 }: RowOptions, length: number) {
  whole("offset", offset);
  if (ids === undefined) return { ids: 0, count: length, offset, shape: [length] };
  const { data, shape } = idsOf("ids", ids);
  return { ids: memory.copyOf(Int32Array, data, "ids").address, count: data.length, offset, shape };
}

/** The same where the number of consecutive rows is an option; `all` of them by default, where there is one. */
export function lendNamedRows(memory: Borrower, options: LookupOptions, all?: number) {
  const { ids, length = ids === undefined ? all : undefined } = options;
  if (ids !== undefined && length !== undefined) throw wrongType("length", length, "nothing beside ids");
  if (ids === undefined && length === undefined)
    throw wrongType("length", length, "a whole number, or ids in its place");
  return lendRows(memory, options, length === undefined ? 0 : count("length", length));
}

/** The same for x [..., n, dim]: ids have the axes [..., n], or the last of them. */
export function lendRowsOf(memory: Borrower, argument: string, shape: readonly number[], options: RowOptions) {
  const places = shape.slice(0, -1);
  const rows = lendRows(memory, options, places.at(-1) ?? 1);
  const tail = places.slice(places.length - rows.shape.length);
  const fits = rows.shape.length <= places.length && rows.shape.every((extent, axis) => extent === tail[axis]);
  if (options.ids !== undefined && !fits) {
    throw wrongValue("ids.shape", rows.shape, `[${places.join(", ")}], that of ${argument}, or the last of these axes`);
  }
  return rows;
}

export function learnedTable(module: FullModule, options: LearnedTableOptions): Tensor {
  options = checkOptions(
    options,
    ["length", "dim", "seed", "std", "bound", "offset", "paddingIdx", "out"],
    "learnedTable",
  );
  const { length, dim, seed, std, bound, offset = 0, paddingIdx } = options;
  if (std !== undefined && bound !== undefined) throw wrongType("bound", bound, "nothing beside std");
  const uniform = bound !== undefined;
  const scale = uniform ? number("bound", bound) : number("std", std ?? 0.02);
  whole("seed", seed);
  whole("offset", offset);
  const padding = given("paddingIdx", paddingIdx);
  count("length", length);
  whole("dim", dim);
  return borrowFor(module, options.out, (memory) => {
    const out = lendResult(memory, [length, Math.max(dim, 0)], "length * dim");
    unwrap(module.tableInit(dim, seed, uniform, scale, padding, offset, out.address, out.length));
    return out.taken();
  });
}

export function lookupRows(module: FullModule, table: Tensor, options: LookupOptions): Tensor {
  options = checkOptions(options, [...rowKeys, "length", "out"], "lookupRows");
  const { data, shape } = tensor("table", table, 2);
  const dim = shape[1] as number;
  return borrowFor(module, options.out, (memory) => {
    const { ids, count, offset, shape: places } = lendNamedRows(memory, options);
    const from = memory.floatsFrom(data, "table");
    const out = lendResult(memory, [...places, dim], "rows * dim");
    unwrap(module.tableLookup(from.address, from.length, dim, ids, count, offset, out.address, out.length));
    return out.taken();
  });
}

export function addRows(module: FullModule, x: Tensor, table: Tensor, options: AddRowsOptions = {}): Tensor {
  options = checkOptions(options, [...rowKeys, "out"], "addRows");
  const { data, shape } = tensor("x", x);
  const dim = shape.at(-1) as number;
  const encodings = tensor("table", table, 2);
  if (encodings.shape[1] !== dim) throw wrongValue("table.shape", encodings.shape, `[rows, ${dim}]`);
  return borrowFor(module, options.out, (memory) => {
    const { ids, count, offset } = lendRowsOf(memory, "x", shape, options);
    const sum = lendChanged(memory, data, shape, "x");
    const added = memory.floatsFrom(encodings.data, "table");
    unwrap(module.tableAdd(sum.address, sum.length, dim, added.address, added.length, ids, count, offset));
    return sum.taken();
  });
}

export function rowsGradient(module: FullModule, gradient: Tensor, options: RowGradientOptions): Tensor {
  options = checkOptions(options, [...rowKeys, "rows", "paddingIdx", "out"], "rowsGradient");
  const { data, shape } = tensor("gradient", gradient);
  const dim = shape.at(-1) as number;
  const rows = count("rows", options.rows);
  const padding = given("paddingIdx", options.paddingIdx);
  return borrowFor(module, options.out, (memory) => {
    const { ids, count, offset } = lendRowsOf(memory, "gradient", shape, options);
    const from = memory.floatsFrom(data, "gradient");
    const out = lendResult(memory, [rows, dim], "rows * dim");
    unwrap(module.tableGradient(from.address, from.length, dim, ids, count, offset, padding, out.address, out.length));
    return out.taken();
  });
}

export function paddedPositions(
  module: FullModule,
  mask: Ids | ArrayLike<number>,
  options: PaddedPositionOptions,
): Ids {
  options = checkOptions(options, ["paddingIdx", "past", "out"], "paddedPositions");
  const { data, shape } = idsOf("mask", mask);
  const { paddingIdx, past = 0 } = options;
  whole("paddingIdx", paddingIdx);
  whole("past", past);
  return borrowFor(module, options.out, (memory) => {
    const ids = memory.copyOf(Int32Array, data, "mask");
    const made = lendResultOf(Int32Array, memory, shape, "mask", "out", ids);
    unwrap(module.paddedPositions(ids.address, ids.length, shape.at(-1) ?? 1, paddingIdx, past));
    return made.taken();
  });
}
