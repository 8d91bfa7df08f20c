import type { Computation } from "../../core/computation";
import type { Model } from "./model";
import { state } from "./state";

/** The figure's step: the frequencies of the chosen plan. */
export function computationOf(shown: Model, pair: number): Computation | undefined {
  const plan = shown.kind === "read" ? shown.plans[shown.chosen] : undefined;
  // Only the paper's exponent has a formula here.
  if (!plan || (plan.plan.rotary.exponent ?? "paper") !== "paper") return undefined;
  const { base, rotated, after, needsLength, plan: own } = plan;
  const { exponentDim, scaling } = own.rotary;
  const count = after.data.length;
  const places = [...new Set([0, Math.min(pair, count - 1), count >> 1, count - 1])];
  return {
    steps: [
      {
        name: "frequencies",
        does: "frequencies",
        dim: rotated,
        base,
        ...(exponentDim !== undefined && exponentDim !== rotated && { exponentDim }),
        ...(scaling && scaling.type !== "default" && { scaling: { ...scaling } }),
        ...(needsLength && { length: state.configLength.value }),
      },
    ],
    known: places.map((at) => ({ of: "frequencies", at: [at], is: after.data[at] })),
    relative: true,
  };
}
