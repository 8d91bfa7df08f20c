// The result expected of every row: a row of the sinusoids and a rotated vector, from the formulas in plain doubles; of a
// row of the lab the bits that are stored for the core.
import { readFileSync } from "node:fs";

export const POSITION = 5;
export const DIM = 16;
export const VECTOR = [1, 2, 3, 4, 5, 6, 7, 8];
export const OFFSET = 3;
const BASE = 10000;

const frequency = (pair, dim) => BASE ** ((-2 * pair) / dim);

/** PE(position): sines and cosines, alternating. */
const sinusoidRow = Array.from({ length: DIM }, (_, dimension) => {
  const angle = POSITION * frequency(dimension >> 1, DIM);
  return dimension % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
});

/** The vector rotated to position OFFSET, dimension i paired with dimension i + half. */
const rotatedVector = VECTOR.map((value, dimension) => {
  const half = VECTOR.length / 2;
  const angle = OFFSET * frequency(dimension % half, VECTOR.length);
  const other = dimension < half ? -VECTOR[dimension + half] : VECTOR[dimension - half];
  return value * Math.cos(angle) + other * Math.sin(angle);
});

// A float32's rounding (2^-24 of the value), and three of the pair's for a rotation: src/README.md, "How exact".
const LISTS = {
  row: { values: sinusoidRow, tolerance: 2 ** -24 },
  vector: { values: rotatedVector, tolerance: 3 * 2 ** -24 * 2 * Math.max(...VECTOR) },
};

const storedBits = readFileSync(new URL("../core/learning/training_bits.test.cpp", import.meta.url), "utf8");
const [, TRAINED] = storedBits.match(/"training rope", "(\w+)"/);
/** Returns what is wrong with a result, { row, vector } of numbers, as a sentence; undefined when nothing is. */
export function wrong(result) {
  if (result?.error) return String(result.error);
  if (result && "trained" in result)
    return result.trained === TRAINED ? undefined : `trained: ${result.trained}, expected ${TRAINED}`;
  for (const [name, { values, tolerance }] of Object.entries(LISTS)) {
    const given = result?.[name];
    if (!Array.isArray(given) || given.length !== values.length) return `${name}: expected ${values.length} numbers`;
    const dimension = values.findIndex((value, i) => !(Math.abs(value - given[i]) <= tolerance)); // NaN is wrong too
    if (dimension >= 0) return `${name}[${dimension}]: ${given[dimension]}, expected ${values[dimension]}`;
  }
  return undefined;
}
