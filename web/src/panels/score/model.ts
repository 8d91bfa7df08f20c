import type { Posenc, Tensor } from "posenc";
import { largestDifference, tensor } from "../../core/arithmetic";
import { state } from "./state";

/** A query and a key in the plane, rotated by their positions. */
export interface Model {
  readonly query: Tensor;
  readonly key: Tensor;
  readonly rotatedQuery: Tensor;
  readonly rotatedKey: Tensor;
  /** Positions of the two with the slide in them, and how far each is rotated, in degrees. */
  readonly positions: readonly [number, number];
  readonly degrees: readonly [number, number];
  readonly score: number;
  /** The score when the two have changed places. */
  readonly swapped: number;
  /** The terms of the score: (q·k) cos Δ - (q×k) sin Δ. */
  readonly dot: number;
  readonly cross: number;
  readonly cosine: number;
  readonly sine: number;
  /** The first term alone. */
  readonly shortened: number;
  /** Scores for the slides `first` … `first` + 2 · reach, and the largest difference from the score without slide. */
  readonly first: number;
  readonly slid: readonly number[];
  readonly drift: number;
  /** Scores when the key alone is slid by as much, and the largest score that vectors of these lengths can have. */
  readonly keyAlone: Float32Array;
  readonly most: number;
}

/** Slides that are computed in each direction, about 0 as long as the chosen one is among them. */
export const reach = 36;

export function model(pe: Posenc): Model {
  const query = tensor(state.planeQuery.value, 2);
  const key = tensor(state.planeKey.value, 2);
  const [m, n, step, slide] = [state.queryAt, state.keyAt, state.planeAngle, state.slide].map(({ value }) => value);
  // At dim 2 the only frequency is 1 radian per position: an angle in radians is a position.
  const rope = pe.rotary({ dim: 2, layout: "interleaved" });
  const rotate = (x: Tensor, positions: readonly number[]): Tensor => {
    const data = Float32Array.from({ length: 2 * positions.length }, (_, dimension) => x.data[dimension % 2]);
    const shape = [positions.length, 2];
    const angles = positions.map((position) => (position * step * Math.PI) / 180);
    return { data: rope.apply(data, { shape, positions: angles }), shape };
  };
  const scoreAt = (here: number, there: number) => pe.linear(rotate(query, [here]), rotate(key, [there])).data[0];
  const score = (by: number) => scoreAt(m + by, n + by);
  try {
    const first = Math.abs(slide) <= reach ? -reach : slide - reach;
    const slides = Array.from({ length: 2 * reach + 1 }, (_, at) => at + first);
    const keys = rotate(
      key,
      slides.map((by) => n + by),
    );
    const all = pe.linear(
      rotate(
        query,
        slides.map((by) => m + by),
      ),
      keys,
    );
    // Query and key of the same slide are on the diagonal.
    const slid = slides.map((_, at) => all.data[at * (slides.length + 1)]);
    const sideways = tensor([key.data[1], -key.data[0]], 2);
    const dot = pe.linear(query, key);
    const { cos, sin } = rope.cache({ positions: [((n - m) * step * Math.PI) / 180] });
    return {
      query,
      key,
      rotatedQuery: rotate(query, [m + slide]),
      rotatedKey: rotate(key, [n + slide]),
      positions: [m + slide, n + slide],
      degrees: [(m + slide) * step, (n + slide) * step],
      score: score(slide),
      swapped: scoreAt(n + slide, m + slide),
      dot: dot.data[0],
      cross: pe.linear(query, sideways).data[0],
      cosine: cos.data[0],
      sine: sin.data[0],
      shortened: dot.data[0] * cos.data[0],
      first,
      slid,
      keyAlone: pe.linear(rotate(query, [m]), keys).data,
      most: Math.sqrt(pe.linear(query, query).data[0] * pe.linear(key, key).data[0]),
      drift: largestDifference(slid, new Array(slid.length).fill(score(0))),
    };
  } finally {
    rope.delete();
  }
}
