import { inputsFirst, type Size } from "../base/call.js";
import * as is from "../base/kinds.js";
import type * as t from "../types/index.js";

const inputs = { table: is.tensor(2) };

const resizeFields = {
  prefixTokens: is.optional(is.count),
  interpolation: is.optional(is.word()),
  alignCorners: is.optional(is.flag),
  antialias: is.optional(is.flag),
} satisfies is.FieldsOf<t.ResizeOptions>;

/** `rows` of the new table after its prefix. */
const resizedSize = (table: is.ReadTensor, prefixTokens = 0, rows: number): Size => ({
  shape: [prefixTokens + rows, table.shape[1] as number],
  what: "rows * dim",
});

const tableFields = { ...resizeFields, length: is.count } satisfies is.FieldsOf<t.ResizeTableOptions>;

export const resizeTable = inputsFirst(
  { name: "resizeTable", inputs, options: tableFields, results: Float32Array },
  ({ table, prefixTokens, length }) => resizedSize(table, prefixTokens, length),
);

const grid = is.pair(is.extents, "[height, width]");

const gridFields = { ...resizeFields, from: grid, to: grid } satisfies is.FieldsOf<t.ResizeGridOptions>;

export const resizeGrid = inputsFirst(
  { name: "resizeGrid", inputs, options: gridFields, results: Float32Array },
  ({ table, prefixTokens, to }) => resizedSize(table, prefixTokens, (to[0] as number) * (to[1] as number)),
);
