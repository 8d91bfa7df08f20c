// Arrays whose names tell nothing, as an exporter leaves them, known by their values: frequencies, caches of cosines and
// sines, sinusoidal tables.

import { product } from "../../js/base/check.js";
import { numbersOf } from "../../js/files/row-order.js";
import type { FileArray, PositionArrays } from "../../js/types/files.js";
import { onContent } from "./tensors.js";

/** Rows of caches and tables are no wider; of files with more arrays none is looked at. */
const [widest, mostArrays] = [2 ** 12, 10_000];

const isFloat = ({ dtype }: FileArray): boolean => /^b?float/.test(dtype);

/** The same arrays without axes of one index, one after the other: those of a checkpoint are many. */
export function* squeezed(arrays: Iterable<FileArray>): Generator<FileArray> {
  for (const array of arrays) {
    const { name, dtype, shape } = array;
    if (!shape.includes(1)) yield array;
    else {
      const { read, pick } = array;
      yield { name, dtype, shape: shape.filter((extent) => extent !== 1), read, pick };
    }
  }
}

/** Falling from 1, or by one ratio, which slopes of ALiBi have as their first, too; or rising so from 1. */
function isFrequencies(values: Float64Array, tolerance: number): boolean {
  const [first = 0, second = 0, third = 0] = values;
  const ratio = second / first;
  const isNear = (a: number, b: number) => Math.abs(a / b - 1) < tolerance;
  const isEven = isNear(third / second, ratio) && !isNear(first, ratio);
  if (ratio > 1) return values.length >= 8 && first === 1 && isEven && isNear(values[7] as number, ratio ** 7);
  const falls = values.every((value, i) => value > 0 && (i === 0 || value < (values[i - 1] as number)));
  return falls && ratio < 0.995 && (isNear(first, 1) || isEven);
}

/** How the first two rows, of positions 0 and 1, are those of cosines, sines, or both. */
function kindOf(rows: Float64Array, isComplex: boolean): "cos" | "sin" | "cosSin" | "table" | undefined {
  const width = rows.length / 2;
  const at = (i: number) => rows[i] as number;
  const most = Math.max(at(0), at(1), at(width - 1));
  const isLike = (of: (i: number) => boolean) => rows.every((value, i) => i >= width || value === (of(i) ? most : 0));
  const isOne = (pairOf: (i: number) => number) =>
    rows.every((value, i) => i < width || Math.abs(value ** 2 + at(width + pairOf(i - width)) ** 2 - most ** 2) < 0.05);
  if (rows.every((value, i) => value === at(i % width))) return undefined;
  if (isLike(() => false)) return "sin";
  if (most > 0 && isLike(() => true)) return "cos";
  const [isFirst, isEven] = [(i: number) => i < width / 2, (i: number) => i % 2 === 0];
  if (isOne((i) => (i + width / 2) % width))
    return isLike(isFirst) ? "cosSin" : isLike((i) => !isFirst(i)) ? "table" : undefined;
  if (!isOne((i) => i ^ 1)) return undefined;
  return isLike((i) => !isEven(i)) ? "table" : isComplex && isLike(isEven) ? "cosSin" : undefined;
}

/** Those among arrays that are for positions. */
export async function recognized(arrays: readonly FileArray[]): Promise<PositionArrays[]> {
  const found: PositionArrays[] = [];
  const halves: { array: FileArray; kind: "cos" | "sin"; rows: Float64Array }[] = [];
  const add = (kind: PositionArrays["kind"], samples: PositionArrays["samples"], name: string) =>
    found.push({ kind, samples, name, layer: null });
  for (const array of squeezed(arrays.length > mostArrays ? [] : arrays.filter(isFloat))) {
    const { name, shape } = array;
    const [count = 0, ...row] = shape;
    const width = product(row);
    const read = async (most: number) => numbersOf(await onContent(() => array.read(most)));
    if (shape.length === 1 && count >= 4 && count <= widest) {
      const tolerance = array.dtype.endsWith("16") ? 0.02 : 1e-3;
      if (isFrequencies(await read(count), tolerance)) add("frequencies", { frequencies: array }, name);
    } else if (row.length === 1 || (row.length === 2 && row[1] === 2)) {
      if (count < 2 || width < 2 || width > widest || width % 2 !== 0) continue;
      const rows = await read(2 * width);
      const kind = kindOf(rows, row.length === 2);
      if (kind === "cosSin") add("cache", { cosSin: array }, name);
      else if (kind === "table") add("table", { table: array }, name);
      else if (kind !== undefined) halves.push({ array, kind, rows });
    }
  }
  for (const cos of halves.filter(({ kind }) => kind === "cos")) {
    const most = cos.rows[0] as number;
    const at = halves.findIndex(
      ({ array, kind, rows }) =>
        kind === "sin" &&
        array.shape.join() === cos.array.shape.join() &&
        rows.every((value, i) => Math.abs(value ** 2 + (cos.rows[i] as number) ** 2 - most ** 2) < 0.05 * most ** 2),
    );
    const [sin] = at < 0 ? [] : halves.splice(at, 1);
    if (sin) add("cache", { cos: cos.array, sin: sin.array }, cos.array.name);
  }
  return found;
}
