import { known } from "../../code/figure";
import type { Computation, Step } from "../../core/computation";
import { exactly } from "../../core/format";
import type { Model } from "./model";
import { state } from "./state";

/** A query and a key, each rotated by its position, and their product. */
export function computationOf({ rotatedQuery, rotatedKey, degrees, score, most }: Model): Computation {
  const vector = (name: string, data: readonly number[]): Step => ({ name, does: "values", data, width: 2 });
  const turned = (name: string, of: string, angle: number): Step => ({
    name,
    does: "rotate",
    of,
    layout: "interleaved",
    base: 10000,
    by: { degrees: [angle] },
  });
  return {
    steps: [
      vector("query", state.planeQuery.value),
      vector("key", state.planeKey.value),
      turned("rotated_query", "query", degrees[0]),
      turned("rotated_key", "key", degrees[1]),
      { name: "score", does: "product", of: ["rotated_query", "rotated_key"] },
    ],
    known: [
      ...known("rotated_query", rotatedQuery, [
        [0, 0],
        [0, 1],
      ]),
      ...known("rotated_key", rotatedKey, [
        [0, 0],
        [0, 1],
      ]),
      { of: "score", at: [0, 0], is: exactly(score) },
    ],
    size: Math.max(most, ...rotatedQuery.data.map(Math.abs), ...rotatedKey.data.map(Math.abs)),
  };
}
