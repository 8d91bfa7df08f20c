import type { PosencFull } from "posenc/full";
import { tensor } from "../../core/arithmetic";
import { kept } from "../../core/figure";
import { state } from "./state";

/** Bound and score of one query and one key by distance, for one base. */
export interface Decay {
  readonly base: number;
  /** The bound at each distance, and the score itself, both as shares of their maximum. */
  readonly bound: Float64Array;
  readonly score: Float64Array;
}

export interface Model {
  readonly dim: number;
  readonly distances: readonly number[];
  readonly decays: readonly Decay[];
  /** Index in `distances` of the chosen one. */
  readonly chosen: number;
}

/** Every distance up to `dense` is computed, beyond it `perDecade` for each factor of ten. */
const dense = 200;
const perDecade = 160;

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

/**
 * RoFormer's bound (section 3.4.3): the score is at most a factor, which q and k decide, times Σ_j |S_j|, where S_j is
 * the sum of the first j of e^(i m θ). The sum is what depends on the distance m; here as a share of its value at 0.
 */
function bound(cos: Float32Array, sin: Float32Array, pairs: number): Float64Array {
  const most = (pairs * (pairs + 1)) / 2;
  return Float64Array.from({ length: cos.length / pairs }, (_, at) => {
    let [real, imaginary, sum] = [0, 0, 0];
    for (let j = at * pairs; j < (at + 1) * pairs; j++) {
      real += cos[j];
      imaginary += sin[j];
      // Engines round Math.hypot differently, but all round a square root correctly.
      sum += Math.sqrt(real ** 2 + imaginary ** 2);
    }
    return sum / most;
  });
}

/** Computes q · R(m) k as a share of |q| |k| at each distance m. */
function scores(pe: PosencFull, rotate: (x: Float32Array) => Float32Array, dim: number, count: number): Float64Array {
  const { query, key } = vectors(pe, dim);
  const keys = new Float32Array(count * dim);
  for (let at = 0; at < count; at++) keys.set(key, at * dim);
  const dots = pe.linear(tensor(rotate(keys), dim), tensor(query, dim)).data;
  const most = Math.sqrt(squared(query) * squared(key));
  return Float64Array.from(dots, (dot) => dot / most);
}

function decay(pe: PosencFull, dim: number, base: number, distances: readonly number[]): Decay {
  const rope = pe.rotary({ dim, layout: "interleaved", base });
  try {
    const { cos, sin } = rope.cache({ positions: distances });
    const rotate = (x: Float32Array) => rope.apply(x, { shape: [distances.length, dim], positions: distances });
    return {
      base,
      bound: bound(cos.data, sin.data, dim / 2),
      score: scores(pe, rotate, dim, distances.length),
    };
  } finally {
    rope.delete();
  }
}

/** Whether a curve is higher at a point than at the previous one: there it does not decay. */
export const rises = (values: Float64Array, at: number) => at > 0 && values[at] > values[at - 1];

/** Everything the panel shows, from the state; computed again only when something it depends on changes. */
export const model = kept((pe: PosencFull): Model => {
  const dim = 2 * state.decayPairs.value;
  const reach = state.decayReach.value;
  const asked = Math.min(reach, state.decayDistance.value);
  const distances = distancesUpTo(reach, asked);
  const decays = [state.decayBase, state.decayOtherBase].map(({ value }) => decay(pe, dim, value, distances));
  return { dim, distances, decays, chosen: distances.indexOf(asked) };
});
