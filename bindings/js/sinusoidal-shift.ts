import type { FullModule } from "posenc-module";
import { options as checkOptions, number, tensor, unwrap, wrongValue } from "./check.js";
import { borrow } from "./memory.js";
import { sinusoidKeys, withSinusoid } from "./sinusoidal.js";
import type { ShiftMatrixOptions, ShiftOptions, Tensor } from "./types/index.js";

export function shiftMatrix(module: FullModule, options: ShiftMatrixOptions): Tensor {
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

export function shift(module: FullModule, table: Tensor, options: ShiftOptions): Tensor {
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
