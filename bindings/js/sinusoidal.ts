import type { Module } from "posenc-module";
import {
  options as checkOptions,
  nameIfGiven,
  number,
  numberIfGiven,
  tensor,
  text,
  unwrap,
  whole,
  wrongValue,
} from "./check.js";
import { frequencyKeys } from "./frequencies.js";
import { borrow } from "./memory.js";
import { lendNamedPositions, positionKeys } from "./positions.js";
import type { ShiftMatrixOptions, ShiftOptions, SinusoidalOptions, SinusoidOptions, Tensor } from "./types/index.js";

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
  checkOptions(options, [...sinusoidKeys, ...positionKeys], "sinusoidal");
  return withSinusoid(module, options, (handle) =>
    borrow(module, (memory) => {
      const { list, count, offset } = lendNamedPositions(memory, options);
      const out = memory.floats(count * options.dim, "length * dim");
      unwrap(module.sinusoidTable(handle, list, count, offset, out.address));
      return { data: memory.viewFloats(out).slice(), shape: [count, options.dim] };
    }),
  );
}

export function shiftMatrix(module: Module, options: ShiftMatrixOptions): Tensor {
  checkOptions(options, [...sinusoidKeys, "by"], "shiftMatrix");
  const by = number("by", options.by);
  return withSinusoid(module, options, (handle) =>
    borrow(module, (memory) => {
      const out = memory.floats(options.dim * options.dim, "dim * dim");
      unwrap(module.sinusoidShiftMatrix(handle, by, out.address));
      return { data: memory.viewFloats(out).slice(), shape: [options.dim, options.dim] };
    }),
  );
}

export function shift(module: Module, table: Tensor, options: ShiftOptions): Tensor {
  const { data, shape } = tensor("table", table);
  checkOptions(options, [...sinusoidKeys, "by"], "shift");
  const by = number("by", options.by);
  return withSinusoid(module, options, (handle) => {
    if (shape.at(-1) !== options.dim) throw wrongValue("table.shape", shape, `${options.dim} (dim) as its last extent`);
    return borrow(module, (memory) => {
      const rows = memory.floatsFrom(data, "table");
      unwrap(module.sinusoidShift(handle, by, rows.address, rows.length));
      return { data: memory.viewFloats(rows).slice(), shape };
    });
  });
}
