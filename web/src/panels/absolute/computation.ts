import type { Computation } from "../../core/computation";
import { exactly } from "../../core/format";
import { base, dim, type Model, mostTokens } from "./model";

/** The figure's steps: dot products of the codes of neighbouring words, in both sentences. */
export function computationOf({ steps }: Model): Computation | undefined {
  const knownAt = (p: number, q: number, is: number) => ({ of: "products", at: [p, q], is: exactly(is) });
  const known = steps.flatMap(({ from, to, products: [first, second] }) => [
    knownAt(from.first, to.first, first),
    ...(second === undefined ? [] : [knownAt(from.second as number, to.second as number, second)]),
  ]);
  if (known.length === 0) return undefined;
  return {
    steps: [
      { name: "table", does: "sinusoid", positions: { from: 0, count: mostTokens + 1 }, dim, base },
      { name: "products", does: "product", of: ["table", "table"] },
    ],
    known: known.slice(0, 10),
    size: dim / 2,
  };
}
