// Finds how the rows of a weight were permuted, from the weight before and after.

import { options as checkOptions, whole, wrongValue } from "../base/check.js";
import type { FileArray, FileValues, RowOrder, RowOrderOptions } from "../types/files.js";

/** So many columns tell rows apart. */
const mostColumns = 64;

/** So many rows are looked for, and among so many. */
const [soughtRows, mostRows] = [256, 2 ** 16];

/** Values of bfloat16 and float16 as numbers. */
export function numbersOf({ data, dtype }: FileValues): Float64Array {
  if (dtype !== "bfloat16" && dtype !== "float16") return Float64Array.from(data);
  const [exponentBits, bias] = dtype === "bfloat16" ? [8, 127] : [5, 15];
  const fractionBits = 15 - exponentBits;
  return Float64Array.from(data, (bits) => {
    const sign = bits >> 15 ? -1 : 1;
    const exponent = (bits >> fractionBits) & (2 ** exponentBits - 1);
    const fraction = (bits & (2 ** fractionBits - 1)) / 2 ** fractionBits;
    return sign * (exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias));
  });
}

/** The index of the row that is nearest to `row`, if one is far nearer than others; else -1. */
function nearest(row: Float64Array, all: Float64Array): number {
  const { length } = row;
  let [best, least, second] = [-1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let at = 0; at < all.length; at += length) {
    let distance = 0;
    for (let i = 0; i < length && distance < second; ++i)
      distance += ((row[i] as number) - (all[at + i] as number)) ** 2;
    if (distance < least) [second, least, best] = [least, distance, at / length];
    else if (distance < second) second = distance;
  }
  const norm = row.reduce((sum, value) => sum + value * value, 0);
  return norm > 0 && least < norm / 50 && second > 8 * least ? best : -1;
}

/** The row before of each row after, by the heads' dimensions. */
const orders = {
  same: (i: number) => i,
  "to-interleaved": (i: number, dim: number) => i - (i % dim) + ((i % dim) >> 1) + (i % 2) * (dim / 2),
  "to-half": (i: number, dim: number) => i - (i % dim) + 2 * (i % (dim / 2)) + (i % dim < dim / 2 ? 0 : 1),
} as const;

export async function findRowOrder(from: FileArray, to: FileArray, options: RowOrderOptions): Promise<RowOrder> {
  const headDim = whole("headDim", checkOptions(options, ["headDim"], "rowOrder").headDim);
  const [rows = 0, columns = 0] = from.shape;
  if (from.shape.length !== 2 || from.shape.join() !== to.shape.join())
    throw wrongValue("to.shape", to.shape, `that of the other weight, [${from.shape.join(", ")}], with two axes`);
  if (headDim < 2 || headDim % 2 !== 0 || rows % headDim !== 0 || rows > mostRows)
    throw wrongValue("headDim", headDim, `an even divisor of the ${rows} rows, at most ${mostRows}`);
  const chosen = Array.from({ length: Math.min(columns, mostColumns) }, (_, i) => i);
  const sought = Array.from({ length: Math.min(rows, Math.max(soughtRows, 2 * headDim)) }, (_, i) => i);
  const [before, after] = [await from.pick([undefined, chosen]), await to.pick([sought, chosen])].map(numbersOf);
  const { length } = chosen;
  const found = sought.map((i) =>
    nearest((after as Float64Array).subarray(i * length, (i + 1) * length), before as Float64Array),
  );
  const isOrder = (order: keyof typeof orders, dim: number) => found.every((at, i) => at === orders[order](i, dim));
  if (isOrder("same", headDim)) return { order: "same", headDim };
  const dims = [headDim];
  // Converters have taken queries' number of heads for keys', and the other way round.
  for (let dim = 2; dim <= rows; dim += 2) if (rows % dim === 0 && dim !== headDim) dims.push(dim);
  for (const order of ["to-interleaved", "to-half"] as const)
    for (const dim of dims) if (dim > 2 && isOrder(order, dim)) return { order, headDim: dim };
  return { order: "other", headDim };
}
