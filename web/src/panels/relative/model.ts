import type { PosencFull } from "posenc/full";
import { selection } from "../../core/page-state";
import { state } from "./state";

/** Holds what the matrix shows: one number for each query i and key j. */
export type Model = ReturnType<typeof model>;

type Method = typeof state.relativeMethod.value;

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
export function model(pe: PosencFull) {
  const method = state.relativeMethod.value;
  const size = state.relativeSize.value;
  const shape = { queries: size, keys: size };
  const values = compute(pe, method, { ...shape, form: "full" });
  const isMasked = (method === "alibi" || method === "t5") && state.relativeKeys.value === "past";
  const pair = [selection.position.value, selection.otherPosition.value].map((at) => Math.min(at, size - 1));
  // Behind a mask the later of two words is the query.
  const [query, key] = isMasked ? pair.sort((a, b) => b - a) : pair;
  return {
    method,
    size,
    /** Row by row; each row is a query. */
    values,
    /** The value of each offset j - i, from the smallest on, 2 · size - 1 of them: the library's compact form. */
    compact: compute(pe, method, { ...shape, form: "compact" }),
    /** Whether the numbers are integers. */
    whole: method !== "alibi",
    /** Whether a mask hides the keys after the query. */
    isMasked,
    /** The chosen cell. */
    query,
    key,
    offset: key - query,
    value: values[query * size + key],
    /** ALiBi's slope of the chosen head. */
    slope: pe.alibiSlopes({ heads: state.relativeHeads.value }).data[headOf()],
  };
}
