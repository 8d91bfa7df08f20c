import type { Tensor } from "posenc";

/** Plain arithmetic on what the library returned. */

export function tensor(values: ArrayLike<number>, width: number): Tensor {
  return { data: Float32Array.from(values), shape: [values.length / width, width] };
}

/** Every value of x times a number that is rounded to float32 first. */
export function scaled({ data, shape }: Tensor, by: number): Tensor {
  const factor = Math.fround(by);
  return { data: data.map((value) => value * factor), shape };
}

/** The largest absolute difference of two lists with equally many values. */
export const largestDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((most, value, at) => Math.max(most, Math.abs(value - b[at])), 0);

/** Positions per rotation of a frequency in radians per position; infinite for 0. */
export const wavelength = (omega: number) => (2 * Math.PI) / omega;
