import type { Computation } from "../../core/computation";
import { chosenScaling, type Model } from "./model";
import { state } from "./state";

/** The figure's step: frequencies after the chosen method; known are the chosen pair's, the first, the middle and the last. */
export function computationOf({ dim, pairs, chosen }: Model): Computation {
  const places = [...new Set([0, chosen, pairs.length >> 1, pairs.length - 1])];
  return {
    steps: [
      { name: "frequencies", does: "frequencies", dim, base: state.contextBase.value, scaling: { ...chosenScaling() } },
    ],
    known: places.map((at) => ({ of: "frequencies", at: [at], is: pairs[at].after })),
    relative: true,
  };
}
