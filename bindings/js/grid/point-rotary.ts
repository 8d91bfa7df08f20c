// Rotations of points: what they have in common, whatever their points are called; grids, and directions of their own.

import { define } from "../base/call.js";
import { product, wrongType } from "../base/check.js";
import {
  changed,
  extents,
  type FieldsOf,
  flag,
  handle,
  number,
  numbers,
  optional,
  type ReadOf,
  whole,
  word,
} from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { type Owned, owned, Releasing } from "../base/owned.js";
import { layout, rotated } from "../rotary/rotary.js";
import type {
  GridPoints,
  GridRotary,
  GridRotaryApply,
  GridRotaryCache,
  GridRotaryOptions,
  MixedFrequencyOptions,
  MixedRotaryOptions,
  OutOption,
  Tensor,
} from "../types/index.js";

/** What is known of one once it is made. */
export const pointAnswers = ["handle", "rotaryDim", "axes", "heads", "attentionFactor"] as const;

export type MadePointRotary = { dim: number } & Record<(typeof pointAnswers)[number], number>;

export abstract class PointRotary extends Releasing {
  readonly dim: number;
  readonly rotaryDim: number;
  readonly axes: number;
  readonly heads: number;
  readonly attentionFactor: number;
  protected readonly owned: Owned<MadePointRotary>;

  constructor(module: Module, what: string, made: MadePointRotary) {
    super();
    this.owned = owned(module, what, made);
    this.dim = made.dim;
    this.heads = made.heads;
    this.rotaryDim = made.rotaryDim;
    this.axes = made.axes;
    this.attentionFactor = made.attentionFactor;
  }

  delete(): void {
    this.owned.delete();
  }
}

export const pointInputs = { rotary: handle<MadePointRotary>() };

export const pointApplyFields = { shape: extents, seqAxis: optional(whole), inverse: optional(flag) };

export const cosAndSin = { cos: Float32Array, sin: Float32Array };

/** The cosines and sines of so many tokens. */
export function pointCacheSizes({ made }: Owned<MadePointRotary>, tokens: number, row: string | undefined) {
  const width = row === "lanes" ? made.rotaryDim : made.rotaryDim / 2;
  const rows = Math.max(tokens, 0);
  const size = { shape: made.heads === 1 ? [rows, width] : [rows, made.heads, width], what: "tokens * width" };
  return { cos: size, sin: size };
}

const gridFields = {
  grid: optional(extents),
  points: optional(numbers),
  prefixTokens: optional(whole),
  suffixTokens: optional(whole),
} satisfies FieldsOf<GridPoints>;

/** How many numbers the points are, which are a grid's or any. */
function countOf({ rotary, grid, points }: ReadOf<typeof gridFields & typeof pointInputs>): number {
  if (grid === undefined) return (points ?? numbers.read("points", undefined as never)).length;
  if (points !== undefined) throw wrongType("points", points.values, "nothing beside grid");
  return product(grid) * rotary.made.axes;
}

export const gridApply = define(
  {
    name: "rotaryGridApply",
    where: "apply",
    inputs: { ...pointInputs, x: changed },
    options: { ...pointApplyFields, ...gridFields } satisfies FieldsOf<GridRotaryApply>,
  },
  (read) => {
    countOf(read);
  },
  rotated,
);

export const gridCache = define(
  {
    name: "rotaryGridCache",
    where: "cache",
    inputs: pointInputs,
    options: { ...gridFields, row: optional(word()) } satisfies FieldsOf<GridRotaryCache>,
    results: cosAndSin,
  },
  (read) => {
    const { rotary, prefixTokens = 0, suffixTokens = 0, row } = read;
    const points = Math.floor(countOf(read) / rotary.made.axes);
    return pointCacheSizes(rotary, prefixTokens + points + suffixTokens, row);
  },
);

export const gridPoints = define(
  { name: "rotaryGridPoints", where: "points", inputs: { ...pointInputs, grid: extents }, results: Float64Array },
  ({ rotary, grid }) => ({ shape: [product(grid) * rotary.made.axes], what: "grid" }),
  ({ data }) => data,
);

class ModuleGridRotary extends PointRotary implements GridRotary {
  apply(x: Float32Array, options: GridRotaryApply): Float32Array {
    return gridApply(this.owned.module, options, { rotary: this.owned, x });
  }

  cache(options: GridRotaryCache): { cos: Tensor; sin: Tensor } {
    return gridCache(this.owned.module, options, { rotary: this.owned });
  }

  points(grid: readonly number[], options: OutOption<Float64Array> = {}): Float64Array {
    return gridPoints(this.owned.module, options, { rotary: this.owned, grid });
  }
}

export const rotaryGrid = define(
  {
    name: "rotaryGrid",
    options: {
      preset: word("the name of a preset; it has no default"),
      dim: whole,
      layout: optional(word()),
      base: optional(number),
      axes: optional(whole),
      lanes: optional(extents),
      start: optional(number),
      reference: optional(extents),
      mergeSize: optional(whole),
      maxFrequency: optional(number),
    } satisfies FieldsOf<GridRotaryOptions>,
    answers: pointAnswers,
  },
  () => {},
  (answers, { dim }, module) => new ModuleGridRotary(module, "rotaryGrid", { ...answers, dim }),
);

export const rotaryMixed = define(
  {
    name: "rotaryMixed",
    options: {
      dim: whole,
      layout,
      frequencies: numbers,
      heads: optional(whole),
      axes: optional(whole),
      order: optional(word()),
      rotaryDim: optional(whole),
    } satisfies FieldsOf<MixedRotaryOptions>,
    answers: pointAnswers,
  },
  () => {},
  (answers, { dim }, module) => new ModuleGridRotary(module, "rotaryMixed", { ...answers, dim }),
);

export const mixedFrequencies = define(
  {
    name: "mixedFrequencies",
    options: {
      dim: whole,
      heads: optional(whole),
      base: optional(number, "a finite number > 0"),
      seed: optional(whole),
    } satisfies FieldsOf<MixedFrequencyOptions>,
    results: Float64Array,
  },
  ({ dim, heads = 1 }) => ({ shape: [dim * heads], what: "dim * heads" }),
  ({ data }) => data,
);
