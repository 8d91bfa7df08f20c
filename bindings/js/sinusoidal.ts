import type { Module } from "posenc-module";
import { options as checkOptions, text, unwrap } from "./check.js";
import { frequencyArguments, frequencyKeys } from "./frequencies.js";
import { borrow } from "./memory.js";
import { lendNamedPositions, positionKeys } from "./positions.js";
import type { SinusoidalOptions, Tensor } from "./types/index.js";

export function sinusoidal(module: Module, options: SinusoidalOptions): Tensor {
  checkOptions(options, [...frequencyKeys, ...positionKeys, "order"], "sinusoidal");
  const order = text("order", options.order ?? "interleaved");
  const handle = unwrap(module.sinusoidMake(...frequencyArguments(options), order));
  try {
    return borrow(module, (memory) => {
      const { list, count, offset } = lendNamedPositions(memory, options);
      const out = memory.floats(count * options.dim, "length * dim");
      unwrap(module.sinusoidTable(handle, list, count, offset, out.address));
      return { data: memory.viewFloats(out).slice(), shape: [count, options.dim] };
    });
  } finally {
    module.sinusoidFree(handle);
  }
}
