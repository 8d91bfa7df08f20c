import { known, rotatedInPlane } from "../../code/figure";
import type { Computation, Step } from "../../core/computation";
import { exactly } from "../../core/format";
import type { Model } from "./model";
import { state } from "./state";

/** The figure's steps: a query and a key, each rotated by its position, and their dot product. */
export function computationOf({ rotatedQuery, rotatedKey, degrees, score, most }: Model): Computation {
  const vector = (name: string, data: readonly number[]): Step => ({ name, does: "values", data, width: 2 });
  const row = [
    [0, 0],
    [0, 1],
  ] as const;
  return {
    steps: [
      vector("query", state.planeQuery.value),
      vector("key", state.planeKey.value),
      rotatedInPlane("rotated_query", "query", [degrees[0]]),
      rotatedInPlane("rotated_key", "key", [degrees[1]]),
      { name: "score", does: "product", of: ["rotated_query", "rotated_key"] },
    ],
    known: [
      ...known("rotated_query", rotatedQuery, row),
      ...known("rotated_key", rotatedKey, row),
      { of: "score", at: [0, 0], is: exactly(score) },
    ],
    size: Math.max(most, ...rotatedQuery.data.map(Math.abs), ...rotatedKey.data.map(Math.abs)),
  };
}
