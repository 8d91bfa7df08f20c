import type { FullModule } from "posenc-module";
import { options as checkOptions, number, text, whole } from "./check.js";
import { biasKeys, biasOf } from "./relative.js";
import type { SandwichOptions, Tensor } from "./types/index.js";

export function sandwich(module: FullModule, options: SandwichOptions): Tensor {
  options = checkOptions(options, [...biasKeys, "heads", "dim", "base", "indices"], "sandwich");
  const { heads, dim = 128, base = 10000, indices = "paper" } = options;
  whole("dim", dim);
  number("base", base);
  text("indices", indices);
  return biasOf(module, heads, options, (_, shape, future, out) =>
    module.sandwichBias(dim, base, indices, shape.address, future, out.address, out.length),
  );
}
