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
import type { SinusoidalGridOptions, Tensor } from "./types/index.js";

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
] as const;

export function sinusoidalGrid(module: FullModule, options: SinusoidalGridOptions): Tensor {
  checkOptions(options, keys, "sinusoidalGrid");
  const extents = checkShape("shape", options.shape);
  const dim = whole("dim", options.dim);
  const { prefixTokens = 0 } = options;
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
      const out = memory.floats(module.axialSinusoidSize(handle), "shape * dim");
      unwrap(module.axialSinusoidTable(handle, out.address));
      const grid = prefixTokens === 0 ? extents : [out.length / dim];
      return { data: memory.viewFloats(out).slice(), shape: [...grid, dim] };
    } finally {
      module.axialSinusoidFree(handle);
    }
  });
}
