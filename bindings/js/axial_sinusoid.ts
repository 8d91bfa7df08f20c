import type { FullModule } from "posenc-module";
import { booleans } from "./booleans.js";
import {
  options as checkOptions,
  shape as checkShape,
  flagIfGiven,
  nameIfGiven,
  numberIfGiven,
  text,
  unwrap,
  whole,
  wrongValue,
} from "./check.js";
import { borrowFor } from "./memory.js";
import { dtypeIfGiven, resultOf } from "./storage.js";
import type { DType, HalfTensor, OutOption, SinusoidalGridOptions, Tensor } from "./types/index.js";

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
  "mask",
  "dtype",
  "out",
] as const;

export function sinusoidalGrid(
  module: FullModule,
  options: SinusoidalGridOptions & OutOption<unknown> & { dtype?: DType },
): Tensor | HalfTensor {
  options = checkOptions(options, keys, "sinusoidalGrid");
  const extents = checkShape("shape", options.shape);
  const dim = whole("dim", options.dim);
  const { prefixTokens = 0 } = options;
  const dtype = dtypeIfGiven(options.dtype);
  const mask = options.mask && booleans("mask", options.mask);
  if (mask && String(mask.shape) !== String(extents))
    throw wrongValue("mask.shape", mask.shape, `the grid's, [${extents.join(", ")}]`);
  return borrowFor(module, options.out, (memory) => {
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
      const { address, length } = mask ? memory.copyOf(Uint8Array, mask.data, "mask") : { address: 0, length: 0 };
      return resultOf(memory, dtype, [...grid, dim], "shape * dim", (out) =>
        dtype === "float32"
          ? module.axialSinusoidTable(handle, address, length, out)
          : module.storedGrid(handle, dtype, address, length, out),
      );
    } finally {
      module.axialSinusoidFree(handle);
    }
  });
}
