import type { Layout } from "posenc";
import type { PosencFull } from "posenc/full";
import { rows } from "../../core/format";
import { selection } from "../../core/page-state";
import { state } from "./state";

/** A vector of equal dimensions, rotated at several positions, pair by pair. */
export type Model = ReturnType<typeof model>;
export type Pair = Model["pairs"][number];

/** The dimensions of each pair in a layout: where the neighbours of the interleaved one come from. */
function dimsOf(pe: PosencFull, dim: number, layout: Exclude<Layout, "deinterleaved">): number[][] {
  const dims = { data: Float32Array.from({ length: dim }, (_, dimension) => dimension), shape: [dim] };
  return rows(pe.convertLayout(dims, { dim, from: layout, to: "interleaved", axis: 0 }).data, 2);
}

export function model(pe: PosencFull) {
  const count = state.pairCount.value;
  const dim = 2 * count;
  const base = state.pairBase.value;
  const layout = state.pairLayout.value;
  const positions = state.pairPositions.value;
  const rope = pe.rotary({ dim, layout, base });
  try {
    const shape = [positions.length, dim];
    const data = rope.apply(new Float32Array(positions.length * dim).fill(state.pairValue.value), { shape, positions });
    const rotated = rows(data, dim);
    const dims = dimsOf(pe, dim, layout);
    const omegas = pe.frequencies({ dim, base }).data;
    const degrees = pe.frequencies({ dim, base, scale: 180 / Math.PI }).data;
    const pairs = Array.from(omegas, (omega, i) => {
      const [a, b] = dims[i];
      return {
        /** The two dimensions that are rotated together. */
        dims: [a, b] as const,
        /** Radians and degrees a position. */
        omega,
        degrees: degrees[i],
        /** The two values at each position. */
        values: rotated.map((row) => [row[a], row[b]] as const),
      };
    });
    /** The pair and the position that are read out, clamped to those there are. */
    const chosen = { pair: Math.min(selection.pair.value, count - 1), at: state.pairAt.value };
    return { dim, positions, pairs, chosen };
  } finally {
    rope.delete();
  }
}
