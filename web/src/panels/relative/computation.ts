import { sizeOf } from "../../code/figure";
import type { Computation, Step } from "../../core/computation";
import { exactly } from "../../core/format";
import type { Model } from "./model";
import { state } from "./state";

type Rule = Extract<Step, { does: "relative" }>["rule"];

function ruleOf(method: Model["method"]): Rule {
  switch (method) {
    case "offset":
      return { type: "offset" };
    case "clip":
      return { type: "clip", most: state.relativeClip.value };
    case "t5":
      return {
        type: "t5",
        buckets: state.t5Buckets.value,
        most: state.t5MaxDistance.value,
        both: state.t5Direction.value === "both",
      };
    case "alibi":
      return { type: "alibi", heads: state.relativeHeads.value };
    case "kerple": {
      // As float32, in which the library takes them.
      const [r1, r2] = [state.kerpleR1, state.kerpleR2].map(({ value }) => exactly(Math.fround(value)));
      return { type: "kerple", kernel: state.kerpleKernel.value, r1, r2 };
    }
    case "learned":
      return { type: "learned", table: state.learnedBiases.value };
  }
}

/** The figure's step: the matrix; known are the chosen cell, two corners, and the first row's middle. */
export function computationOf({ method, size, values, query, key }: Model): Computation {
  const last = size - 1;
  const head = method === "alibi" ? [Math.min(state.relativeHead.value, state.relativeHeads.value) - 1] : [];
  const cells = [
    [query, key],
    [key, query],
    [0, last],
    [last, 0],
    [0, last >> 1],
  ];
  return {
    steps: [{ name: "matrix", does: "relative", size, rule: ruleOf(method) }],
    known: cells.map(([i, j]) => ({ of: "matrix", at: [...head, i, j], is: exactly(values[i * size + j]) })),
    size: sizeOf(values),
  };
}
