// Rotations of points: what they have in common, whatever their points are called; grids, and directions of their own.

import type { Owned } from "../base/buffer.js";
import { define } from "../base/call.js";
import { product, wrongType } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import { layout, type MadeRotation, Rotation, rotated } from "../rotary/rotary.js";
import type * as t from "../types/index.js";

/** Names what the core answers when it has made one. */
export const pointAnswers = ["handle", "rotaryDim", "axes", "heads", "attentionFactor"] as const;

/** Holds what is known of one. */
export interface MadePointRotary extends MadeRotation {
  axes: number;
  heads: number;
}

export abstract class PointRotary<Made extends MadePointRotary = MadePointRotary> extends Rotation<Made> {
  declare readonly axes: number;
  declare readonly heads: number;
}

export const pointInputs = { rotary: is.handle<MadePointRotary>() };

export const pointApplyFields = {
  shape: is.extents,
  seqAxis: is.optional(is.whole),
  batchAxis: is.optional(is.whole),
  inverse: is.optional(is.flag),
};

export const cosAndSin = { cos: Float32Array, sin: Float32Array };

/** The cosines and sines of so many tokens, which an option gives. */
export function cacheSizes({ made }: Owned<MadePointRotary>, tokens: number, row: string | undefined, option: string) {
  const width = row === "dims" ? made.rotaryDim : made.rotaryDim / 2;
  const rows = Math.max(tokens, 0);
  const size = { shape: made.heads === 1 ? [rows, width] : [rows, made.heads, width], what: `${option} * width` };
  return { cos: size, sin: size };
}

const gridFields = {
  grid: is.optional(is.extents),
  points: is.optional(is.numbers),
  prefixTokens: is.optional(is.whole),
  suffixTokens: is.optional(is.whole),
} satisfies is.FieldsOf<t.GridPoints>;

/** How many numbers the points are, which are a grid's or any. */
function countOf({ rotary, grid, points }: is.ReadOf<typeof gridFields & typeof pointInputs>): number {
  if (grid === undefined && points === undefined)
    throw wrongType("grid", grid, expected.array_of, { items: "extents" }, ", or points in its place");
  if (!grid) return points?.length ?? 0;
  if (points !== undefined) throw wrongType("points", points.values, expected.nothing, {}, " beside grid");
  return product(grid) * rotary.made.axes;
}

const gridApplyFields = { ...pointApplyFields, ...gridFields } satisfies is.FieldsOf<t.GridRotaryApply>;

export const gridApply = define(
  { name: "rotaryGridApply", where: "apply", inputs: { ...pointInputs, x: is.changed }, options: gridApplyFields },
  (read) => {
    countOf(read);
  },
  rotated,
);

const gridCacheFields = { ...gridFields, row: is.optional(is.word()) } satisfies is.FieldsOf<t.GridRotaryCache>;

export const gridCache = define(
  { name: "rotaryGridCache", where: "cache", inputs: pointInputs, options: gridCacheFields, results: cosAndSin },
  (read) => {
    const { rotary, prefixTokens = 0, suffixTokens = 0, row } = read;
    const points = Math.floor(countOf(read) / rotary.made.axes);
    return cacheSizes(rotary, prefixTokens + points + suffixTokens, row, "points");
  },
);

export const gridPoints = define(
  { name: "rotaryGridPoints", where: "points", inputs: { ...pointInputs, grid: is.extents }, results: Float64Array },
  ({ rotary, grid }) => ({ shape: [product(grid) * rotary.made.axes], what: "grid" }),
  ({ data }) => data,
);

class ModuleGridRotary extends PointRotary implements t.GridRotary {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the published interface tie result and argument
  apply(x: any, options: object): any {
    return Rotation.run(this, gridApply, options, { x });
  }

  cache(options: t.GridRotaryCache): { cos: t.TensorResult; sin: t.TensorResult } {
    return Rotation.run(this, gridCache, options);
  }

  points(grid: readonly number[], options: t.OutOption<Float64Array> = {}): Float64Array {
    return Rotation.run(this, gridPoints, options, { grid });
  }
}

/** The options of `rotaryGrid`. */
export const rotaryGridFields = {
  preset: is.named,
  dim: is.whole,
  layout: is.optional(is.word()),
  base: is.optional(is.number),
  axes: is.optional(is.whole),
  dims: is.optional(is.extents),
  start: is.optional(is.number),
  reference: is.optional(is.extents),
  mergeSize: is.optional(is.whole),
  maxFrequency: is.optional(is.number),
} satisfies is.FieldsOf<t.GridRotaryOptions>;

export const rotaryGrid = define(
  { name: "rotaryGrid", options: rotaryGridFields, answers: pointAnswers },
  () => {},
  (answers, options, module) => new ModuleGridRotary(module, "rotaryGrid", { ...answers, dim: options.dim, options }),
);

const mixedFields = {
  dim: is.whole,
  layout,
  frequencies: is.numbers,
  heads: is.optional(is.whole),
  axes: is.optional(is.whole),
  order: is.optional(is.word()),
  rotaryDim: is.optional(is.whole),
} satisfies is.FieldsOf<t.MixedRotaryOptions>;

export const rotaryMixed = define(
  { name: "rotaryMixed", options: mixedFields, answers: pointAnswers },
  () => {},
  (answers, { dim }, module) => new ModuleGridRotary(module, "rotaryMixed", { ...answers, dim }),
);

const frequencyFields = {
  dim: is.whole,
  heads: is.optional(is.whole),
  base: is.optional(is.number, expected.finite_above, { bound: 0 }),
  seed: is.optional(is.whole),
} satisfies is.FieldsOf<t.MixedFrequencyOptions>;

export const mixedFrequencies = define(
  { name: "mixedFrequencies", options: frequencyFields, results: Float64Array },
  ({ dim, heads = 1 }) => ({ shape: [dim * heads], what: "dim * heads" }),
  ({ data }) => data,
);
