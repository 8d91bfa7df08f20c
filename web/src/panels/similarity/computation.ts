import { known } from "../../code/figure";
import type { Computation } from "../../core/computation";
import type { Model } from "./model";

/** The figure's steps: dot products of all rows of a table, which are equal along each diagonal. */
export function computationOf({ length, dim, base, p, q, products }: Model): Computation {
  const by = q - p;
  const start = Math.max(0, -by);
  return {
    steps: [
      { name: "table", does: "sinusoid", positions: { count: length }, dim, base },
      { name: "products", does: "product", of: ["table", "table"] },
    ],
    known: known("products", products, [
      [p, q],
      [q, p],
      [start, start + by],
      [0, 0],
      [0, length - 1],
    ]),
    size: dim / 2,
  };
}
