import type { Computation, Step } from "../../core/computation";
import type { Model } from "./model";

/** The figure's steps: the bound of both bases at distance 1, at the chosen one and at the farthest. */
export function computationOf({ dim, distances, decays, chosen }: Model): Computation {
  const places = [...new Set([0, chosen, distances.length - 1])];
  const nameOf = (at: number) => `bound_${at + 1}`;
  return {
    steps: decays.map(
      ({ base }, at): Step => ({
        name: nameOf(at),
        does: "bound",
        dim,
        base,
        distances: places.map((place) => distances[place]),
      }),
    ),
    known: decays.flatMap(({ bound }, at) =>
      places.map((place, row) => ({ of: nameOf(at), at: [row], is: bound[place] })),
    ),
  };
}
