// Rotations by three positions a token, and these positions.

import type { Block } from "../base/block.js";
import { define } from "../base/call.js";
import { names as checkNames, whole as checkWhole, isArray, isObject, wrongShape, wrongType } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import { listView, type View } from "../base/view.js";
import { Rotation, rotaryFields, rotated } from "../rotary/rotary.js";
import type * as t from "../types/index.js";
import * as points from "./point-rotary.js";

/** Time's numbers, height's and width's: a list, or int32 values with a shape. */
const ids: is.Kind<t.MropeIds, View<ArrayLike<number>>> = {
  ...is.numbers,
  read: is.shapedNumbers,
};

/** Throws for ids with a shape whose first axis is not that of the sections: tokens first, or the batch. */
export function checkIds({ axes }: { axes: number }, { shape }: View<unknown>) {
  if (axes > 1 && shape.length > 1 && shape[0] !== axes) throw wrongShape("positions", shape, [axes, "…", "seq"]);
}

const applyFields = { ...points.pointApplyFields, positions: ids } satisfies is.FieldsOf<t.MropeApply>;

export const mropeApply = define(
  { name: "mropeApply", where: "apply", inputs: { ...points.pointInputs, x: is.changed }, options: applyFields },
  ({ rotary, positions }) => checkIds(rotary.made, positions),
  rotated,
);

const cacheFields = { positions: ids, row: is.optional(is.word()) } satisfies is.FieldsOf<t.MropeCache>;

export const mropeCache = define(
  { name: "mropeCache", where: "cache", inputs: points.pointInputs, options: cacheFields, results: points.cosAndSin },
  (read) => {
    const { rotary, positions, row } = read;
    checkIds(rotary.made, positions);
    return points.cacheSizes(rotary, Math.floor(positions.length / rotary.made.axes), row, "positions");
  },
);

/** Holds what is known of one. */
interface MadeMrope extends points.MadePointRotary {
  layout: string;
}

export class ModuleMrope extends points.PointRotary<MadeMrope> implements t.Mrope {
  declare readonly layout: t.Mrope["layout"];

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the published interface tie result and argument
  apply(x: any, options: object): any {
    return Rotation.run(this, mropeApply, options, { x });
  }

  cache(options: t.MropeCache): { cos: t.TensorResult; sin: t.TensorResult } {
    return Rotation.run(this, mropeCache, options);
  }
}

/** Whole numbers, of which the core says whether they are extents. */
const sections: is.Kind<readonly number[], number[]> = {
  ...is.extents,
  read: (argument, value) =>
    Array.from(is.numbers.read(argument, value).values, (section, i) => checkWhole(`${argument}[${i}]`, section)),
};

const mropeFields = {
  ...rotaryFields,
  sections,
  order: is.named,
} satisfies is.FieldsOf<t.MropeOptions>;

export const mrope = define(
  { name: "mrope", options: mropeFields, answers: points.pointAnswers },
  () => {},
  (answers, options, module) => {
    const { dim, layout } = options;
    return new ModuleMrope(module, "mrope", { ...answers, dim, layout, options });
  },
);

const kinds = ["text", "image", "video"] as const;

/** Sequences, and for each of their segments six numbers: kind; length, or t, h and w; seconds a grid; sound. */
interface Sequences {
  readonly given: unknown;
  readonly rows: readonly (readonly number[])[][];
}

function numbersOf(segment: t.MropeSegment, where: string): number[] {
  const names = [...kinds, "secondsPerGrid", "audio"] as const;
  const given = isObject(segment) ? segment : ({} as t.MropeSegment);
  const fields = checkNames<{ [name in (typeof names)[number]]?: unknown }>(given, names, where);
  const [kind, ...others] = kinds.filter((name) => fields[name] !== undefined);
  if (kind === undefined || others.length > 0)
    throw wrongType(where, segment, expected.option, { names: "text, image, video" });
  const seconds = is.optional(is.number).read(`${where}.secondsPerGrid`, fields.secondsPerGrid as number) ?? Number.NaN;
  const audio = is.optional(is.whole).read(`${where}.audio`, fields.audio as number) ?? Number.NaN;
  if (kind === "text") {
    if (fields.audio !== undefined)
      throw wrongType(`${where}.audio`, fields.audio, expected.nothing, {}, ": of videos alone");
    return [0, checkWhole(`${where}.text`, fields.text), 0, 0, seconds, audio];
  }
  const grid = is.numbers.read(`${where}.${kind}`, fields[kind] as number[]);
  if (grid.length !== 3)
    throw wrongType(`${where}.${kind}`, grid.values, expected.shape, { shape: "[t, h, w]" }, ", three numbers");
  const sides = Array.from(grid.values, (side) => checkWhole(`${where}.${kind}`, side));
  return [kinds.indexOf(kind), ...sides, seconds, audio];
}

function rowOf(argument: string, segments: readonly t.MropeSegment[]): number[][] {
  if (!isArray(segments)) throw wrongType(argument, segments, expected.array_of, { items: "segments" });
  return segments.map((segment, i) => numbersOf(segment as t.MropeSegment, `${argument}[${i}]`));
}

/** The core is given how many sequences there are, how many segments each has, and the segments. */
const sequences = {
  is: "array",
  write(block: Block, read: Sequences | undefined, argument: string): void {
    const { rows } = read ?? { rows: [] };
    const packed = [rows.length, ...rows.map((row) => row.length), ...rows.flat(2)];
    is.numbers.write(block, read && listView(packed), argument);
  },
};

export const segments: is.Kind<readonly t.MropeSegment[], Sequences> = {
  ...sequences,
  read: (argument, given) => ({ given, rows: [rowOf(argument, given)] }),
};

const rows: is.Kind<readonly (readonly t.MropeSegment[])[], Sequences> = {
  ...sequences,
  read(argument, given) {
    if (!isArray(given)) throw wrongType(argument, given, expected.array_of, { items: "arrays of segments" });
    return { given, rows: given.map((row, i) => rowOf(`${argument}[${i}]`, row as t.MropeSegment[])) };
  },
};

const sides = { names: '"left", "right"' };

const positionFields = {
  preset: is.named,
  segments: is.optional(segments),
  rows: is.optional(rows),
  time: is.optional(is.word()),
  next: is.optional(is.word()),
  mergeSize: is.optional(is.whole),
  tokensPerSecond: is.optional(is.number),
  secondsPerChunk: is.optional(is.number),
  padding: is.optional(is.word()),
  paddingPosition: is.optional(is.whole),
  deltas: is.optional(is.word()),
} satisfies is.FieldsOf<t.MropePositionOptions>;

/** How many tokens each sequence has: patches are merged; a page's rows end with a token; sound has four marks. */
function lengthsOf({ preset, rows, segments, mergeSize = 2 }: is.ReadOf<typeof positionFields>): number[] {
  const merged = (extent: number) => Math.floor(extent / mergeSize);
  const frames = (kind: number, t: number) => (kind === 2 && preset === "ernie4.5-vl" ? Math.floor(t / 2) : t);
  const tokens = (segment: readonly number[]) => {
    const [kind, t, h, w, , audio] = segment as [number, number, number, number, number, number];
    if (kind === 0) return t;
    const width = merged(w) + (preset === "hunyuan-vl" && w > 0 ? 1 : 0);
    return frames(kind, t) * merged(h) * width + (Number.isNaN(audio) ? 0 : audio + 4);
  };
  const count = (row: readonly (readonly number[])[]) => row.reduce((sum, segment) => sum + tokens(segment), 0);
  return ((rows ?? segments) as Sequences).rows.map(count);
}

export const mropePositions = define(
  // `out` is for the positions.
  { name: "mropePositions", options: positionFields, results: { out: Int32Array, ropeDeltas: Float64Array } },
  (read) => {
    if (read.rows === undefined) read.segments ??= { given: [], rows: [[]] };
    else if (read.segments !== undefined)
      throw wrongType("segments", read.segments.given, expected.nothing, {}, " beside rows");
    const lengths = lengthsOf(read);
    const isRagged = lengths.some((length) => !Object.is(length, lengths[0]));
    if (isRagged && read.padding === undefined) throw wrongType("padding", undefined, expected.one_of, sides);
    const length = Math.max(0, ...lengths);
    const axes = read.preset === "hunyuan-vl" ? 4 : 3;
    const shape = read.rows === undefined ? [axes, length] : [axes, lengths.length, length];
    return {
      out: { shape, what: "axes * rows * length" },
      ropeDeltas: { shape: [lengths.length], what: "rows" },
    };
  },
  ({ out, ropeDeltas }, read): t.MropePositions => ({
    positions: out,
    ropeDeltas: Array.from(ropeDeltas.data),
    lengths: lengthsOf(read),
  }),
);
