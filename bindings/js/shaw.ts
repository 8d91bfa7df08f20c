import type { FullModule } from "posenc-module";
import { attend, attentionKeys, attentionTensors } from "./attention.js";
import { options as checkOptions, shaped, tensor, text, unwrap, whole, wrongValue } from "./check.js";
import { arrayOf, type Borrower, borrowForAll, type Loan, lendArguments, lendResult, noArray } from "./memory.js";
import { idsKeys, idsOf, lendShape } from "./relative.js";
import type {
  AttentionResult,
  Ids,
  ShawAttentionOptions,
  ShawBackwardOptions,
  ShawGradients,
  ShawIdsOptions,
  Tensor,
} from "./types/index.js";

export function shawIds(module: FullModule, options: ShawIdsOptions): Ids {
  options = checkOptions(options, [...idsKeys, "maxDistance"], "shawIds");
  const maxDistance = whole("maxDistance", options.maxDistance);
  return idsOf(module, options, (shape, out) => module.shawIds(maxDistance, shape.address, out.address, out.length));
}

/** Lends a table of relative vectors; without one, nothing. */
function lendTable(memory: Borrower, name: string, table: Tensor | undefined, width: number): Loan {
  if (table === undefined) return { address: 0, length: 0 };
  const { data, shape } = tensor(name, table, 2);
  if (shape[1] !== width) throw wrongValue(`${name}.shape`, shape, `[2 * maxDistance + 1, ${width}]`);
  return memory.floatsFrom(data, name);
}

const shawKeys = [...attentionKeys, "maxDistance", "keyTable", "valueTable", "queryOffset", "future"] as const;

export function shawAttention(module: FullModule, options: ShawAttentionOptions): AttentionResult {
  options = checkOptions(options, shawKeys, "shawAttention");
  const tensors = attentionTensors(options);
  const maxDistance = whole("maxDistance", options.maxDistance);
  const future = text("future", options.future ?? "keep");
  const { heads, queries, keys, dim, valueDim, scale } = tensors;
  const { queryOffset = 0 } = options;
  return attend(module, tensors, options.out, (memory, q, k, v, weights, output) => {
    const shape = lendShape(memory, heads, { queries, keys, queryOffset });
    const keyTable = lendTable(memory, "keyTable", options.keyTable, dim);
    const valueTable = lendTable(memory, "valueTable", options.valueTable, valueDim);
    return module.shawAttention(
      shape.address,
      dim,
      valueDim,
      scale,
      maxDistance,
      future,
      q.address,
      k.address,
      v.address,
      keyTable.address,
      keyTable.length,
      valueTable.address,
      valueTable.length,
      weights.address,
      output.address,
    );
  });
}

export function shawBackward(module: FullModule, options: ShawBackwardOptions): ShawGradients {
  options = checkOptions(options, [...shawKeys, "weights", "gradient"], "shawBackward");
  const tensors = attentionTensors(options);
  const { query, key, value, lead, heads, queries, keys, dim, valueDim, scale } = tensors;
  const maxDistance = whole("maxDistance", options.maxDistance);
  const { queryOffset = 0 } = options;
  const keyTable = options.keyTable && tensor("keyTable", options.keyTable, 2);
  const valueTable = options.valueTable && tensor("valueTable", options.valueTable, 2);
  const weights = shaped("weights", options.weights, [...lead, queries, keys]);
  const gradient = shaped("gradient", options.gradient, [...lead, queries, valueDim]);
  const tables = [...(keyTable ? ["out.keyTable"] : []), ...(valueTable ? ["out.valueTable"] : [])];
  return borrowForAll(module, options.out, ["out.query", "out.key", "out.value", ...tables], (memory) => {
    const shape = lendShape(memory, heads, { queries, keys, queryOffset });
    const given = [
      memory.floatsFrom(query.data, "query"),
      memory.floatsFrom(key.data, "key"),
      memory.floatsFrom(value.data, "value"),
      lendTable(memory, "keyTable", keyTable, dim),
      lendTable(memory, "valueTable", valueTable, valueDim),
      memory.floatsFrom(weights, "weights"),
      memory.floatsFrom(gradient, "gradient"),
    ].flatMap(arrayOf);
    const dQuery = lendResult(memory, query.shape, "query", "out.query");
    const dKey = lendResult(memory, key.shape, "key", "out.key");
    const dValue = lendResult(memory, value.shape, "value", "out.value");
    const dKeyTable = keyTable && lendResult(memory, keyTable.shape, "keyTable", "out.keyTable");
    const dValueTable = valueTable && lendResult(memory, valueTable.shape, "valueTable", "out.valueTable");
    const dTables = [...(dKeyTable?.array ?? noArray), ...(dValueTable?.array ?? noArray)];
    const wanted = [...dQuery.array, ...dKey.array, ...dValue.array, ...dTables];
    const list = lendArguments(memory, [dim, valueDim, scale, maxDistance, ...given, ...wanted]);
    unwrap(module.shawBackward(shape.address, list));
    return {
      query: dQuery.taken(),
      key: dKey.taken(),
      value: dValue.taken(),
      ...(dKeyTable && { keyTable: dKeyTable.taken() }),
      ...(dValueTable && { valueTable: dValueTable.taken() }),
    };
  });
}
