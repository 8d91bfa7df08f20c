import type { FullModule } from "posenc-module";
import { buffer, ModuleBuffer } from "./buffer.js";
import { options as checkOptions, unwrap } from "./check.js";
import { dtypeIfGiven, kindOf } from "./storage.js";
import type { DType, FloatBuffer, HalfBuffer, HalfData, HalfDType } from "./types/index.js";

class ModuleHalfBuffer extends ModuleBuffer<HalfData> implements HalfBuffer {
  readonly dtype: HalfDType;

  constructor(module: FullModule, length: number, dtype: HalfDType) {
    const kind = kindOf(dtype);
    super(module, length, 2, (address) => new kind(module.HEAPF32.buffer, address, length));
    this.dtype = dtype;
  }
}

/** The entry posenc/full's `buffer`: with a choice of dtype. */
export function storedBuffer(
  module: FullModule,
  length: number,
  options: { dtype?: DType } = {},
): FloatBuffer | HalfBuffer {
  options = checkOptions(options, ["dtype"], "buffer");
  const dtype = dtypeIfGiven(options.dtype);
  if (dtype === "float32") return buffer(module, length);
  // Which names there are is for the core to say: it converts nothing.
  unwrap(module.storedConvert(dtype, true, 0, 0, 0));
  return new ModuleHalfBuffer(module, length, dtype);
}
