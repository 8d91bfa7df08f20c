import { known, rotatedInPlane } from "../../code/figure";
import type { Computation, Step } from "../../core/computation";
import { growth, type Model } from "./model";
import { state } from "./state";

/** The step that moves a vector to a position by the chosen rule. */
function moved(name: string, of: string, position: number): Step[] {
  const degrees = state.planeAngle.value;
  switch (state.deriveRule.value) {
    case "add": {
      const code = `code_${of}`;
      const scale = (degrees * Math.PI) / 180;
      return [
        { name: code, does: "sinusoid", positions: [position], dim: 2, base: 10000, scale },
        { name, does: "add", of: [of, code] },
      ];
    }
    case "scale":
      return [{ name, does: "scale", of, by: growth ** position }];
    case "rotate":
      return [rotatedInPlane(name, of, [position * degrees])];
  }
}

/** The figure's steps: a query and a key at their positions, and their score. */
export function computationOf({ rules, m, n }: Model): Computation {
  const { query, key, scores } = rules[state.deriveRule.value];
  const vector = (name: string, data: readonly number[]): Step => ({ name, does: "values", data, width: 2 });
  const at = (x: typeof query, position: number) => ({
    data: x.data.slice(2 * position, 2 * position + 2),
    shape: [1, 2],
  });
  const row = [
    [0, 0],
    [0, 1],
  ] as const;
  const size = Math.max(1, ...[...at(query, m).data, ...at(key, n).data].map(Math.abs));
  return {
    steps: [
      vector("query", state.planeQuery.value),
      vector("key", state.planeKey.value),
      ...moved("query_at_m", "query", m),
      ...moved("key_at_n", "key", n),
      { name: "score", does: "product", of: ["query_at_m", "key_at_n"] },
    ],
    known: [
      ...known("query_at_m", at(query, m), row),
      ...known("key_at_n", at(key, n), row),
      ...known("score", { data: Float32Array.of(scores[m - n][n]), shape: [1, 1] }, [[0, 0]]),
    ],
    size: size ** 2,
  };
}
