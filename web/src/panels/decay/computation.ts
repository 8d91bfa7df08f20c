import type { Computation, Step } from "../../core/computation";
import { exactly } from "../../core/format";
import type { Model } from "./model";

/** The figure's steps: scores of the first base at distance 1, at the chosen one and at the farthest. */
export function computationOf({ dim, query, key, distances, decays: [decay], chosen }: Model): Computation {
  const places = [...new Set([0, chosen, distances.length - 1])];
  const keys = Float32Array.from({ length: places.length * dim }, (_, at) => key[at % dim]);
  const rotated: Step = {
    name: "rotated",
    does: "rotate",
    of: "key",
    layout: "interleaved",
    base: decay.base,
    by: { positions: places.map((place) => distances[place]) },
  };
  return {
    steps: [
      { name: "query", does: "values", data: query, width: dim },
      { name: "key", does: "values", data: keys, width: dim },
      rotated,
      { name: "score", does: "product", of: ["rotated", "query"] },
    ],
    known: places.map((place, row) => ({ of: "score", at: [row, 0], is: exactly(decay.dots[place]) })),
    size: query.reduce((sum, value, at) => sum + Math.abs(value * key[at]), 0),
  };
}
