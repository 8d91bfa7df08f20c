import type { FullModule } from "posenc-module";
import {
  options as checkOptions,
  shape as checkShape,
  flagIfGiven,
  nameIfGiven,
  numberIfGiven,
  text,
  unwrap,
  whole,
} from "./check.js";
import { borrow } from "./memory.js";
import { dtypeIfGiven, resultOf } from "./storage.js";
import type { DType, HalfTensor, SinusoidalGridOptions, Tensor } from "./types/index.js";

const keys = [
  "shape",
  "dim",
  "preset",
  "base",
  "order",
  "axes",
  "arrangement",
  "normalised",
  "start",
  "extent",
  "epsilon",
  "prefixTokens",
  "dtype",
] as const;

export function sinusoidalGrid(
  module: FullModule,
  options: SinusoidalGridOptions & { dtype?: DType },
): Tensor | HalfTensor {
  checkOptions(options, keys, "sinusoidalGrid");
  const extents = checkShape("shape", options.shape);
  const dim = whole("dim", options.dim);
  const { prefixTokens = 0 } = options;
  const dtype = dtypeIfGiven(options.dtype);
  return borrow(module, (memory) => {
    const shape = memory.doublesFrom(extents, "shape");
    const handle = unwrap(
      module.axialSinusoidMake(
        dim,
        text("preset", options.preset, "the name of a preset; it has no default"),
        numberIfGiven("base", options.base),
        nameIfGiven("order", options.order),
        nameIfGiven("axes", options.axes),
        nameIfGiven("arrangement", options.arrangement),
        flagIfGiven("normalised", options.normalised),
        numberIfGiven("start", options.start),
        numberIfGiven("extent", options.extent),
        numberIfGiven("epsilon", options.epsilon),
        whole("prefixTokens", prefixTokens),
        shape.address,
        shape.length,
      ),
    );
    try {
      const grid = prefixTokens === 0 ? extents : [module.axialSinusoidSize(handle) / dim];
      return resultOf(memory, dtype, [...grid, dim], "shape * dim", (out) =>
        dtype === "float32" ? module.axialSinusoidTable(handle, out) : module.storedGrid(handle, dtype, out),
      );
    } finally {
      module.axialSinusoidFree(handle);
    }
  });
}
