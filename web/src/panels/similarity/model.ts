import type { Posenc } from "posenc";
import { selection } from "../../core/page-state";
import { state } from "./state";

export type Model = ReturnType<typeof model>;

const distances = (length: number) => Array.from({ length: 2 * length - 1 }, (_, at) => at - length + 1);

export function model(pe: Posenc) {
  const length = state.similarLength.value;
  const dim = 2 * state.similarPairs.value;
  const base = state.similarBase.value;
  const table = pe.sinusoidal({ length, dim, base });
  const start = pe.sinusoidal({ length: 1, dim, base });
  return {
    length,
    dim,
    base,
    /** The two positions compared. */
    p: Math.min(selection.position.value, length - 1),
    q: Math.min(selection.otherPosition.value, length - 1),
    /** PE(p) · PE(q) for all pairs, [length, length]. */
    products: pe.linear(table, table),
    /** PE(0) · PE(k) for the distances k = -(length - 1) … length - 1. */
    byDistance: pe.linear(start, pe.sinusoidal({ positions: distances(length), dim, base })).data,
  };
}
