import type { PosencFull, Tensor } from "posenc/full";
import { tensor } from "../../core/arithmetic";
import { printed } from "../printed";
import { gap, refuses, table } from "./arithmetic";

function vectors(lines: readonly string[]): Tensor {
  const rows = lines.map((line) => line.split(" ").map(Number));
  return tensor(rows.flat(), rows[0].length);
}

/** The words, positions and sums that a post prints, as tensors. */
export function numbersOf(source: keyof typeof printed): Readonly<Record<"embedding" | "position" | "sum", Tensor>> {
  const { embedding, position, sum } = printed[source];
  return { embedding: vectors(embedding), position: vectors(position), sum: vectors(sum) };
}

/** The library's ways to make sinusoids: six implementations, three orders, five bases, two positions of the first word. */
function everySetting(pe: PosencFull, length: number, dim: number): Tensor[] {
  const tables: Tensor[] = [];
  for (const preset of ["paper", "tensor2tensor", "whisper", "diffusers", "ggml", "mlx"] as const)
    for (const order of ["interleaved", "split", "cosines-first"] as const)
      for (const base of [10, 100, 1000, 10000, 100000])
        for (const offset of [0, 1]) {
          const isMade = !refuses(() => tables.push(pe.sinusoidal({ length, dim, preset, order, base, offset })));
          if (!isMade) break;
        }
  return tables;
}

/**
 * Whether the printed sums are right, whether the printed positions are the formula's for so many dimensions, and how far
 * they are from the nearest that any setting of the library gives.
 */
export function printedSums(pe: PosencFull, source: keyof typeof printed, dim: number) {
  const { embedding, position, sum } = numbersOf(source);
  const [rows, printedDimensions] = position.shape;
  const off = gap(pe.add(embedding, position), sum);
  const begin = ({ data }: Tensor) => table(rows, printedDimensions, (p, dimension) => data[p * dim + dimension]);
  const shown = begin(pe.sinusoidal({ length: rows, dim }));
  const gaps = everySetting(pe, rows, dim).map((codes) => gap(position, begin(codes)));
  const last = 10 ** -printed[source].digits;
  return {
    off,
    sumsRight: off < last / 2,
    codesOff: gap(position, shown),
    nearestOff: gaps.reduce((least, value) => Math.min(least, value)),
    settings: gaps.length,
    shown,
    last,
  };
}
