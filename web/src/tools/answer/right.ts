import type { Diagnosis, ExpectedPlan, Explanation, PosencTools, RotaryOptions } from "posenc/tools";
import type { Right } from "../protocol";
import { planOf } from "./expected";

/** Decides what the code does: what was meant where that is known, else what was found. */

function rotary(
  pe: PosencTools,
  plan: RotaryOptions,
  rest: { firstDim: number; inverse: boolean; offset: number; heads: number },
): Right {
  const { dim, rotaryDim = dim, layout, ...others } = plan;
  const { data, attentionFactor } = pe.frequencies({ ...others, dim: rotaryDim });
  return { type: "rotary", plan, layout, frequencies: [...data], factor: attentionFactor, ...rest };
}

const arrangements: Readonly<Record<string, string>> = {
  interleaved: "interleaved",
  split: "split",
  "cosines-first": "cosines-first",
};

export function rightOf(
  pe: PosencTools,
  expected: ExpectedPlan | undefined,
  { found }: Explanation,
  kind: Diagnosis["kind"],
): Right | null {
  const meant = planOf(expected);
  if (meant && (kind === "rotation" || kind === "cache" || kind === "frequencies"))
    return rotary(pe, meant.plan, { ...meant, offset: 0, heads: meant.firstDim + meant.plan.dim });
  if (expected && "type" in expected && expected.type === "sinusoidal") {
    const { type: _, length: __, offset = 0, positions: ___, paddingIdx: ____, ...options } = expected;
    const { dim, base, exponent, shift, scale, order, amplitude } = pe.sinusoidalPlan(options);
    const { data } = pe.frequencies({ dim, base, exponent, shift, scale });
    return { type: "sinusoidal", dim, base, order, amplitude, offset, frequencies: [...data] };
  }
  if (found.type === "rotary" || found.type === "frequencies") {
    if (found.type === "rotary" && found.axisOfPair) return null;
    const {
      firstDim = 0,
      inverse = false,
      offset = 0,
    } = found as { firstDim?: number; inverse?: boolean; offset?: number };
    return rotary(pe, found.plan, { firstDim, inverse, offset, heads: firstDim + found.plan.dim });
  }
  if (found.type === "sinusoidal") {
    const { dim, base = 10000 } = found.plan;
    const order = arrangements[found.arrangement];
    if (!order) return null;
    const { data } = pe.frequencies({ dim, base, ...(found.plan.exponent && { exponent: found.plan.exponent }) });
    return {
      type: "sinusoidal",
      dim,
      base,
      order,
      amplitude: found.amplitude,
      offset: found.offset,
      frequencies: [...data],
    };
  }
  if (found.type === "bias" && found.bias === "alibi" && found.slopes)
    return { type: "alibi", slopes: found.slopes, rule: found.slopeRule || "paper", steepness: found.steepness ?? 8 };
  return null;
}
