import type { Posenc, Tensor } from "posenc";
import { scaled, tensor } from "../../core/arithmetic";
import { fixed } from "../../core/format";
import { count, farthest, state } from "./state";

export type Rule = typeof state.deriveRule.value;
export const ruleNames = ["add", "scale", "rotate"] as const satisfies readonly Rule[];

/** The factor by which the rule that scales makes a vector longer with each position. */
export const growth = 1.045;

/** Distances of which the scores differ by less have one score but for rounding. */
export const rounding = 1e-4;

export type Ruled = ReturnType<typeof ruled>;
export type Model = ReturnType<typeof model>;

/** What moves a vector to all positions, by each rule. */
function moving(pe: Posenc, rule: Rule, radians: number): (x: Tensor) => Tensor {
  const positions = Array.from({ length: count }, (_, position) => position);
  const repeated = (x: Tensor) =>
    tensor(
      positions.flatMap(() => [...x.data]),
      2,
    );
  switch (rule) {
    case "add":
      return (x) => pe.add(repeated(x), pe.sinusoidal({ positions, dim: 2, scale: radians }));
    case "scale":
      return (x) => ({
        ...repeated(x),
        data: Float32Array.from(positions.flatMap((position) => [...scaled(x, growth ** position).data])),
      });
    case "rotate":
      return (x) => {
        // At dim 2 the only frequency is 1 radian per position: an angle in radians is a position.
        const rope = pe.rotary({ dim: 2, layout: "interleaved" });
        const { data, shape } = repeated(x);
        const angles = positions.map((position) => position * radians);
        rope.apply(data, { shape, positions: angles });
        rope.delete();
        return { data, shape };
      };
  }
}

/** Query and key at each position after a rule, and their scores. */
function ruled(pe: Posenc, rule: Rule) {
  const move = moving(pe, rule, (state.planeAngle.value * Math.PI) / 180);
  const query = move(tensor(state.planeQuery.value, 2));
  const key = move(tensor(state.planeKey.value, 2));
  const all = pe.linear(query, key).data;
  /** For each distance the scores of all pairs that have it, by the position of the query from `distance` on. */
  const scores = Array.from({ length: farthest + 1 }, (_, distance) =>
    Array.from({ length: count - distance }, (_, n) => all[(n + distance) * count + n]),
  );
  /** The largest difference of two scores of one distance. */
  const spread = Math.max(...scores.map((each) => Math.max(...each) - Math.min(...each)));
  return { query, key, scores, spread };
}

/** Everything the panel shows, from the state. */
export function model(pe: Posenc) {
  const rules = Object.fromEntries(ruleNames.map((rule) => [rule, ruled(pe, rule)])) as Record<Rule, Ruled>;
  // Positions of the chosen query and key.
  const m = Math.max(state.deriveBack.value, state.queryAt.value);
  return { rules, m, n: m - state.deriveBack.value };
}

/** The scores of the chosen distance: their number, the least, the largest, and whether they are one. */
export function found({ rules, m, n }: Model) {
  const scores = rules[state.deriveRule.value].scores[m - n];
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  return {
    distance: m - n,
    count: scores.length,
    low: fixed(low, 2),
    high: fixed(high, 2),
    isOne: high - low < rounding,
  };
}
