import type { FullModule } from "posenc-module";
import { attend, attentionKeys, attentionTensors, headed } from "./attention.js";
import { options as checkOptions, shaped, text, unwrap } from "./check.js";
import { borrowFor, lendResult } from "./memory.js";
import { distances, lendShape } from "./relative.js";
import type { AttentionResult, OutOption, Tensor, TransformerXlOptions } from "./types/index.js";

export function transformerXl(module: FullModule, options: TransformerXlOptions): AttentionResult {
  options = checkOptions(
    options,
    [...attentionKeys, "relative", "contentBias", "positionBias", "queryOffset", "future"],
    "transformerXl",
  );
  const tensors = attentionTensors(options);
  const { lead, heads, queries, keys, dim, valueDim, scale } = tensors;
  const relative = shaped("relative", options.relative, [...lead, distances(queries, keys), dim]);
  const contentBias = shaped("contentBias", options.contentBias, [...lead, dim]);
  const positionBias = shaped("positionBias", options.positionBias, [...lead, dim]);
  const future = text("future", options.future ?? "keep");
  const { queryOffset = 0 } = options;
  return attend(module, tensors, options.out, (memory, q, k, v, weights, output) => {
    const shape = lendShape(memory, heads, { queries, keys, queryOffset });
    const r = memory.floatsFrom(relative, "relative");
    return module.transformerXlAttention(
      shape.address,
      dim,
      valueDim,
      scale,
      future,
      q.address,
      k.address,
      v.address,
      r.address,
      r.length,
      memory.floatsFrom(contentBias, "contentBias").address,
      memory.floatsFrom(positionBias, "positionBias").address,
      weights.address,
      output.address,
    );
  });
}

export function relativeShift(module: FullModule, x: Tensor, options: OutOption = {}): Tensor {
  options = checkOptions(options, ["out"], "relativeShift");
  const { data, shape, heads, rows, columns } = headed("x", x);
  return borrowFor(module, options.out, (memory) => {
    const from = memory.floatsFrom(data, "x");
    const to = lendResult(memory, shape, "x");
    unwrap(module.relativeShift(heads, rows, columns, from.address, to.address));
    return to.taken();
  });
}
