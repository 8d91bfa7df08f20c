import { known } from "../../code/figure";
import type { Computation } from "../../core/computation";
import type { Encoding } from "./encoding";

/** The figure's step: the table; known are the chosen cell, two in its row and two in the last. */
export function computationOf({ options, plan, cell }: Encoding, table: Float32Array): Computation {
  const { length, offset } = options.value;
  const { dim, base, scale, amplitude, order, exponent, shift } = plan.value;
  const { index, dimension } = cell.value;
  const cells: [number, number][] = [
    [index, dimension],
    [index, Math.max(0, dimension - 1)],
    [index, dim - 1],
    [length - 1, 0],
    [length - 1, Math.floor(dim / 2)],
  ];
  return {
    steps: [
      {
        name: "table",
        does: "sinusoid",
        positions: { from: offset, count: length },
        dim,
        base,
        ...(scale !== 1 && { scale }),
        ...(amplitude !== 1 && { amplitude }),
        ...(order !== "interleaved" && { order }),
        ...(exponent !== "paper" && { exponent }),
        ...(shift !== 0 && { shift }),
      },
    ],
    known: known("table", { data: table, shape: [length, dim] }, cells),
    size: amplitude,
  };
}
