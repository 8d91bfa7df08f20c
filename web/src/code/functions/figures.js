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

/** Offsets of keys from queries, at most this far. */
export function clippedOffsets(size, maxDistance) {
  const { data, shape } = pe.shawIds({ queries: size, keys: size, maxDistance });
  return { data: data.map((row) => row - maxDistance), shape };
}

/** A number of the table for each offset, as far as it reaches. */
export function learnedBias(size, values) {
  const ids = pe.shawIds({ queries: size, keys: size, maxDistance: (values.length - 1) / 2 });
  const { data } = pe.lookupRows({ data: Float32Array.from(values), shape: [values.length, 1] }, { ids });
  return { data, shape: [size, size] };
}

/** The bound of a score at each distance, as a share of its value at 0. */
export function decayBound(distances, dim, base) {
  const { cos, sin } = pe.rotary({ dim, layout: "interleaved", base }).cache({ positions: distances });
  const pairs = dim / 2;
  const bounds = distances.map((_, row) => {
    let [real, imaginary, sum] = [0, 0, 0];
    for (let i = row * pairs; i < (row + 1) * pairs; i++) {
      real += cos.data[i];
      imaginary += sin.data[i];
      sum += Math.hypot(real, imaginary);
    }
    return sum / ((pairs * (pairs + 1)) / 2);
  });
  return { data: bounds, shape: [distances.length] };
}

/** Cosines and sines of a position, [2, pairs]. */
export function cosSin(rotary, position) {
  const { cos, sin } = rotary.cache({ positions: [position] });
  return { data: [...cos.data, ...sin.data], shape: [2, cos.data.length] };
}
