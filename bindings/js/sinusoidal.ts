import type { Module } from "posenc-module";
import { options as checkOptions, nameIfGiven, numberIfGiven, text, unwrap, whole } from "./check.js";
import { frequencyKeys } from "./frequencies.js";
import { borrowFor, lendResult } from "./memory.js";
import { lendNamedPositions, positionKeys } from "./positions.js";
import type { SinusoidalOptions, SinusoidOptions, Tensor } from "./types/index.js";

export const sinusoidKeys = [...frequencyKeys, "preset", "order", "amplitude"] as const;

/** Makes the core's sinusoid for one use. */
export function withSinusoid<T>(module: Module, options: SinusoidOptions, use: (handle: number) => T): T {
  const handle = unwrap(
    module.sinusoidMake(
      whole("dim", options.dim),
      text("preset", options.preset ?? "paper"),
      numberIfGiven("base", options.base),
      nameIfGiven("exponent", options.exponent),
      numberIfGiven("shift", options.shift),
      numberIfGiven("scale", options.scale),
      nameIfGiven("order", options.order),
      numberIfGiven("amplitude", options.amplitude),
    ),
  );
  try {
    return use(handle);
  } finally {
    module.sinusoidFree(handle);
  }
}

export function sinusoidal(module: Module, options: SinusoidalOptions): Tensor {
  options = checkOptions(options, [...sinusoidKeys, ...positionKeys, "precision", "out"], "sinusoidal");
  const precision = text("precision", options.precision ?? "exact");
  return withSinusoid(module, options, (handle) =>
    borrowFor(module, options.out, (memory) => {
      const { list, count, offset } = lendNamedPositions(memory, options);
      const table = lendResult(memory, [count, options.dim], "length * dim");
      unwrap(module.sinusoidTable(handle, list, count, offset, precision, table.address));
      return table.taken();
    }),
  );
}
