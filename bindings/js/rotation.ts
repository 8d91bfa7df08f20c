// What everything that rotates a caller's array in place shares.

import type { Module, Outcome } from "posenc-module";
import { shape as checkShape, float32Array, unwrap } from "./check.js";
import { type Borrower, borrow, type Loan } from "./memory.js";
import { lendPacked, lendPositions, type PositionArguments } from "./positions.js";
import { given } from "./scaling.js";
import type { PositionOptions, TensorAxes } from "./types/index.js";

export const axesKeys = ["shape", "seqAxis", "dimAxis", "batchAxis"] as const;
export const rotationKeys = [...axesKeys, "offset", "positions"] as const;

/** What every rotation of the module takes first of its arguments, and last: x, its shape; positions. */
export interface Lent {
  x: Loan;
  /** The axes of sequence, dim and batch, then the extents. */
  shape: Loan;
  rank: number;
  positions: Loan;
}

/** Lends `x` and its positions to `run`, which rotates it; `x` changes only when that goes well. */
export function rotateInPlace(
  module: Module,
  x: Float32Array,
  axes: TensorAxes,
  lend: (memory: Borrower) => PositionArguments & { everywhere?: boolean },
  run: (lent: Lent, memory: Borrower) => Outcome,
): Float32Array {
  float32Array("x", x);
  return borrow(module, (memory) => {
    const data = memory.inPlace(Float32Array, x, "x");
    unwrap(run({ x: data, ...lendRotation(memory, axes, lend) }, memory));
    return memory.taken(data, x);
  });
}

/** Lends what is the same for values of every type. */
export function lendRotation(
  memory: Borrower,
  axes: TensorAxes,
  lend: (memory: Borrower) => PositionArguments & { everywhere?: boolean },
): Omit<Lent, "x"> {
  const at = lend(memory);
  // Positions [batch, sequence] are those of the first axis, unless another is named.
  const shape = lendAxes(memory, axes, at.shape.length === 2 ? 0 : Number.NaN);
  return { ...shape, positions: lendPacked(memory, at, at.everywhere) };
}

/** Lends the shape of what is rotated, and where its axes stand. */
export function lendAxes(memory: Borrower, axes: TensorAxes, defaultBatch = Number.NaN): Omit<Lent, "x" | "positions"> {
  const extents = checkShape("shape", axes.shape);
  const [seqAxis, dimAxis] = [given("seqAxis", axes.seqAxis), given("dimAxis", axes.dimAxis)];
  const batchAxis = axes.batchAxis === undefined ? defaultBatch : given("batchAxis", axes.batchAxis);
  const shape = memory.doublesFrom([seqAxis, dimAxis, batchAxis, ...extents], "shape");
  return { shape, rank: extents.length };
}

/** The positions of tokens, from the options of a rotation. */
export const tokenPositions =
  ({ offset, positions }: PositionOptions) =>
  (memory: Borrower): PositionArguments =>
    lendPositions(memory, offset, positions, 0);
