import type { Tensor } from "posenc";
import type { GridRotary, PosencFull } from "posenc/full";
import { largestDifference } from "../../core/arithmetic";
import { state } from "./state";

/** The similarity of one patch of an image with every other after two-dimensional rotation. */
export interface Similarity {
  readonly height: number;
  readonly width: number;
  /** Row and column of the chosen patch, and of the one that is read out. */
  readonly chosen: readonly [number, number];
  readonly over: readonly [number, number];
  /** Score of the chosen patch with each, 1 with itself: [height * width]. */
  readonly scores: Float32Array;
  /** Angle between the two in each plane, in radians. */
  readonly angles: readonly number[];
  /** Largest change of a score when the whole image is moved by `shifted`. */
  readonly drift: number;
}

/** How far the image is moved to see whether scores change: rows, columns. */
export const shifted = [7, -4] as const;

function rotation(pe: PosencFull, dim: number): { rope: GridRotary; down: Float64Array; across: Float64Array } {
  const base = state.patchBase.value;
  const pairs = dim / 2;
  if (state.patchRule.value === "axial") {
    const ladder = pe.frequencies({ dim: pairs, base }).data;
    const [down, across] = [new Float64Array(pairs), new Float64Array(pairs)];
    down.set(ladder, 0);
    across.set(ladder, pairs / 2);
    return { rope: pe.rotaryGrid({ preset: "axial", dim, axes: 2, base, layout: "interleaved" }), down, across };
  }
  const frequencies = pe.mixedFrequencies({ dim, base, seed: state.patchSeed.value });
  const rope = pe.rotaryMixed({ dim, layout: "interleaved", frequencies });
  // The frequencies of the columns come first.
  return { rope, across: frequencies.subarray(0, pairs), down: frequencies.subarray(pairs) };
}

export function similarity(pe: PosencFull): Similarity {
  const [height, width] = [state.patchRows.value, state.patchColumns.value];
  const dim = 4 * state.patchPairs.value;
  const inside = (y: number, x: number) => [Math.min(y, height - 1), Math.min(x, width - 1)] as const;
  const chosen = inside(state.patchY.value, state.patchX.value);
  const over = inside(state.overY.value, state.overX.value);
  const { rope, down, across } = rotation(pe, dim);
  try {
    const rotate = (points: readonly number[], value: number): Tensor => {
      const shape = [points.length / 2, dim];
      return { data: rope.apply(new Float32Array(shape[0] * dim).fill(value), { shape, points }), shape };
    };
    const scores = (dy: number, dx: number): Float32Array => {
      const points = Array.from({ length: height * width }, (_, cell) => [
        Math.floor(cell / width) + dy,
        (cell % width) + dx,
      ]).flat();
      const query = rotate([chosen[0] + dy, chosen[1] + dx], 1 / dim);
      return pe.linear(query, rotate(points, 1)).data;
    };
    const here = scores(0, 0);
    const [dy, dx] = [over[0] - chosen[0], over[1] - chosen[1]];
    return {
      height,
      width,
      chosen,
      over,
      scores: here,
      angles: Array.from(down, (omega, i) => dy * omega + dx * across[i]),
      drift: largestDifference(here, scores(...shifted)),
    };
  } finally {
    rope.delete();
  }
}
