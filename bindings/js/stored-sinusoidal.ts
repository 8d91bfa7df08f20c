import type { FullModule } from "posenc-module";
import { options as checkOptions, wrongValue } from "./check.js";
import { borrowFor } from "./memory.js";
import { lendNamedPositions, positionKeys } from "./positions.js";
import { sinusoidal, sinusoidKeys, withSinusoid } from "./sinusoidal.js";
import { dtypeIfGiven, resultOf } from "./storage.js";
import type { DType, HalfTensor, SinusoidalOptions, Tensor } from "./types/index.js";

const withoutDType = ({ dtype, ...options }: SinusoidalOptions & { dtype?: DType }): SinusoidalOptions => options;

/** The entry posenc/full's `sinusoidal`: with a choice of dtype. */
export function storedSinusoidal(
  module: FullModule,
  options: SinusoidalOptions & { dtype?: DType },
): Tensor | HalfTensor {
  options = checkOptions(options, [...sinusoidKeys, ...positionKeys, "precision", "out", "dtype"], "sinusoidal");
  const dtype = dtypeIfGiven(options.dtype);
  if (dtype === "float32") return sinusoidal(module, withoutDType(options));
  if (options.precision !== undefined && options.precision !== "exact") {
    throw wrongValue("precision", options.precision, '"exact" beside a dtype of 16 bits');
  }
  return withSinusoid(module, options, (handle) =>
    borrowFor(module, options.out, (memory) => {
      const { list, count, offset } = lendNamedPositions(memory, options);
      return resultOf(memory, dtype, [count, options.dim], "length * dim", (out) =>
        module.storedTable(handle, dtype, list, count, offset, out),
      );
    }),
  );
}
