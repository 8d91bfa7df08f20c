import type { Layout } from "posenc";
import type { PosencFull } from "posenc/full";
import { rows } from "../../core/format";
import { selection } from "../../core/page-state";
import { state } from "./state";

/** A vector of equal dimensions, rotated at several positions, pair by pair. */
export interface Model {
  readonly dim: number;
  readonly positions: readonly number[];
  readonly pairs: readonly Pair[];
  /** The pair and the position that are read out, clamped to those there are. */
  readonly chosen: { readonly pair: number; readonly at: number };
}

export interface Pair {
  /** The two dimensions that are rotated together. */
  readonly dims: readonly [number, number];
  /** Radians and degrees a position. */
  readonly omega: number;
  readonly degrees: number;
  /** The two values at each position, and the cosine and sine they come from. */
  readonly values: readonly (readonly [number, number])[];
  readonly cosines: readonly number[];
  readonly sines: readonly number[];
}

/** The dimensions of each pair in a layout: where the neighbours of the interleaved one come from. */
function dimsOf(pe: PosencFull, dim: number, layout: Exclude<Layout, "deinterleaved">): number[][] {
  const dims = { data: Float32Array.from({ length: dim }, (_, dimension) => dimension), shape: [dim] };
  return rows(pe.convertLayout(dims, { dim, from: layout, to: "interleaved", axis: 0 }).data, 2);
}

export function model(pe: PosencFull): Model {
  const count = state.pairCount.value;
  const dim = 2 * count;
  const base = state.pairBase.value;
  const layout = state.pairLayout.value;
  const positions = state.pairPositions.value;
  const rope = pe.rotary({ dim, layout, base });
  try {
    const shape = [positions.length, dim];
    const data = rope.apply(new Float32Array(positions.length * dim).fill(state.pairValue.value), { shape, positions });
    const cache = rope.cache({ positions });
    const [rotated, cosines, sines] = [rows(data, dim), rows(cache.cos.data, count), rows(cache.sin.data, count)];
    const dims = dimsOf(pe, dim, layout);
    const omegas = pe.frequencies({ dim, base }).data;
    const degrees = pe.frequencies({ dim, base, scale: 180 / Math.PI }).data;
    const pairs = Array.from(omegas, (omega, i): Pair => {
      const [a, b] = dims[i];
      return {
        dims: [a, b],
        omega,
        degrees: degrees[i],
        values: rotated.map((row) => [row[a], row[b]]),
        cosines: cosines.map((row) => row[i]),
        sines: sines.map((row) => row[i]),
      };
    });
    const chosen = { pair: Math.min(selection.pair.value, count - 1), at: state.pairAt.value };
    return { dim, positions, pairs, chosen };
  } finally {
    rope.delete();
  }
}
