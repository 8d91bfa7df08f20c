import { sizeOf } from "../../code/figure";
import type { Computation, Step } from "../../core/computation";
import { exactly } from "../../core/format";
import { headOf, type Model } from "./model";
import { state } from "./state";

type Rule = Extract<Step, { does: "relative" }>["rule"];

function ruleOf(method: Model["method"]): Rule {
  switch (method) {
    case "offset":
      return { type: "offset" };
    case "t5":
      return {
        type: "t5",
        buckets: state.t5Buckets.value,
        most: state.t5MaxDistance.value,
        both: state.relativeKeys.value === "both",
      };
    case "alibi":
      return { type: "alibi", heads: state.relativeHeads.value };
  }
}

/** The figure's step: the matrix; known are the chosen cell, two corners, and the first row's middle. */
export function computationOf({ method, size, values, query, key }: Model): Computation {
  const last = size - 1;
  const head = method === "alibi" ? [headOf()] : [];
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
