import type { PosencFull } from "posenc/full";
import { selection } from "../../core/page-state";
import { state } from "./state";

/** Holds what the matrix shows: one number for each query i and key j. */
export interface Model {
  readonly method: Method;
  readonly size: number;
  /** Row by row; each row is a query. */
  readonly values: Float32Array | Int32Array;
  /** The value of each offset j - i, from the smallest on, 2 · size - 1 of them: the library's compact form. */
  readonly compact: Float32Array | Int32Array;
  /** Whether the numbers are integers. */
  readonly whole: boolean;
  /** The chosen cell. */
  readonly query: number;
  readonly key: number;
  readonly offset: number;
  readonly value: number;
  /** How many cells the chosen diagonal has, and how many of them have the chosen value. */
  readonly onDiagonal: number;
  readonly equal: number;
  /** How many cells of the whole matrix differ from their diagonal's value in the compact form. */
  readonly unequal: number;
  /** ALiBi's slope of the chosen head. */
  readonly slope: number;
}

export type Method = typeof state.relativeMethod.value;

/** Offsets that have a learned bias of their own: -7 … 7. Farther ones share the last. */
export const learnedReach = 7;

type Form = { queries: number; keys: number; form: "full" | "compact" };

/** Returns the library's numbers in one of the two forms. */
function compute(pe: PosencFull, method: Method, form: Form): Float32Array | Int32Array {
  const head = <T extends Float32Array>(all: T, heads: number) => {
    const each = all.length / heads;
    const at = Math.min(state.relativeHead.value, heads) - 1;
    return all.slice(at * each, (at + 1) * each);
  };
  switch (method) {
    case "offset":
      return pe.relativeOffsets(form).data;
    case "clip": {
      const maxDistance = state.relativeClip.value;
      // Rows of the table, counted from the smallest offset; the offset itself is easier to read.
      return pe.shawIds({ ...form, maxDistance }).data.map((row) => row - maxDistance);
    }
    case "t5":
      return pe.t5Buckets({
        ...form,
        buckets: state.t5Buckets.value,
        maxDistance: state.t5MaxDistance.value,
        bidirectional: state.t5Direction.value === "both",
      }).data;
    case "alibi": {
      const heads = state.relativeHeads.value;
      return head(pe.alibi({ ...form, heads }).data, heads);
    }
    case "kerple":
      return pe.kerple({
        ...form,
        kernel: state.kerpleKernel.value,
        r1: Float32Array.of(state.kerpleR1.value),
        r2: Float32Array.of(state.kerpleR2.value),
      }).data;
    case "learned": {
      const ids = pe.shawIds({ ...form, maxDistance: learnedReach });
      const table = { data: Float32Array.from(state.learnedBiases.value), shape: [2 * learnedReach + 1, 1] };
      return pe.lookupRows(table, { ids }).data;
    }
  }
}

/** Everything the panel shows, from the state. */
export function model(pe: PosencFull): Model {
  const method = state.relativeMethod.value;
  const size = state.relativeSize.value;
  const shape = { queries: size, keys: size };
  const values = compute(pe, method, { ...shape, form: "full" });
  const compact = compute(pe, method, { ...shape, form: "compact" });
  const query = Math.min(selection.position.value, size - 1);
  const key = Math.min(selection.otherPosition.value, size - 1);
  const offset = key - query;
  const value = values[query * size + key];
  const onDiagonal = size - Math.abs(offset);
  let equal = 0;
  let unequal = 0;
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) {
      const cell = values[i * size + j];
      if (cell !== compact[j - i + size - 1]) unequal++;
      if (j - i === offset && cell === value) equal++;
    }
  const heads = state.relativeHeads.value;
  const slope = pe.alibiSlopes({ heads }).data[Math.min(state.relativeHead.value, heads) - 1];
  const whole = method === "offset" || method === "clip" || method === "t5";
  return { method, size, values, compact, whole, query, key, offset, value, onDiagonal, equal, unequal, slope };
}
