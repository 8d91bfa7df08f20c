// The formulas in plain double, and the comparison to go with them. Math.sin of a double angle is good to 1e-10 for the
// small positions used here; the core's own tests go to 2^53 with 113 bits.

import assert from "node:assert/strict";

export const inverseFrequency = (i, dim, base = 10000, step = 2) => base ** ((-step * i) / dim);

/** The paper's table, [positions, dim], as doubles. */
export function sinusoid(positions, dim, { base, step, split = false } = {}) {
  const sines = Math.ceil(dim / 2);
  return positions.flatMap((position) =>
    Array.from({ length: dim }, (_, dimension) => {
      const isSine = split ? dimension < sines : dimension % 2 === 0;
      const i = split ? dimension % sines : Math.floor(dimension / 2);
      const angle = position * inverseFrequency(i, dim, base, step);
      return isSine ? Math.sin(angle) : Math.cos(angle);
    }),
  );
}

/** One head's dimensions rotated for one position, as doubles. */
export function rotate(head, position, { layout, base, rotaryDim = head.length }) {
  const out = [...head];
  const half = rotaryDim / 2;
  for (let i = 0; i < half; ++i) {
    const angle = position * inverseFrequency(i, rotaryDim, base);
    const [from, to] = {
      half: [
        [i, i + half],
        [i, i + half],
      ],
      interleaved: [
        [2 * i, 2 * i + 1],
        [2 * i, 2 * i + 1],
      ],
      deinterleaved: [
        [2 * i, 2 * i + 1],
        [i, i + half],
      ],
    }[layout];
    const [a, b] = from.map((dimension) => head[dimension]);
    out[to[0]] = a * Math.cos(angle) - b * Math.sin(angle);
    out[to[1]] = a * Math.sin(angle) + b * Math.cos(angle);
  }
  return out;
}

export function assertClose(actual, expected, tolerance) {
  assert.equal(actual.length, expected.length);
  for (let i = 0; i < expected.length; ++i) {
    const distance = Math.abs(actual[i] - expected[i]);
    assert.ok(distance <= tolerance, `value ${i}: ${actual[i]} is ${distance} from ${expected[i]}`);
  }
}

/** Numbers in [-1, 1) that are the same in every run. */
export function pseudoRandom(count, seed = 1) {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

export const product = (shape) => shape.reduce((all, extent) => all * extent, 1);

/** A tensor of them. */
export const tensor = (shape, seed = 1) => ({ data: pseudoRandom(product(shape), seed), shape });

export const range = (length, offset = 0) => Array.from({ length }, (_, i) => offset + i);

export const ids = (values, shape = [values.length]) => ({ data: Int32Array.from(values), shape });

export const row = (table, i) => [...table.data.slice(i * table.shape[1], (i + 1) * table.shape[1])];
