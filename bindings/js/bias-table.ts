import type { FullModule } from "posenc-module";
import {
  options as checkOptions,
  shape as checkShape,
  count,
  int32Array,
  product,
  shaped,
  tensor,
  unwrap,
  wrongValue,
} from "./check.js";
import { arrayOf, borrowFor, lendArguments, lendResult } from "./memory.js";
import type { Ids, TableBiasBackwardOptions, TableBiasOptions, Tensor } from "./types/index.js";

function checkIds(ids: Ids): Ids {
  ids = checkOptions(ids, ["data", "shape"], "ids");
  const data = int32Array("ids.data", ids.data);
  const shape = checkShape("ids.shape", ids.shape);
  if (data.length !== product(shape)) {
    throw wrongValue("ids.data", data.length, `${product(shape)} values for shape [${shape.join(", ")}]`);
  }
  return { data, shape };
}

export function tableBias(module: FullModule, options: TableBiasOptions): Tensor {
  options = checkOptions(options, ["ids", "table", "out"], "tableBias");
  const ids = checkIds(options.ids);
  const table = tensor("table", options.table, 2);
  const heads = table.shape[1] as number;
  return borrowFor(module, options.out, (memory) => {
    const given = [memory.copyOf(Int32Array, ids.data, "ids"), memory.floatsFrom(table.data, "table")].flatMap(arrayOf);
    const bias = lendResult(memory, [heads, ...ids.shape], "heads * ids");
    unwrap(module.biasFromTable(lendArguments(memory, [heads, ...given, ...bias.array])));
    return bias.taken();
  });
}

export function tableBiasBackward(module: FullModule, options: TableBiasBackwardOptions): Tensor {
  options = checkOptions(options, ["ids", "gradient", "rows", "out"], "tableBiasBackward");
  const ids = checkIds(options.ids);
  const heads = tensor("gradient", options.gradient).shape[0] as number;
  const gradient = shaped("gradient", options.gradient, [heads, ...ids.shape]);
  const rows = count("rows", options.rows);
  return borrowFor(module, options.out, (memory) => {
    const given = [memory.copyOf(Int32Array, ids.data, "ids"), memory.floatsFrom(gradient, "gradient")].flatMap(
      arrayOf,
    );
    const table = lendResult(memory, [rows, heads], "rows * heads");
    unwrap(module.biasTableBackward(lendArguments(memory, [heads, ...given, ...table.array])));
    return table.taken();
  });
}
