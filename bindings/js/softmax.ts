import type { FullModule } from "posenc-module";
import { options as checkOptions, shaped, tensor, unwrap } from "./check.js";
import { borrowFor, lendChanged } from "./memory.js";
import type { OutOption, SoftmaxBackwardOptions, Tensor } from "./types/index.js";

export function softmax(module: FullModule, x: Tensor, options: OutOption = {}): Tensor {
  options = checkOptions(options, ["out"], "softmax");
  const { data, shape } = tensor("x", x);
  return borrowFor(module, options.out, (memory) => {
    const rows = lendChanged(memory, data, shape, "x");
    unwrap(module.softmax(shape.at(-1) as number, rows.address, rows.length));
    return rows.taken();
  });
}

export function softmaxBackward(module: FullModule, options: SoftmaxBackwardOptions): Tensor {
  options = checkOptions(options, ["weights", "gradient", "out"], "softmaxBackward");
  const { data, shape } = tensor("weights", options.weights);
  const given = shaped("gradient", options.gradient, shape);
  return borrowFor(module, options.out, (memory) => {
    const weights = memory.floatsFrom(data, "weights");
    const gradient = lendChanged(memory, given, shape, "gradient");
    unwrap(module.softmaxBackward(shape.at(-1) as number, weights.address, gradient.address, gradient.length));
    return gradient.taken();
  });
}
