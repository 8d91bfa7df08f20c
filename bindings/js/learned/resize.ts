import { define, inputsFirst, type Size } from "../base/call.js";
import { wrongValue } from "../base/check.js";
import {
  count,
  extents,
  type FieldsOf,
  flag,
  type Kind,
  optional,
  type ReadTensor,
  tensor,
  word,
} from "../base/kinds.js";
import type { ResizeGridOptions, ResizeOptions, ResizeTableOptions } from "../types/index.js";

const resizeFields = {
  prefixTokens: optional(count),
  interpolation: optional(word()),
  alignCorners: optional(flag),
  antialias: optional(flag),
} satisfies FieldsOf<ResizeOptions>;

/** `rows` of the new table after its prefix. */
const resizedSize = (table: ReadTensor, prefixTokens = 0, rows: number): Size => ({
  shape: [prefixTokens + rows, table.shape[1] as number],
  what: "rows * dim",
});

export const resizeTable = inputsFirst(
  define(
    {
      name: "resizeTable",
      inputs: { table: tensor(2) },
      options: { ...resizeFields, length: count } satisfies FieldsOf<ResizeTableOptions>,
      results: Float32Array,
    },
    ({ table, prefixTokens, length }) => resizedSize(table, prefixTokens, length),
  ),
);

const grid: Kind<readonly [number, number], number[]> = {
  ...extents,
  read(argument, value) {
    const read = extents.read(argument, value);
    if (read.length !== 2) throw wrongValue(argument, read, "[height, width]");
    return read;
  },
};

export const resizeGrid = inputsFirst(
  define(
    {
      name: "resizeGrid",
      inputs: { table: tensor(2) },
      options: { ...resizeFields, from: grid, to: grid } satisfies FieldsOf<ResizeGridOptions>,
      results: Float32Array,
    },
    ({ table, prefixTokens, to }) => resizedSize(table, prefixTokens, (to[0] as number) * (to[1] as number)),
  ),
);
