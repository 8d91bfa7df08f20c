import type { FullModule } from "posenc-module";
import { options as checkOptions, flag, tensor, unwrap, whole } from "./check.js";
import { borrowFor, lendResult, lendResultOf } from "./memory.js";
import { lendPerceptron, perceptronOutputs } from "./relative.js";
import type {
  Ids,
  SwinBiasOptions,
  SwinIndexOptions,
  SwinLogCoordinatesOptions,
  SwinLogCpbOptions,
  SwinWindow,
  Tensor,
} from "./types/index.js";

const windowKeys = ["height", "width", "classToken"] as const;
const logKeys = ["height", "width", "pretrainedHeight", "pretrainedWidth", "out"] as const;

const windowArguments = ({ height, width, classToken = false }: SwinWindow) =>
  [whole("height", height), whole("width", width), flag("classToken", classToken)] as const;

/** The pretrained extents that were not given are 0 in the module. */
const logArguments = ({ height, width, pretrainedHeight = 0, pretrainedWidth = 0 }: SwinLogCoordinatesOptions) =>
  [
    whole("height", height),
    whole("width", width),
    whole("pretrainedHeight", pretrainedHeight),
    whole("pretrainedWidth", pretrainedWidth),
  ] as const;

export function swinIndex(module: FullModule, options: SwinIndexOptions): Ids {
  options = checkOptions(options, [...windowKeys, "out"], "swinIndex");
  const window = windowArguments(options);
  const tokens = unwrap(module.swinTokens(...window));
  return borrowFor(module, options.out, (memory) => {
    const out = lendResultOf(Int32Array, memory, [tokens, tokens], "tokens * tokens");
    unwrap(module.swinIndex(...window, out.address, out.length));
    return out.taken();
  });
}

export function swinBias(module: FullModule, options: SwinBiasOptions): Tensor {
  options = checkOptions(options, [...windowKeys, "table", "out"], "swinBias");
  const window = windowArguments(options);
  const table = tensor("table", options.table, 2);
  const heads = table.shape[1] as number;
  const tokens = unwrap(module.swinTokens(...window));
  return borrowFor(module, options.out, (memory) => {
    const values = memory.floatsFrom(table.data, "table");
    const out = lendResult(memory, [heads, tokens, tokens], "heads * tokens * tokens");
    unwrap(module.swinBias(...window, heads, values.address, values.length, out.address, out.length));
    return out.taken();
  });
}

export function swinLogCoordinates(module: FullModule, options: SwinLogCoordinatesOptions): Tensor {
  options = checkOptions(options, logKeys, "swinLogCoordinates");
  const window = logArguments(options);
  const rows = unwrap(module.swinTableRows(options.height, options.width, false));
  return borrowFor(module, options.out, (memory) => {
    const out = lendResult(memory, [rows, 2], "rows * 2");
    unwrap(module.swinLogCoordinates(...window, out.address, out.length));
    return out.taken();
  });
}

export function swinLogCpb(module: FullModule, options: SwinLogCpbOptions): Tensor {
  options = checkOptions(options, [...logKeys, "perceptron"], "swinLogCpb");
  const window = logArguments(options);
  const heads = perceptronOutputs(options.perceptron);
  const rows = unwrap(module.swinTableRows(options.height, options.width, false));
  return borrowFor(module, options.out, (memory) => {
    const out = lendResult(memory, [rows, heads], "rows * heads");
    const perceptron = lendPerceptron(memory, options.perceptron, 2, heads);
    unwrap(module.swinLogCpb(...window, ...perceptron, heads, out.address, out.length));
    return out.taken();
  });
}
