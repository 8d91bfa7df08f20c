import type { Computation } from "../../core/computation";
import { exactly } from "../../core/format";
import type { Model } from "./model";
import { state } from "./state";

/** The figure's steps: a vector of equal numbers, rotated at each position; known are the chosen pair, the first and the last. */
export function computationOf({ dim, positions, pairs, chosen }: Model): Computation {
  const value = state.pairValue.value;
  const shown = [...new Set([0, chosen.pair, pairs.length - 1])];
  const rows = [...new Set([chosen.at, positions.length - 1])];
  return {
    steps: [
      { name: "x", does: "values", data: new Float32Array(positions.length * dim).fill(value), width: dim },
      {
        name: "rotated",
        does: "rotate",
        of: "x",
        layout: state.pairLayout.value,
        base: state.pairBase.value,
        by: { positions },
      },
    ],
    known: rows.flatMap((row) =>
      shown.flatMap((pair) =>
        pairs[pair].dims.map((dimension, part) => ({
          of: "rotated",
          at: [row, dimension],
          is: exactly(pairs[pair].values[row][part]),
        })),
      ),
    ),
    size: 2 * Math.abs(value),
  };
}
