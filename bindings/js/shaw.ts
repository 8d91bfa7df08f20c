import type { FullModule } from "posenc-module";
import { attend, attentionKeys, attentionTensors } from "./attention.js";
import { options as checkOptions, tensor, text, whole, wrongValue } from "./check.js";
import type { Borrower, Loan } from "./memory.js";
import { idsKeys, idsOf, lendShape } from "./relative.js";
import type { AttentionResult, Ids, ShawAttentionOptions, ShawIdsOptions, Tensor } from "./types/index.js";

export function shawIds(module: FullModule, options: ShawIdsOptions): Ids {
  checkOptions(options, [...idsKeys, "maxDistance"], "shawIds");
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

export function shawAttention(module: FullModule, options: ShawAttentionOptions): AttentionResult {
  checkOptions(
    options,
    [...attentionKeys, "maxDistance", "keyTable", "valueTable", "queryOffset", "future"],
    "shawAttention",
  );
  const tensors = attentionTensors(options);
  const maxDistance = whole("maxDistance", options.maxDistance);
  const future = text("future", options.future ?? "keep");
  const { heads, queries, keys, dim, valueDim, scale } = tensors;
  const { queryOffset = 0 } = options;
  return attend(module, tensors, (memory, q, k, v, weights, output) => {
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
