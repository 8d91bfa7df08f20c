import type { PosencFull, Rotary, Tensor } from "posenc/full";
import { largestDifference, tensor } from "../../core/arithmetic";

/** Arithmetic for the checks: rotations and dot products are the library's, the rest is plain. */

/** Values from a standard normal distribution, determined by the seed. */
export const random = (pe: PosencFull, length: number, dim: number, seed: number): Tensor =>
  pe.learnedTable({ length, dim, seed, std: 1 });

/** The largest absolute difference of two tensors with equally many values. */
export const gap = (a: Tensor, b: Tensor): number => largestDifference(a.data, b.data);

/** a · b of two vectors. */
export const dot = (pe: PosencFull, a: ArrayLike<number>, b: ArrayLike<number>): number =>
  pe.linear(tensor(a, a.length), tensor(b, b.length)).data[0];

export const mean = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + value) / values.length;

export const row = ({ data, shape }: Tensor, index: number): Float32Array => {
  const width = shape[shape.length - 1];
  return data.slice(index * width, (index + 1) * width);
};

/** Rows of a tensor rotated, each at its position. */
export function rotated(rope: Rotary, { data, shape }: Tensor, positions: ArrayLike<number>): Tensor {
  return { data: rope.apply(data.slice(), { shape, positions }), shape };
}

/** q · k after rotation to positions m and n. */
export function score(pe: PosencFull, rope: Rotary, q: Float32Array, k: Float32Array, m: number, n: number): number {
  const at = (x: Float32Array, position: number) => rotated(rope, tensor(x, x.length), [position]).data;
  return dot(pe, at(q, m), at(k, n));
}

/** A table computed with the JavaScript engine's own functions: what the library is compared with. */
export function table(rows: number, width: number, value: (row: number, dimension: number) => number): Tensor {
  return {
    data: Float32Array.from({ length: rows * width }, (_, i) => value(Math.floor(i / width), i % width)),
    shape: [rows, width],
  };
}

/** The paper's sinusoid from a position on, from the engine's sine and cosine. */
export const sinusoidByEngine = (rows: number, dim: number, offset = 0): Tensor =>
  table(rows, dim, (p, dimension) => {
    const angle = (offset + p) / 10000 ** ((dimension - (dimension % 2)) / dim);
    return dimension % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  });

/** xᵀ */
export const transposed = ({ data, shape: [rows, width] }: Tensor): Tensor =>
  table(width, rows, (i, j) => data[j * width + i]);

/** How many of an encoding's numbers its formula leaves free: those that differ when it is made from another seed. */
export function freeNumbers(make: (seed: number) => ArrayLike<number>): number {
  const [one, other] = [make(1), make(2)];
  return Array.from(one).filter((value, at) => value !== other[at]).length;
}

/** Whether the library refuses a call. */
export function refuses(call: () => unknown): boolean {
  try {
    call();
    return false;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}
