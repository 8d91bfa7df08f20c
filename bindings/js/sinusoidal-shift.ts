import type { FullModule } from "posenc-module";
import { options as checkOptions, number, tensor, unwrap, wrongValue } from "./check.js";
import { borrowFor, lendChanged, lendResult } from "./memory.js";
import { sinusoidKeys, withSinusoid } from "./sinusoidal.js";
import type { ShiftMatrixOptions, ShiftOptions, Tensor } from "./types/index.js";

export function shiftMatrix(module: FullModule, options: ShiftMatrixOptions): Tensor {
  options = checkOptions(options, [...sinusoidKeys, "by", "out"], "shiftMatrix");
  const by = number("by", options.by);
  return withSinusoid(module, options, (handle) =>
    borrowFor(module, options.out, (memory) => {
      const out = lendResult(memory, [options.dim, options.dim], "dim * dim");
      unwrap(module.sinusoidShiftMatrix(handle, by, out.address));
      return out.taken();
    }),
  );
}

export function shift(module: FullModule, table: Tensor, options: ShiftOptions): Tensor {
  const { data, shape } = tensor("table", table);
  options = checkOptions(options, [...sinusoidKeys, "by", "out"], "shift");
  const by = number("by", options.by);
  return withSinusoid(module, options, (handle) => {
    if (shape.at(-1) !== options.dim) throw wrongValue("table.shape", shape, `${options.dim} (dim) as its last extent`);
    return borrowFor(module, options.out, (memory) => {
      const rows = lendChanged(memory, data, shape, "table");
      unwrap(module.sinusoidShift(handle, by, rows.address, rows.length));
      return rows.taken();
    });
  });
}
