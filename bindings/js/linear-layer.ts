import type { FullModule } from "posenc-module";
import { options as checkOptions, count, product, shaped, tensor, unwrap, wrongValue } from "./check.js";
import { arrayOf, borrowFor, borrowForAll, lendArguments, lendResult, noArray } from "./memory.js";
import type {
  HeadsOptions,
  LinearBackwardOptions,
  LinearGradients,
  LinearOptions,
  OutOption,
  Tensor,
} from "./types/index.js";

/** x [..., in] and weight [out, in] that fit together. */
function layerInputs(x: Tensor, weight: Tensor) {
  const input = tensor("x", x);
  const matrix = tensor("weight", weight, 2);
  const [outputs, inputs] = matrix.shape as [number, number];
  if (input.shape.at(-1) !== inputs) {
    throw wrongValue("weight.shape", matrix.shape, `[out, ${input.shape.at(-1)}]`);
  }
  const shape = [...input.shape.slice(0, -1), outputs];
  return { input, matrix, shape, outputs, extents: [product(input.shape.slice(0, -1)), inputs, outputs] };
}

export function linearLayer(module: FullModule, x: Tensor, weight: Tensor, last?: Tensor | LinearOptions): Tensor {
  const { bias, out }: LinearOptions =
    last && "data" in last ? { bias: last } : checkOptions<LinearOptions>(last ?? {}, ["bias", "out"], "linear");
  const { input, matrix, shape, outputs, extents } = layerInputs(x, weight);
  const added = bias === undefined ? undefined : shaped("bias", bias, [outputs]);
  return borrowFor(module, out, (memory) => {
    const given = [memory.floatsFrom(input.data, "x"), memory.floatsFrom(matrix.data, "weight")].flatMap(arrayOf);
    const lent = added ? arrayOf(memory.floatsFrom(added, "bias")) : noArray;
    const y = lendResult(memory, shape, "x");
    unwrap(module.linearLayer(lendArguments(memory, [...extents, ...given, ...lent, ...y.array])));
    return y.taken();
  });
}

export function linearBackward(module: FullModule, options: LinearBackwardOptions): LinearGradients {
  options = checkOptions(options, ["x", "weight", "gradient", "out"], "linearBackward");
  const { input, matrix, shape, outputs, extents } = layerInputs(options.x, options.weight);
  const gradient = shaped("gradient", options.gradient, shape);
  return borrowForAll(module, options.out, ["out.x", "out.weight", "out.bias"], (memory) => {
    const given = [
      memory.floatsFrom(input.data, "x"),
      memory.floatsFrom(matrix.data, "weight"),
      memory.floatsFrom(gradient, "gradient"),
    ].flatMap(arrayOf);
    const x = lendResult(memory, input.shape, "x", "out.x");
    const weight = lendResult(memory, matrix.shape, "weight", "out.weight");
    const bias = lendResult(memory, [outputs], "bias", "out.bias");
    const list = [...extents, ...given, ...x.array, ...weight.array, ...bias.array];
    unwrap(module.linearBackward(lendArguments(memory, list)));
    return { x: x.taken(), weight: weight.taken(), bias: bias.taken() };
  });
}

function moveHeads(
  module: FullModule,
  data: Float32Array,
  extents: number[],
  shape: number[],
  merge: boolean,
  { out }: OutOption,
): Tensor {
  return borrowFor(module, out, (memory) => {
    const from = memory.floatsFrom(data, "x");
    const to = lendResult(memory, shape, "x");
    unwrap(module.splitHeads(lendArguments(memory, [...extents, ...arrayOf(from), ...to.array]), merge));
    return to.taken();
  });
}

export function splitHeads(module: FullModule, x: Tensor, options: HeadsOptions): Tensor {
  options = checkOptions(options, ["heads", "out"], "splitHeads");
  const { data, shape } = tensor("x", x);
  if (shape.length < 2) throw wrongValue("x.shape", shape, "[..., rows, heads * dim]");
  const heads = count("heads", options.heads);
  const [rows, width] = shape.slice(-2) as [number, number];
  if (heads === 0 || width % heads !== 0) throw wrongValue("heads", heads, `a divisor of ${width}, the width of x`);
  const batch = shape.slice(0, -2);
  const dim = width / heads;
  return moveHeads(module, data, [product(batch), heads, rows, dim], [...batch, heads, rows, dim], false, options);
}

export function mergeHeads(module: FullModule, x: Tensor, options: OutOption = {}): Tensor {
  options = checkOptions(options, ["out"], "mergeHeads");
  const { data, shape } = tensor("x", x);
  if (shape.length < 3) throw wrongValue("x.shape", shape, "[..., heads, rows, dim]");
  const [heads, rows, dim] = shape.slice(-3) as [number, number, number];
  const batch = shape.slice(0, -3);
  return moveHeads(module, data, [product(batch), heads, rows, dim], [...batch, rows, heads * dim], true, options);
}
