import type { FullModule } from "posenc-module";
import { attentionOuts } from "./attention.js";
import { biasTensor, lendTerms, termKeys } from "./attention-options.js";
import { options as checkOptions, shaped, tensor, unwrap, wrongValue } from "./check.js";
import { arrayOf, type Borrower, borrowForAll, lendArguments, lendResult, noArray } from "./memory.js";
import type {
  AttentionBackwardOptions,
  AttentionGradients,
  AttentionResult,
  MaskedAttentionInputs,
  MaskedAttentionOptions,
  Tensor,
} from "./types/index.js";

const inputKeys = ["query", "key", "value"] as const;

/** [rows, columns], [heads, rows, columns] or [batch, heads, rows, columns]. */
function stacked(argument: string, value: Tensor, rank?: number) {
  const { data, shape } = tensor(argument, value);
  if (rank === undefined ? shape.length < 2 || shape.length > 4 : shape.length !== rank) {
    throw wrongValue(`${argument}.shape`, shape, rank === undefined ? "two to four axes" : `${rank} axes, as query`);
  }
  const [batch, heads, rows, columns] = [1, 1, ...shape].slice(-4) as [number, number, number, number];
  return { data, shape, batch, heads, rows, columns };
}

/** Refuses another shape; names stand for extents that are free. */
function matched(argument: string, shape: readonly number[], wanted: readonly (number | string)[]): void {
  if (wanted.some((extent, axis) => typeof extent === "number" && extent !== shape[axis])) {
    throw wrongValue(`${argument}.shape`, shape, `[${wanted.join(", ")}]`);
  }
}

/** Queries, keys and values whose axes agree; whether heads can share keys is for the core to say. */
function attentionInputs(options: MaskedAttentionInputs) {
  const query = stacked("query", options.query);
  const rank = query.shape.length;
  const key = stacked("key", options.key, rank);
  const value = stacked("value", options.value, rank);
  const { batch, heads, rows: queries, columns: dim } = query;
  matched("key", key.shape, [batch, "kvHeads", "keys", dim].slice(-rank));
  matched("value", value.shape, [batch, key.heads, key.rows, "dv"].slice(-rank));
  const extents = { batch, heads, kvHeads: key.heads, queries, keys: key.rows, dim, valueDim: value.columns };
  return { query, key, value, extents, lead: query.shape.slice(0, -2) };
}

type Inputs = ReturnType<typeof attentionInputs>;

const lendInputs = (memory: Borrower, inputs: Inputs) =>
  inputKeys.flatMap((name) => arrayOf(memory.floatsFrom(inputs[name].data, name)));

export function attention(module: FullModule, options: MaskedAttentionOptions): AttentionResult {
  options = checkOptions(options, [...inputKeys, ...termKeys, "out"], "attention");
  const inputs = attentionInputs(options);
  const { extents, lead } = inputs;
  const { queries, keys, valueDim } = extents;
  return borrowForAll(module, options.out, attentionOuts, (memory) => {
    const { numbers, maskMeaning } = lendTerms(memory, options, extents);
    const given = lendInputs(memory, inputs);
    const weights = lendResult(memory, [...lead, queries, keys], "batch * heads * queries * keys", "out.weights");
    const output = lendResult(memory, [...lead, queries, valueDim], "batch * heads * queries * dv", "out.output");
    const list = [...Object.values(extents), ...numbers, ...given, ...weights.array, ...output.array];
    unwrap(module.scaledDotProduct(lendArguments(memory, list), maskMeaning));
    return { output: output.taken(), weights: weights.taken() };
  });
}

export function attentionBackward(module: FullModule, options: AttentionBackwardOptions): AttentionGradients {
  options = checkOptions(options, [...inputKeys, ...termKeys, "weights", "gradient", "out"], "attentionBackward");
  const inputs = attentionInputs(options);
  const { extents, lead } = inputs;
  const weights = shaped("weights", options.weights, [...lead, extents.queries, extents.keys]);
  const gradient = shaped("gradient", options.gradient, [...lead, extents.queries, extents.valueDim]);
  const bias = biasTensor(options);
  const outs = ["out.query", "out.key", "out.value", ...(bias ? ["out.bias"] : [])];
  return borrowForAll(module, options.out, outs, (memory) => {
    const { numbers } = lendTerms(memory, options, extents);
    const given = lendInputs(memory, inputs);
    const saved = [memory.floatsFrom(weights, "weights"), memory.floatsFrom(gradient, "gradient")].flatMap(arrayOf);
    const query = lendResult(memory, inputs.query.shape, "query", "out.query");
    const key = lendResult(memory, inputs.key.shape, "key", "out.key");
    const value = lendResult(memory, inputs.value.shape, "value", "out.value");
    const added = bias && lendResult(memory, bias.shape, "bias", "out.bias");
    const wanted = [...query.array, ...key.array, ...value.array, ...(added?.array ?? noArray)];
    const list = [...Object.values(extents), ...numbers, ...given, ...saved, ...wanted];
    unwrap(module.scaledDotProductBackward(lendArguments(memory, list)));
    return {
      query: query.taken(),
      key: key.taken(),
      value: value.taken(),
      ...(added && { bias: added.taken() }),
    };
  });
}
