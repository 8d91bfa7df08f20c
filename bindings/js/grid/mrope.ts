// Rotations by three positions a token, and these positions.

import type { Block } from "../base/block.js";
import { define } from "../base/call.js";
import { whole as checkWhole, options, wrongType } from "../base/check.js";
import {
  changed,
  extents,
  type FieldsOf,
  type Kind,
  number,
  numbers,
  optional,
  type ReadOf,
  whole,
  word,
} from "../base/kinds.js";
import { listView, typed, type View } from "../base/view.js";
import { rotaryFields, rotated } from "../rotary/rotary.js";
import type {
  Mrope,
  MropeApply,
  MropeCache,
  MropeIds,
  MropeOptions,
  MropePositionOptions,
  MropePositions,
  MropeSegment,
  Tensor,
} from "../types/index.js";
import {
  cosAndSin,
  PointRotary,
  pointAnswers,
  pointApplyFields,
  pointCacheSizes,
  pointInputs,
} from "./point-rotary.js";

/** Time's numbers, height's and width's: a list, or int32 values with a shape. */
const ids: Kind<MropeIds, View<ArrayLike<number>>> = {
  ...numbers,
  read: (argument, value) =>
    typeof value === "object" && value !== null && "data" in value
      ? typed(`${argument}.data`, value.data, Int32Array)
      : numbers.read(argument, value),
};

export const mropeApply = define(
  {
    name: "mropeApply",
    where: "apply",
    inputs: { ...pointInputs, x: changed },
    options: { ...pointApplyFields, positions: ids } satisfies FieldsOf<MropeApply>,
  },
  () => {},
  rotated,
);

export const mropeCache = define(
  {
    name: "mropeCache",
    where: "cache",
    inputs: pointInputs,
    options: { positions: ids, row: optional(word()) } satisfies FieldsOf<MropeCache>,
    results: cosAndSin,
  },
  ({ rotary, positions, row }) => pointCacheSizes(rotary, Math.floor(positions.length / rotary.made.axes), row),
);

class ModuleMrope extends PointRotary implements Mrope {
  apply(x: Float32Array, options: MropeApply): Float32Array {
    return mropeApply(this.owned.module, options, { rotary: this.owned, x });
  }

  cache(options: MropeCache): { cos: Tensor; sin: Tensor } {
    return mropeCache(this.owned.module, options, { rotary: this.owned });
  }
}

/** Whole numbers, of which the core says whether they are extents. */
const sections: Kind<readonly number[], number[]> = {
  ...extents,
  read: (argument, value) =>
    Array.from(numbers.read(argument, value).values, (section, i) => checkWhole(`${argument}[${i}]`, section)),
};

export const mrope = define(
  {
    name: "mrope",
    options: {
      ...rotaryFields,
      sections,
      order: word("the name of an order; it has no default"),
    } satisfies FieldsOf<MropeOptions>,
    answers: pointAnswers,
  },
  () => {},
  (answers, { dim }, module) => new ModuleMrope(module, "mrope", { ...answers, dim }),
);

const kinds = ["text", "image", "video"] as const;

/** Sequences, and for each of their segments five numbers: kind; length, or t, h and w; seconds a grid. */
interface Sequences {
  readonly given: unknown;
  readonly rows: readonly (readonly number[])[][];
}

function numbersOf(segment: MropeSegment, where: string): number[] {
  const fields = options<{ [name in (typeof kinds)[number] | "secondsPerGrid"]?: unknown }>(
    { ...segment },
    [...kinds, "secondsPerGrid"],
    where,
  );
  const [kind, ...others] = kinds.filter((name) => fields[name] !== undefined);
  if (kind === undefined || others.length > 0) throw wrongType(where, segment, "one of text, image, video");
  const seconds = optional(number).read(`${where}.secondsPerGrid`, fields.secondsPerGrid as number) ?? Number.NaN;
  if (kind === "text") return [0, checkWhole(`${where}.text`, fields.text), 0, 0, seconds];
  const grid = numbers.read(`${where}.${kind}`, fields[kind] as number[]);
  if (grid.length !== 3) throw wrongType(`${where}.${kind}`, grid.values, "three numbers, [t, h, w]");
  const sides = Array.from(grid.values, (side) => checkWhole(`${where}.${kind}`, side));
  return [kinds.indexOf(kind), ...sides, seconds];
}

function rowOf(argument: string, segments: readonly MropeSegment[]): number[][] {
  if (!Array.isArray(segments)) throw wrongType(argument, segments, "an array of segments");
  return Array.from(segments, (segment, i) => numbersOf(segment, `${argument}[${i}]`));
}

/** The core is given how many sequences there are, how many segments each has, and the segments. */
const sequences = {
  is: "array",
  write(block: Block, read: Sequences | undefined, argument: string): void {
    const { rows } = read ?? { rows: [] };
    const packed = [rows.length, ...rows.map((row) => row.length), ...rows.flat(2)];
    numbers.write(block, read && listView(packed), argument);
  },
};

const segments: Kind<readonly MropeSegment[], Sequences> = {
  ...sequences,
  read: (argument, given) => ({ given, rows: [rowOf(argument, given)] }),
};

const rows: Kind<readonly (readonly MropeSegment[])[], Sequences> = {
  ...sequences,
  read(argument, given) {
    if (!Array.isArray(given)) throw wrongType(argument, given, "an array of arrays of segments");
    return { given, rows: Array.from(given, (row, i) => rowOf(`${argument}[${i}]`, row)) };
  },
};

const sideExpected = 'the side, "left" or "right"';

const mropeFields = {
  preset: word("the name of a preset; it has no default"),
  segments: optional(segments),
  rows: optional(rows),
  time: optional(word()),
  next: optional(word()),
  mergeSize: optional(whole),
  tokensPerSecond: optional(number),
  padding: optional(word(sideExpected)),
  paddingPosition: optional(whole),
} satisfies FieldsOf<MropePositionOptions>;

/** How many tokens each sequence has: patches of an image or a video are merged. */
function lengthsOf({ rows, segments, mergeSize = 2 }: ReadOf<typeof mropeFields>): number[] {
  const merged = (extent: number) => Math.floor(extent / mergeSize);
  const tokens = ([kind, t, h, w]: readonly number[]) =>
    kind === 0 ? (t as number) : (t as number) * merged(h as number) * merged(w as number);
  const count = (row: readonly (readonly number[])[]) => row.reduce((sum, segment) => sum + tokens(segment), 0);
  return ((rows ?? segments) as Sequences).rows.map(count);
}

export const mropePositions = define(
  // `out` is for the positions.
  { name: "mropePositions", options: mropeFields, results: { out: Int32Array, ropeDeltas: Float64Array } },
  (read) => {
    if (read.rows === undefined) read.segments ??= { given: [], rows: [[]] };
    else if (read.segments !== undefined) throw wrongType("segments", read.segments.given, "nothing beside rows");
    const lengths = lengthsOf(read);
    const isRagged = lengths.some((length) => !Object.is(length, lengths[0]));
    if (isRagged && read.padding === undefined) throw wrongType("padding", undefined, sideExpected);
    const length = Math.max(0, ...lengths);
    const shape = read.rows === undefined ? [3, length] : [3, lengths.length, length];
    return {
      out: { shape, what: "3 * rows * length" },
      ropeDeltas: { shape: [lengths.length], what: "rows" },
    };
  },
  ({ out, ropeDeltas }, read): MropePositions => ({
    positions: out,
    ropeDeltas: Array.from(ropeDeltas.data),
    lengths: lengthsOf(read),
  }),
);
