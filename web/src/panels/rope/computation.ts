import type { Tensor } from "posenc";
import { known, rotatedInPlane, sizeOf } from "../../code/figure";
import type { Computation, Step } from "../../core/computation";
import type { Model } from "./model";
import { state } from "./state";

/** The figure's steps: projections, their rotation, and the attention that they give. */
export function computationOf({ query, key, rotatedQuery, rotatedKey, rotated }: Model): Computation {
  const degrees = state.angles.value.map((angle) => angle + state.shift.value);
  const areRotated = state.ropeValues.value === "rotated";
  const given = (name: string, data: readonly number[]): Step => ({ name, does: "values", data, width: 2 });
  const projected = (name: string, by: string): Step => ({ name, does: "product", of: ["x", by] });
  const row = (at: number) => [[at, 0] as const, [at, 1] as const];
  const lengths = ({ data }: Tensor) => sizeOf(data) * Math.SQRT2;
  return {
    steps: [
      given("x", state.tokens.value),
      given("w_q", state.weightQuery.value),
      given("w_k", state.weightKey.value),
      given("w_v", state.weightValue.value),
      projected("query", "w_q"),
      projected("key", "w_k"),
      projected("value", "w_v"),
      rotatedInPlane("rotated_query", "query", degrees),
      rotatedInPlane("rotated_key", "key", degrees),
      ...(areRotated ? [rotatedInPlane("rotated_value", "value", degrees)] : []),
      {
        name: "weights",
        does: "attention",
        query: "rotated_query",
        key: "rotated_key",
        value: areRotated ? "rotated_value" : "value",
        output: "output",
      },
    ],
    known: [
      ...known("rotated_query", rotatedQuery, row(0)),
      ...known("rotated_key", rotatedKey, row(2)),
      ...known("weights", rotated.weights, [...row(0), [0, 2], [2, 0]]),
      ...known("output", rotated.output, row(2)),
    ],
    // Errors of scores grow with the lengths of query and key, those of outputs with the values as well.
    size: lengths(query) * lengths(key) * sizeOf(rotated.output.data),
  };
}
