import { define, inputsFirst, type Size } from "../base/call.js";
import { wrongType, wrongValue } from "../base/check.js";
import { count, type FieldsOf, ids, number, optional, type ReadOf, tensor, whole } from "../base/kinds.js";
import type {
  AddRowsOptions,
  LearnedTableOptions,
  LookupRows,
  PaddedPositionOptions,
  RowGradientOptions,
  RowOptions,
} from "../types/index.js";

export const rowFields = { ids: optional(ids), offset: optional(whole) } satisfies FieldsOf<RowOptions>;

/** The same where the number of consecutive rows is an option. */
export const namedRowFields = { ...rowFields, length: optional(count) } satisfies FieldsOf<LookupRows>;

/** The shape of the rows that are looked up; `all` is how many consecutive ones there are by default, if there are. */
export function rowsShape({ ids, length }: ReadOf<typeof namedRowFields>, all?: number): readonly number[] {
  if (ids && length !== undefined) throw wrongType("length", length, "nothing beside ids");
  if (ids) return ids.shape;
  const rows = length ?? all;
  if (rows === undefined) throw wrongType("length", length, "a whole number, or ids in its place");
  return [rows];
}

/** Of x [..., n, dim] the ids have the axes [..., n], or the last of them. */
export function checkRows(argument: string, shape: readonly number[], { ids }: ReadOf<typeof rowFields>): void {
  if (!ids) return;
  const places = shape.slice(0, -1);
  const first = places.length - ids.shape.length;
  if (first < 0 || places.slice(first).join() !== ids.shape.join()) {
    const expected = `[${places.join(", ")}], that of ${argument}, or the last of these axes`;
    throw wrongValue("ids.shape", ids.shape, expected);
  }
}

export const learnedTable = define(
  {
    name: "learnedTable",
    options: {
      length: count,
      dim: whole,
      seed: whole,
      std: optional(number, "a number from 0 to 1e30"),
      bound: optional(number, "a number from 0 to 1e30"),
      offset: optional(whole),
      paddingIdx: optional(whole),
    } satisfies FieldsOf<LearnedTableOptions>,
    results: Float32Array,
  },
  ({ length, dim, std, bound }) => {
    if (std !== undefined && bound !== undefined) throw wrongType("bound", bound, "nothing beside std");
    return { shape: [length, dim], what: "length * dim" };
  },
);

export const lookupRows = inputsFirst(
  define(
    { name: "lookupRows", inputs: { table: tensor(2) }, options: namedRowFields, results: Float32Array },
    ({ table, ...rows }): Size => ({
      shape: [...rowsShape(rows), table.shape[1] as number],
      what: "rows * dim",
    }),
  ),
);

export const addRows = inputsFirst(
  define(
    {
      name: "addRows",
      inputs: { x: tensor(), table: tensor(2) },
      options: rowFields satisfies FieldsOf<AddRowsOptions>,
      results: Float32Array,
    },
    ({ x, table, ...rows }) => {
      const dim = x.shape.at(-1);
      if (table.shape[1] !== dim) throw wrongValue("table.shape", table.shape, `[rows, ${dim}]`);
      checkRows("x", x.shape, rows);
      return { shape: x.shape, what: "x" };
    },
  ),
);

export const rowsGradient = inputsFirst(
  define(
    {
      name: "rowsGradient",
      inputs: { gradient: tensor() },
      options: { ...rowFields, rows: count, paddingIdx: optional(whole) } satisfies FieldsOf<RowGradientOptions>,
      results: Float32Array,
    },
    ({ gradient, rows, ...read }) => {
      checkRows("gradient", gradient.shape, read);
      return { shape: [rows, gradient.shape.at(-1) as number], what: "rows * dim" };
    },
  ),
);

export const paddedPositions = inputsFirst(
  define(
    {
      name: "paddedPositions",
      inputs: { mask: ids },
      options: { paddingIdx: whole, past: optional(whole) } satisfies FieldsOf<PaddedPositionOptions>,
      results: Int32Array,
    },
    ({ mask }) => ({ shape: mask.shape, what: "mask" }),
  ),
);
