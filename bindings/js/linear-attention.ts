import type { FullModule } from "posenc-module";
import { attentionTensors } from "./attention.js";
import { options as checkOptions, flag, unwrap, whole } from "./check.js";
import { borrowFor, lendResult } from "./memory.js";
import { lendPacked, lendPositions } from "./positions.js";
import { ModuleRotary } from "./rotary.js";
import type { LinearAttentionOptions, Tensor } from "./types/index.js";

export function linearAttention(module: FullModule, options: LinearAttentionOptions): Tensor {
  options = checkOptions(
    options,
    ["rotary", "query", "key", "value", "causal", "queryOffset", "queryPositions", "keyPositions", "out"],
    "linearAttention",
  );
  const { queryPositions, keyPositions } = options;
  const causal = flag("causal", options.causal ?? false);
  const queryOffset = whole("queryOffset", options.queryOffset ?? 0);
  const { query, key, value, lead, heads, queries, keys, dim, valueDim } = attentionTensors(options);
  return borrowFor(module, options.out, (memory) => {
    const queryFrom = queryPositions === undefined ? queryOffset : undefined;
    const queriesAt = lendPacked(memory, lendPositions(memory, queryFrom, queryPositions, queries));
    const keysAt = lendPacked(memory, lendPositions(memory, undefined, keyPositions, keys));
    const q = memory.floatsFrom(query.data, "query");
    const k = memory.floatsFrom(key.data, "key");
    const v = memory.floatsFrom(value.data, "value");
    const output = lendResult(memory, [...lead, queries, valueDim], "heads * queries * dv");
    unwrap(
      module.linearAttention(
        ModuleRotary.addressOf(module, "rotary", options.rotary),
        heads,
        queries,
        keys,
        dim,
        valueDim,
        causal,
        queryOffset,
        queriesAt.address,
        keysAt.address,
        q.address,
        k.address,
        v.address,
        output.address,
      ),
    );
    return output.taken();
  });
}
