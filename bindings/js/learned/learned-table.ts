// Tables of parameters: how one starts, and its rows, added, as a bias, and with their gradients.

import { define, inputsFirst, type Size } from "../base/call.js";
import { checkExtents, product, wrongType, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import type { View } from "../base/view.js";
import type * as t from "../types/index.js";

export const rowFields = {
  ids: is.optional(is.ids),
  offset: is.optional(is.whole),
} satisfies is.FieldsOf<t.RowOptions>;

/** Reads rows whose number, if they are consecutive, is an option. */
export const namedRowFields = { ...rowFields, length: is.optional(is.count) } satisfies is.FieldsOf<t.LookupRows>;

/** Reads the rows of tokens that have a shape of their own. */
export const tokenRowFields = {
  ...rowFields,
  seqAxis: is.optional(is.whole),
} satisfies is.FieldsOf<t.TokenRowOptions>;

/** The shape of the rows that are looked up; `all` is how many consecutive ones there are by default, if there are. */
export function rowsShape({ ids, length }: is.ReadOf<typeof namedRowFields>, all?: number): readonly number[] {
  if (ids && length !== undefined) throw wrongType("length", length, "nothing beside ids");
  if (ids) return ids.shape;
  const rows = length ?? all;
  if (rows === undefined) throw wrongType("length", length, "a whole number, or ids in its place");
  return [rows];
}

/** Checks that ids are one for each token of x [..., dim], or one for each index of the sequence's axis. */
export function checkRows(
  argument: string,
  shape: readonly number[],
  { ids, seqAxis }: is.ReadOf<typeof tokenRowFields>,
): void {
  if (!ids) return;
  const tokens = shape.slice(0, -1);
  const ofAll = `[${tokens.join(", ")}], an id for each token of ${argument}`;
  if (ids.shape.length > 1) {
    if (seqAxis !== undefined) throw wrongType("seqAxis", seqAxis, "nothing beside ids of every token");
    if (ids.shape.join() !== tokens.join()) throw wrongValue("ids.shape", ids.shape, ofAll);
  } else {
    // The core refuses an axis that is not there, or not named.
    const rows = shape.at(seqAxis ?? 0);
    if ((seqAxis !== undefined || shape.length === 2) && rows !== undefined && ids.length !== rows)
      throw wrongValue("ids.shape", ids.shape, `[${rows}], or ${ofAll}`);
  }
}

const learnedFields = {
  length: is.count,
  dim: is.whole,
  seed: is.whole,
  std: is.optional(is.number, expected.from_to, { least: 0, most: "1e30" }),
  bound: is.optional(is.number, expected.from_to, { least: 0, most: "1e30" }),
  offset: is.optional(is.whole),
  paddingIdx: is.optional(is.whole),
} satisfies is.FieldsOf<t.LearnedTableOptions>;

export const learnedTable = define(
  { name: "learnedTable", options: learnedFields, results: Float32Array },
  ({ length, dim, std, bound }) => {
    if (std !== undefined && bound !== undefined) throw wrongType("bound", bound, "nothing beside std");
    return { shape: [length, dim], what: "length * dim" };
  },
);

export const lookupRows = inputsFirst(
  { name: "lookupRows", inputs: { table: is.tensor(2) }, options: namedRowFields, results: Float32Array },
  ({ table, ...options }): Size => {
    const { ids, offset = 0 } = options;
    const [rows, dim] = table.shape as [number, number];
    const shape = rowsShape(options);
    const rowAt = (i: number) => (ids?.values[i] ?? i) + offset;
    const count = product(shape);
    // Short rows are sooner found by the core, a copy of the table included.
    let isMoved = count > 0 && dim >= 32 && Math.max(dim, Math.abs(offset)) <= 2 ** 24;
    for (let i = 0; isMoved && i < count; ++i) isMoved = rowAt(i) >>> 0 < rows;
    const fill = (out: View) => {
      const to = new Float32Array(out.buffer, out.byteOffset, out.length);
      for (let i = 0; i < count; ++i)
        to.set(new Float32Array(table.buffer, table.byteOffset + rowAt(i) * dim * 4, dim), i * dim);
    };
    return { shape: [...shape, dim], what: "rows * dim", fill: isMoved ? fill : undefined };
  },
);

export const addRows = inputsFirst(
  { name: "addRows", inputs: { x: is.tensor(), table: is.tensor(2) }, options: tokenRowFields, results: Float32Array },
  ({ x: { shape }, table, ...rows }) => {
    const dim = shape.at(-1);
    if (table.shape[1] !== dim) throw wrongValue("table.shape", table.shape, `[rows, ${dim}]`);
    checkRows("x", shape, rows);
    return { shape, what: "x" };
  },
);

const gradientFields = {
  ...tokenRowFields,
  rows: is.count,
  paddingIdx: is.optional(is.whole),
} satisfies is.FieldsOf<t.RowGradientOptions>;

export const rowsGradient = inputsFirst(
  { name: "rowsGradient", inputs: { gradient: is.tensor() }, options: gradientFields, results: Float32Array },
  ({ gradient: { shape }, rows, ...read }) => {
    checkRows("gradient", shape, read);
    return { shape: [rows, shape.at(-1) as number], what: "rows * dim" };
  },
);

const paddedFields = {
  paddingIdx: is.whole,
  past: is.optional(is.whole),
} satisfies is.FieldsOf<t.PaddedPositionOptions>;

export const paddedPositions = inputsFirst(
  { name: "paddedPositions", inputs: { mask: is.ids }, options: paddedFields, results: Int32Array },
  ({ mask: { shape } }) => ({ shape, what: "mask" }),
);

const biasFields = { ids: is.idTensor, table: is.tensor(2) } satisfies is.FieldsOf<t.TableBiasOptions>;

export const tableBias = define(
  { name: "tableBias", options: biasFields, results: Float32Array },
  ({ ids, table }) => ({ shape: [table.shape[1] as number, ...ids.shape], what: "heads * ids" }),
);

const backwardFields = {
  ids: is.idTensor,
  gradient: is.tensor(),
  rows: is.count,
} satisfies is.FieldsOf<t.TableBiasBackwardOptions>;

export const tableBiasBackward = define(
  { name: "tableBiasBackward", options: backwardFields, results: Float32Array },
  ({ ids, gradient, rows }) => {
    const heads = gradient.shape[0] as number;
    checkExtents("gradient", gradient.shape, [heads, ...ids.shape]);
    return { shape: [rows, heads], what: "rows * heads" };
  },
);
