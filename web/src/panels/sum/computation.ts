import { known, sizeOf } from "../../code/figure";
import type { Computation, Step } from "../../core/computation";
import { letters, sameness } from "../../core/words";
import type { Model } from "./model";

/** The figure's steps: word vectors plus the formula's sinusoids. */
export function computationOf({ source, words, dim, embedding, scale, sums, chosen }: Model): Computation | undefined {
  const sum = sums.find(({ kind }) => kind === "formula");
  if (!sum || words.length === 0) return undefined;
  const base = 10000;
  const vectors: Step =
    source === "own"
      ? { name: "words", does: "sinusoid", positions: words.map((word) => letters(sameness(word))), dim, base }
      : {
          name: "words",
          does: "values",
          data: Array.from(embedding.data, (value) => Number(value.toPrecision(7))),
          width: dim,
        };
  const dimension = Math.min(1, dim - 1);
  const last = words.length - 1;
  return {
    steps: [
      vectors,
      ...(scale === 1 ? [] : [{ name: "scaled", does: "scale", of: "words", by: scale } as const]),
      { name: "table", does: "sinusoid", positions: { from: 0, count: words.length }, dim, base },
      { name: "sum", does: "add", of: [scale === 1 ? "words" : "scaled", "table"] },
    ],
    known: known("sum", sum.result, [
      [chosen, 0],
      [chosen, dimension],
      [0, 0],
      [last, 0],
      [last, dimension],
    ]),
    size: sizeOf(sum.result.data),
  };
}
