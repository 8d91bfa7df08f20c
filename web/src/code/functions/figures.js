import { load } from "posenc/full";

const pe = await load();

/** A number of a tensor by its indices. */
export function at({ data, shape }, ...indices) {
  return data[indices.reduce((flat, index, axis) => flat * shape[axis] + index, 0)];
}

/** The points (y, x) of a grid, one after another. */
export function grid(height, width) {
  return Array.from({ length: height * width }, (_, i) => [Math.floor(i / width), i % width]).flat();
}

/** A copy of x, rotated. */
export function rotate(x, rotary, options) {
  const data = x.data.slice();
  rotary.apply(data, { shape: x.shape, ...options });
  return { data, shape: x.shape };
}

/** Cosines and sines of a position, [2, pairs]. */
export function cosSin(rotary, position) {
  const { cos, sin } = rotary.cache({ positions: [position] });
  return { data: [...cos.data, ...sin.data], shape: [2, cos.data.length] };
}
