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
  /** Whether a mask hides the keys after the query. */
  readonly isMasked: boolean;
  /** The chosen cell. */
  readonly query: number;
  readonly key: number;
  readonly offset: number;
  readonly value: number;
  /** ALiBi's slope of the chosen head. */
  readonly slope: number;
}

export type Method = typeof state.relativeMethod.value;

type Form = { queries: number; keys: number; form: "full" | "compact" };

/** The chosen head, from 0. */
export const headOf = () => Math.min(state.relativeHead.value, state.relativeHeads.value - 1);

/** Returns the library's numbers in one of the two forms. */
function compute(pe: PosencFull, method: Method, form: Form): Float32Array | Int32Array {
  switch (method) {
    case "offset":
      return pe.relativeOffsets(form).data;
    case "t5":
      return pe.t5Buckets({
        ...form,
        buckets: state.t5Buckets.value,
        maxDistance: state.t5MaxDistance.value,
        bidirectional: state.relativeKeys.value === "both",
      }).data;
    case "alibi": {
      const heads = state.relativeHeads.value;
      const { data } = pe.alibi({ ...form, heads });
      const each = data.length / heads;
      return data.slice(headOf() * each, (headOf() + 1) * each);
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
  const isMasked = (method === "alibi" || method === "t5") && state.relativeKeys.value === "past";
  const pair = [selection.position.value, selection.otherPosition.value].map((at) => Math.min(at, size - 1));
  // Behind a mask the later of two words is the query.
  const [query, key] = isMasked ? pair.sort((a, b) => b - a) : pair;
  return {
    method,
    size,
    values,
    compact,
    whole: method !== "alibi",
    isMasked,
    query,
    key,
    offset: key - query,
    value: values[query * size + key],
    slope: pe.alibiSlopes({ heads: state.relativeHeads.value }).data[headOf()],
  };
}
