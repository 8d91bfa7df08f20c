import { define } from "../base/call.js";
import { checkExtents } from "../base/check.js";
import { count, type FieldsOf, idTensor, tensor } from "../base/kinds.js";
import type { TableBiasBackwardOptions, TableBiasOptions } from "../types/index.js";

export const tableBias = define(
  {
    name: "tableBias",
    options: { ids: idTensor, table: tensor(2) } satisfies FieldsOf<TableBiasOptions>,
    results: Float32Array,
  },
  ({ ids, table }) => ({ shape: [table.shape[1] as number, ...ids.shape], what: "heads * ids" }),
);

export const tableBiasBackward = define(
  {
    name: "tableBiasBackward",
    options: { ids: idTensor, gradient: tensor(), rows: count } satisfies FieldsOf<TableBiasBackwardOptions>,
    results: Float32Array,
  },
  ({ ids, gradient, rows }) => {
    const heads = gradient.shape[0] as number;
    checkExtents("gradient", gradient.shape, [heads, ...ids.shape]);
    return { shape: [rows, heads], what: "rows * heads" };
  },
);
