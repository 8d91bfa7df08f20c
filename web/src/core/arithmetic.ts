import type { Posenc, Tensor } from "posenc";

/** Arithmetic of the page, built from the library's calls. */

export function tensor(values: ArrayLike<number>, width: number): Tensor {
  return { data: Float32Array.from(values), shape: [values.length / width, width] };
}

/** a - b, by the library: b times the negative identity, added to a. */
export function difference(pe: Posenc, a: Tensor, b: Tensor): Tensor {
  const width = b.shape[b.shape.length - 1];
  const minus = new Float32Array(width * width);
  for (let dimension = 0; dimension < width; dimension++) minus[dimension * (width + 1)] = -1;
  return pe.add(a, pe.linear(b, { data: minus, shape: [width, width] }));
}

/** Every value of x times a number. */
export function scaled(pe: Posenc, { data, shape }: Tensor, by: number): Tensor {
  return { data: pe.linear(tensor(data, 1), tensor([by], 1)).data, shape };
}

/** The largest absolute value of a tensor. */
export function largest(x: Tensor): number {
  return x.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** Positions per rotation of a frequency in radians per position; infinite for 0. */
export const wavelength = (omega: number) => (2 * Math.PI) / omega;
