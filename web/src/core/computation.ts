/*
 * The computation of a figure at its current settings, independent of a language: steps that name their results, and some
 * numbers of these results as the library computed them. `code/` writes it as programs.
 */

/** Positions: so many from 0 on, or any list. */
export type Places = { readonly count: number } | readonly number[];

/** What steps do, and what it takes. */
interface Works {
  /** Rows of sinusoids, [positions, dim]; `scale` is the factor of the positions, if it is not 1. */
  readonly sinusoid: {
    readonly positions: Places;
    readonly dim: number;
    readonly base: number;
    readonly scale?: number;
  };
  /** Rows of numbers. */
  readonly values: { readonly data: ArrayLike<number>; readonly width: number };
  readonly add: { readonly of: readonly [string, string] };
  readonly scale: { readonly of: string; readonly by: number };
  /** The dot products of all rows of one with all rows of the other. */
  readonly product: { readonly of: readonly [string, string] };
  /** Rows, each rotated by its position, or by degrees where rows have two dimensions. */
  readonly rotate: {
    readonly of: string;
    readonly layout: "interleaved" | "half";
    readonly base: number;
    readonly by: { readonly positions: readonly number[] } | { readonly degrees: readonly number[] };
  };
  /** Rows, each rotated by its point (y, x), half of the pairs by y, half by x: those of a grid, or a single one. */
  readonly "rotate-points": {
    readonly of: string;
    readonly base: number;
    readonly points: { readonly grid: readonly [number, number] } | { readonly at: readonly [number, number] };
  };
  /** The weights of attention, and its output. */
  readonly attention: {
    readonly query: string;
    readonly key: string;
    readonly value: string;
    readonly output: string;
  };
  /** A matrix that depends on key - query alone, [size, size]; that of ALiBi is [heads, size, size]. */
  readonly relative: {
    readonly size: number;
    readonly rule:
      | { readonly type: "offset" }
      | { readonly type: "t5"; readonly buckets: number; readonly most: number; readonly both: boolean }
      | { readonly type: "alibi"; readonly heads: number };
  };
  /** The frequencies of a rotation, with a rule for longer texts. */
  readonly frequencies: {
    readonly dim: number;
    readonly base: number;
    readonly exponentDim?: number;
    readonly length?: number;
    readonly scaling?: { readonly type: string; readonly [option: string]: unknown };
  };
  /** The three positions of each token of a text, an image and a text: [3, tokens]. */
  readonly mrope: { readonly before: number; readonly image: readonly [number, number]; readonly after: number };
  /** Cosines and sines of a position, the angles in float32 or exact: [2, pairs]. */
  readonly angles: {
    readonly dim: number;
    readonly base: number;
    readonly position: number;
    readonly precision: "float32" | "exact";
  };
}

/** A step, and the name of its result. */
export type Step = {
  [Does in keyof Works]: Works[Does] & { readonly does: Does; readonly name: string };
}[keyof Works];

/** A number of a result at these indices, as the library computed it. */
export interface Known {
  readonly of: string;
  readonly at: readonly number[];
  readonly is: number;
}

export interface Computation {
  readonly steps: readonly Step[];
  readonly known: readonly Known[];
  /** The magnitude of the terms that are summed, if it is more than 1: rounding errors grow with it. */
  readonly size?: number;
  /** Whether the tolerance is relative to each number. */
  readonly relative?: boolean;
}
