import type { FullModule } from "posenc-module";
import { options as checkOptions, shaped, tensor, unwrap } from "./check.js";
import { borrow } from "./memory.js";
import type { SoftmaxBackwardOptions, Tensor } from "./types/index.js";

export function softmax(module: FullModule, x: Tensor): Tensor {
  const { data, shape } = tensor("x", x);
  return borrow(module, (memory) => {
    const rows = memory.floatsFrom(data, "x");
    unwrap(module.softmax(shape.at(-1) as number, rows.address, rows.length));
    return { data: memory.viewFloats(rows).slice(), shape };
  });
}

export function softmaxBackward(module: FullModule, options: SoftmaxBackwardOptions): Tensor {
  checkOptions(options, ["weights", "gradient"], "softmaxBackward");
  const { data, shape } = tensor("weights", options.weights);
  const given = shaped("gradient", options.gradient, shape);
  return borrow(module, (memory) => {
    const weights = memory.floatsFrom(data, "weights");
    const gradient = memory.floatsFrom(given, "gradient");
    unwrap(module.softmaxBackward(shape.at(-1) as number, weights.address, gradient.address, gradient.length));
    return { data: memory.viewFloats(gradient).slice(), shape };
  });
}
