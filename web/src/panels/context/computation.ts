import type { Computation } from "../../core/computation";
import { type Model, scaling } from "./model";
import { state } from "./state";

/** The figure's step: frequencies after the chosen rule; known are the chosen pair's, the first, the middle and the last. */
export function computationOf({ dim, trained, pairs, chosen }: Model): Computation {
  const places = [...new Set([0, chosen, pairs.length >> 1, pairs.length - 1])];
  return {
    steps: [
      {
        name: "frequencies",
        does: "frequencies",
        dim,
        base: state.contextBase.value,
        // LongRoPE has its long factors from here on.
        length: trained + 1,
        scaling: { ...scaling(state.contextRule.value, pairs.length) },
      },
    ],
    known: places.map((at) => ({ of: "frequencies", at: [at], is: pairs[at].after })),
    relative: true,
  };
}
