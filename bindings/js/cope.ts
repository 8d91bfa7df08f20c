import type { FullModule } from "posenc-module";
import { headed } from "./attention.js";
import { options as checkOptions, tensor, text, unwrap, wrongValue } from "./check.js";
import { borrowForAll, lendResult } from "./memory.js";
import { lendShape } from "./relative.js";
import type { CopeOptions, Tensor } from "./types/index.js";

export function cope(module: FullModule, options: CopeOptions): { bias: Tensor; counts: Tensor } {
  options = checkOptions(options, ["query", "logits", "embedding", "queryOffset", "future", "out"], "cope");
  const query = headed("query", options.query);
  const logits = headed("logits", options.logits);
  const embedding = tensor("embedding", options.embedding, 2);
  const { heads, rows: queries, columns: dim } = query;
  if (logits.heads !== heads || logits.rows !== queries || logits.lead.length !== query.lead.length) {
    throw wrongValue("logits.shape", logits.shape, `[${[...query.lead, queries].join(", ")}, keys]`);
  }
  if (embedding.shape[1] !== dim) throw wrongValue("embedding.shape", embedding.shape, `[positions, ${dim}]`);
  const future = text("future", options.future ?? "mask");
  const { queryOffset = 0 } = options;
  return borrowForAll(module, options.out, ["out.bias", "out.counts"], (memory) => {
    const shape = lendShape(memory, heads, { queries, keys: logits.columns, queryOffset });
    const q = memory.floatsFrom(query.data, "query");
    const scores = memory.floatsFrom(logits.data, "logits");
    const rows = memory.floatsFrom(embedding.data, "embedding");
    const bias = lendResult(memory, logits.shape, "logits", "out.bias");
    const counts = lendResult(memory, logits.shape, "logits", "out.counts");
    unwrap(
      module.copeBias(
        shape.address,
        dim,
        future,
        q.address,
        scores.address,
        rows.address,
        rows.length,
        bias.address,
        counts.address,
      ),
    );
    return { bias: bias.taken(), counts: counts.taken() };
  });
}
