import type { Tensor } from "posenc";
import type { PosencFull } from "posenc/full";
import { state } from "./state";

/** The similarity of one patch of an image with every other after two-dimensional rotation. */
export type Similarity = ReturnType<typeof similarity>;

export function similarity(pe: PosencFull) {
  const [height, width] = [state.patchRows.value, state.patchColumns.value];
  const dim = 4 * state.patchPairs.value;
  const inside = (y: number, x: number) => [Math.min(y, height - 1), Math.min(x, width - 1)] as const;
  const chosen = inside(state.patchY.value, state.patchX.value);
  const over = inside(state.overY.value, state.overX.value);
  const base = state.patchBase.value;
  const rope = pe.rotaryGrid({ preset: "axial", dim, axes: 2, base, layout: "interleaved" });
  try {
    const rotate = (points: readonly number[], value: number): Tensor => {
      const shape = [points.length / 2, dim];
      return { data: rope.apply(new Float32Array(shape[0] * dim).fill(value), { shape, points }), shape };
    };
    const points = Array.from({ length: height * width }, (_, cell) => [Math.floor(cell / width), cell % width]).flat();
    const ladder = Array.from(pe.frequencies({ dim: dim / 2, base }).data);
    const [dy, dx] = [over[0] - chosen[0], over[1] - chosen[1]];
    return {
      height,
      width,
      /** Row and column of the chosen patch, and of the one that is read out. */
      chosen,
      over,
      /** Score of the chosen patch with each, 1 with itself: [height * width]. */
      scores: pe.linear(rotate(chosen, 1 / dim), rotate(points, 1)).data,
      /** Angle between the two in each plane, in radians. */
      angles: [dy, dx].flatMap((difference) => ladder.map((omega) => difference * omega)),
    };
  } finally {
    rope.delete();
  }
}
