import type { Posenc, Tensor } from "posenc";
import { largestDifference, tensor } from "../../core/arithmetic";
import { state } from "./state";

/** Projections of the three tokens, before and after rotation, and the attention that they give. */
export type Model = ReturnType<typeof model>;

export const tokenCount = 3;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** All from the state, but for a shift that is given, and whether values are rotated, too. */
export function model(pe: Posenc, shift = state.shift.value, isValueRotated = state.ropeValues.value === "rotated") {
  const tokens = tensor(state.tokens.value, 2);
  const query = pe.linear(tokens, tensor(state.weightQuery.value, 2));
  const key = pe.linear(tokens, tensor(state.weightKey.value, 2));
  const value: Tensor = pe.linear(tokens, tensor(state.weightValue.value, 2));

  // At dim 2 the only frequency is 1 radian per position: an angle in radians is a position.
  const rope = pe.rotary({ dim: 2, layout: "interleaved" });
  const rotate = (x: Tensor, by: number): Tensor => {
    const positions = state.angles.value.map((angle) => radians(angle + by));
    return { data: rope.apply(x.data.slice(), { shape: x.shape, positions }), shape: x.shape };
  };
  const attend = (q: Tensor, k: Tensor, v = value) => pe.attention({ query: q, key: k, value: v, weights: true });
  const valueAt = (by: number) => (isValueRotated ? rotate(value, by) : value);
  const moved = (by: number) => attend(rotate(query, by), rotate(key, by), valueAt(by));
  try {
    const rotated = moved(shift);
    const still = moved(0);
    return {
      query,
      key,
      rotatedQuery: rotate(query, shift),
      rotatedKey: rotate(key, shift),
      rotated,
      /** The same with the angles alone, before all rotate together. */
      still,
      /** Largest change of a weight when all angles grow by the common shift. */
      drift: largestDifference(rotated.weights.data, still.weights.data),
      /** Largest change of an output by the same. */
      outputDrift: largestDifference(rotated.output.data, still.output.data),
    };
  } finally {
    rope.delete();
  }
}
