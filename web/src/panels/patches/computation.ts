import { known } from "../../code/figure";
import type { Computation, Step } from "../../core/computation";
import type { Similarity } from "./model";
import { state } from "./state";

/** The figure's steps: the scores of the chosen patch with all others. */
export function computationOf(shown: Similarity): Computation {
  const { height, width, chosen, over, scores } = shown;
  const dim = 4 * state.patchPairs.value;
  const base = state.patchBase.value;
  const filled = (name: string, count: number, value: number): Step => ({
    name,
    does: "values",
    data: new Float32Array(count * dim).fill(value),
    width: dim,
  });
  const cell = (y: number, x: number) => [0, y * width + x] as const;
  return {
    steps: [
      filled("query", 1, 1 / dim),
      filled("keys", height * width, 1),
      { name: "rotated_query", does: "rotate-points", of: "query", base, points: { at: chosen } },
      { name: "rotated_keys", does: "rotate-points", of: "keys", base, points: { grid: [height, width] } },
      { name: "scores", does: "product", of: ["rotated_query", "rotated_keys"] },
    ],
    known: [
      ...known("scores", { data: scores, shape: [1, height * width] }, [
        cell(...over),
        cell(...chosen),
        cell(0, 0),
        cell(height - 1, width - 1),
      ]),
    ],
  };
}
