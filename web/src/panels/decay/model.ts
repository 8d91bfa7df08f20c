import type { PosencFull } from "posenc/full";
import { tensor } from "../../core/arithmetic";
import { kept } from "../../core/figure";
import { state } from "./state";

export type Model = ReturnType<typeof model>;

/** Every distance up to `dense` is computed, beyond it `perDecade` for each factor of ten. */
const dense = 200;
const perDecade = 160;

/** The neighbours of a distance, over which its mean is, reach from it divided by this to it times this. */
const reachOfMean = 1.25;

/** Returns distances 1, 2, 3, … and then ever wider apart, up to `reach`, with the one the reader asks for. */
export function distancesUpTo(reach: number, asked: number): number[] {
  const found = new Set(Array.from({ length: Math.min(dense, reach) }, (_, at) => at + 1));
  const steps = Math.ceil(Math.log10(reach / dense) * perDecade);
  for (let step = 1; step < steps; step++) found.add(Math.round(dense * 10 ** (step / perDecade)));
  found.add(reach);
  found.add(Math.min(reach, asked));
  return [...found].sort((a, b) => a - b);
}

/** Returns a query and a key: all ones, one random vector twice, or two, from the library's seeded table. */
function vectors(pe: PosencFull, dim: number): { query: Float32Array; key: Float32Array } {
  if (state.decayVectors.value === "ones") {
    const ones = new Float32Array(dim).fill(1);
    return { query: ones, key: ones };
  }
  const { data } = pe.learnedTable({ length: 2, dim, seed: state.decaySeed.value, std: 1 });
  const query = data.slice(0, dim);
  return { query, key: state.decayVectors.value === "same" ? query : data.slice(dim) };
}

/** The square of a vector's length. */
const squared = (x: Float32Array) => x.reduce((sum, value) => sum + value * value, 0);

/** The mean of the values around each of ascending distances. */
function meanOf(distances: readonly number[], values: Float64Array): Float64Array {
  let [first, end] = [0, 0];
  return values.map((_, at) => {
    while (distances[first] * reachOfMean < distances[at]) first++;
    while (end < distances.length && distances[end] <= distances[at] * reachOfMean) end++;
    return values.slice(first, end).reduce((sum, value) => sum + value, 0) / (end - first);
  });
}

/** The score of one query and one key by distance, for one base. */
function decay(pe: PosencFull, base: number, distances: readonly number[], query: Float32Array, key: Float32Array) {
  const dim = query.length;
  const rope = pe.rotary({ dim, layout: "interleaved", base });
  try {
    const keys = new Float32Array(distances.length * dim);
    for (const at of distances.keys()) keys.set(key, at * dim);
    rope.apply(keys, { shape: [distances.length, dim], positions: distances });
    /** q · R(m) k at each distance m, and below it that as a share of its maximum, |q| |k|. */
    const dots = pe.linear(tensor(keys, dim), tensor(query, dim)).data;
    const most = Math.sqrt(squared(query) * squared(key));
    const score = Float64Array.from(dots, (dot) => dot / most);
    return { base, dots, score, mean: meanOf(distances, score) };
  } finally {
    rope.delete();
  }
}

/** Everything the panel shows, from the state; computed again only when something it depends on changes. */
export const model = kept((pe: PosencFull) => {
  const dim = 2 * state.decayPairs.value;
  const reach = state.decayReach.value;
  const asked = Math.min(reach, state.decayDistance.value);
  const distances = distancesUpTo(reach, asked);
  const { query, key } = vectors(pe, dim);
  const decays = [state.decayBase, state.decayOtherBase].map(({ value }) => decay(pe, value, distances, query, key));
  return { dim, query, key, distances, decays, chosen: distances.indexOf(asked) };
});
