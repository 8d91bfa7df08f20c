import type { Posenc, Tensor } from "posenc";
import { selection } from "../../core/page-state";
import { state } from "./state";

export interface Model {
  readonly length: number;
  readonly dim: number;
  readonly base: number;
  /** The two positions compared. */
  readonly p: number;
  readonly q: number;
  /** PE(p) · PE(q) for all pairs, [length, length]. */
  readonly products: Tensor;
  /** PE(0) · PE(k) for the distances k = -(length - 1) … length - 1. */
  readonly byDistance: Float32Array;
}

const distances = (length: number) => Array.from({ length: 2 * length - 1 }, (_, at) => at - length + 1);

export function model(pe: Posenc): Model {
  const length = state.similarLength.value;
  const dim = 2 * state.similarPairs.value;
  const base = state.similarBase.value;
  const table = pe.sinusoidal({ length, dim, base });
  const products = pe.linear(table, table);
  const start = pe.sinusoidal({ length: 1, dim, base });
  const byDistance = pe.linear(start, pe.sinusoidal({ positions: distances(length), dim, base })).data;
  return {
    length,
    dim,
    base,
    p: Math.min(selection.position.value, length - 1),
    q: Math.min(selection.otherPosition.value, length - 1),
    products,
    byDistance,
  };
}
