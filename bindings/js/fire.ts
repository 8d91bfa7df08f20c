import type { FullModule } from "posenc-module";
import { options as checkOptions, number } from "./check.js";
import { biasKeys, biasOf, lendPerceptron, perceptronOutputs } from "./relative.js";
import type { FireOptions, Tensor } from "./types/index.js";

export function fire(module: FullModule, options: FireOptions): Tensor {
  options = checkOptions(options, [...biasKeys, "perceptron", "c", "threshold", "epsilon"], "fire");
  const { perceptron, c = 0.1, threshold = 512, epsilon = 1e-6 } = options;
  number("c", c);
  number("threshold", threshold);
  number("epsilon", epsilon);
  const heads = perceptronOutputs(perceptron);
  return biasOf(
    module,
    heads,
    options,
    (memory, shape, future, out, compact) =>
      module.fireBias(
        c,
        threshold,
        epsilon,
        ...lendPerceptron(memory, perceptron, 1, heads),
        shape.address,
        future,
        compact,
        out.address,
        out.length,
      ),
    true,
  );
}
