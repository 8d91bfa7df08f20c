import type { Failure, FullModule, Handle } from "posenc-module";
import { addressInside } from "./buffer.js";
import { options as checkOptions, flag, unwrap } from "./check.js";
import { borrow } from "./memory.js";
import { positionKeys } from "./positions.js";
import { ModuleRotary } from "./rotary.js";
import { writeCache } from "./rotary-cache.js";
import { lendRotation, rotationKeys, tokenPositions } from "./rotation.js";
import { dtypeIfGiven, stored } from "./storage.js";
import type { ApplyOptions, DType, OutOption, Positions, RotaryOptions, StoredRotary } from "./types/index.js";

class ModuleStoredRotary extends ModuleRotary {
  readonly #module: FullModule;

  constructor(module: FullModule, options: RotaryOptions, made: Handle | Failure) {
    super(module, options, made);
    this.#module = module;
  }

  override apply(x: Float32Array, options: ApplyOptions & { dtype?: DType }): Float32Array {
    options = checkOptions(options, [...rotationKeys, "inverse", "dtype"], "apply");
    const { dtype: named, ...rest } = options;
    const values = stored("x", x, named);
    if (values.dtype === "float32") return super.apply(x, rest);
    const inverse = flag("inverse", options.inverse ?? false);
    return borrow(this.#module, (memory) => {
      const { bits } = values;
      const { length } = bits; // no longer theirs, should the memory grow
      const inside = addressInside(this.#module, "x", bits);
      const { shape, rank, positions } = lendRotation(memory, options, tokenPositions(options));
      const { address } = inside === undefined ? memory.copyOf(Uint16Array, bits, "x") : { address: inside };
      unwrap(
        this.#module.storedApply(
          ModuleRotary.addressOf(this.#module, "rotary", this),
          values.dtype,
          address,
          length,
          shape.address,
          rank,
          positions.address,
          inverse,
        ),
      );
      if (inside === undefined) bits.set(memory.view(Uint16Array, { address, length }));
      return x;
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the arrays' type depends on the dtype
  override cache(options: Positions & OutOption<unknown> & { dtype?: DType }): any {
    options = checkOptions(options, [...positionKeys, "dtype", "out"], "cache");
    return writeCache(this.#module, this, "onnx", dtypeIfGiven(options.dtype), options);
  }
}

/** A rotary of the entry posenc/full, whose overloads tie the results' types to the dtype. */
export function storedRotary(module: FullModule, options: RotaryOptions, made: Handle | Failure): StoredRotary {
  return new ModuleStoredRotary(module, options, made) as unknown as StoredRotary;
}
