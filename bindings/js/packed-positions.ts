import type { FullModule } from "posenc-module";
import { options as checkOptions, shape as checkShape, numbers, product, unwrap, whole, wrongValue } from "./check.js";
import { borrowFor, lendResultOf } from "./memory.js";
import type { AttentionMask, Ids, MaskPositionsOptions, OutOption } from "./types/index.js";

export function packedPositions(
  module: FullModule,
  boundaries: ArrayLike<number>,
  options: OutOption<Int32Array> = {},
): Ids {
  options = checkOptions(options, ["out"], "packedPositions");
  const list = Array.from(numbers("boundaries", boundaries), (value) => whole("boundaries", value));
  const size = Math.max(list.at(-1) ?? 0, 0);
  return borrowFor(module, options.out, (memory) => {
    const ends = memory.doublesFrom(list, "boundaries");
    const out = lendResultOf(Int32Array, memory, [size], "boundaries");
    unwrap(module.packedPositions(ends.address, ends.length, out.address, out.length));
    return out.taken();
  });
}

export function maskPositions(module: FullModule, mask: AttentionMask, options: MaskPositionsOptions = {}): Ids {
  mask = checkOptions(mask, ["data", "shape"], "mask");
  options = checkOptions(options, ["padding", "out"], "maskPositions");
  const padding = whole("padding", options.padding ?? 1);
  if (padding !== (padding | 0)) throw wrongValue("padding", padding, "a whole number of 32 bits");
  const shape = checkShape("mask.shape", mask.shape);
  if (shape.length !== 1 && shape.length !== 2) {
    throw wrongValue("mask.shape", shape, "[sequence] or [batch, sequence]");
  }
  const isBoolean = Array.isArray(mask.data) && mask.data.findIndex((value) => typeof value !== "boolean") < 0;
  const values = isBoolean ? Array.from(mask.data, Number) : numbers("mask.data", mask.data);
  if (values.length !== product(shape)) {
    throw wrongValue("mask.data", values.length, `${product(shape)} values for its shape`);
  }
  const wrong = Array.prototype.find.call(values, (value: number) => value !== 0 && value !== 1);
  if (wrong !== undefined) throw wrongValue("mask.data", wrong, "0 or 1, or true or false");
  return borrowFor(module, options.out, (memory) => {
    const from = memory.copyOf(Int32Array, Int32Array.from(values), "mask");
    const out = lendResultOf(Int32Array, memory, shape, "mask");
    unwrap(module.maskPositions(from.address, from.length, shape.at(-1) as number, padding, out.address));
    return out.taken();
  });
}
