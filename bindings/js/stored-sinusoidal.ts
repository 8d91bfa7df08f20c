import type { FullModule } from "posenc-module";
import { options as checkOptions } from "./check.js";
import { borrow } from "./memory.js";
import { lendNamedPositions, positionKeys } from "./positions.js";
import { sinusoidKeys, withSinusoid } from "./sinusoidal.js";
import { dtypeIfGiven, resultOf } from "./storage.js";
import type { DType, HalfTensor, SinusoidalOptions, Tensor } from "./types/index.js";

/** The entry posenc/full's `sinusoidal`: with a choice of dtype. */
export function storedSinusoidal(
  module: FullModule,
  options: SinusoidalOptions & { dtype?: DType },
): Tensor | HalfTensor {
  checkOptions(options, [...sinusoidKeys, ...positionKeys, "dtype"], "sinusoidal");
  const dtype = dtypeIfGiven(options.dtype);
  return withSinusoid(module, options, (handle) =>
    borrow(module, (memory) => {
      const { list, count, offset } = lendNamedPositions(memory, options);
      return resultOf(memory, dtype, [count, options.dim], "length * dim", (out) =>
        dtype === "float32"
          ? module.sinusoidTable(handle, list, count, offset, out)
          : module.storedTable(handle, dtype, list, count, offset, out),
      );
    }),
  );
}
