import type { PosencFull, Tensor } from "posenc/full";
import { tensor } from "../core/library";
import { printed } from "../core/printed";
import { gap, table } from "./arithmetic";

function vectors(lines: readonly string[]): Tensor {
  const rows = lines.map((line) => line.split(" ").map(Number));
  return tensor(rows.flat(), rows[0].length);
}

/** What a document prints of words, positions and their sums, as tensors. */
export function numbersOf(source: keyof typeof printed): Readonly<Record<"embedding" | "position" | "sum", Tensor>> {
  const { embedding, position, sum } = printed[source];
  return { embedding: vectors(embedding), position: vectors(position), sum: vectors(sum) };
}

/** Whether the printed sums are right, and whether the printed positions are the formula's for `dim` lanes. */
export function printedSums(pe: PosencFull, source: keyof typeof printed, dim: number) {
  const { embedding, position, sum } = numbersOf(source);
  const [rows, lanes] = position.shape;
  const off = gap(pe, pe.add(embedding, position), sum);
  const formula = pe.sinusoidal({ length: rows, dim });
  const shown = table(rows, lanes, (p, lane) => formula.data[p * dim + lane]);
  const last = 10 ** -printed[source].digits;
  return { off, sumsRight: off < last / 2, codesOff: gap(pe, position, shown), shown, last };
}
