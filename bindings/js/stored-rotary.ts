import type { Failure, FullModule, Handle } from "posenc-module";
import { options as checkOptions, flag, text, unwrap } from "./check.js";
import { borrow } from "./memory.js";
import { lendNamedPositions, positionKeys } from "./positions.js";
import { cacheShape, ModuleRotary } from "./rotary.js";
import { lendRotation, rotationKeys, tokenPositions } from "./rotation.js";
import { dtypeIfGiven, resultsOf, stored } from "./storage.js";
import type { ApplyOptions, CacheOptions, DType, RotaryOptions, StoredRotary } from "./types/index.js";

class ModuleStoredRotary extends ModuleRotary {
  readonly #module: FullModule;

  constructor(module: FullModule, options: RotaryOptions, made: Handle | Failure) {
    super(module, options, made);
    this.#module = module;
  }

  override apply(x: Float32Array, options: ApplyOptions & { dtype?: DType }): Float32Array {
    checkOptions(options, [...rotationKeys, "inverse", "dtype"], "apply");
    const { dtype: named, ...rest } = options;
    const values = stored("x", x, named);
    if (values.dtype === "float32") return super.apply(x, rest);
    const inverse = flag("inverse", options.inverse ?? false);
    const handle = ModuleRotary.addressOf("rotary", this);
    return borrow(this.#module, (memory) => {
      const { shape, rank, positions } = lendRotation(memory, options, tokenPositions(options));
      const { address, length } = memory.halvesFrom(values.bits, "x");
      unwrap(
        this.#module.storedApply(
          handle,
          values.dtype,
          address,
          length,
          shape.address,
          rank,
          positions.address,
          inverse,
        ),
      );
      values.bits.set(memory.viewHalves({ address, length }));
      return x;
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: which arrays there are depends on the form, their type on the dtype
  override cache(options: CacheOptions & { dtype?: DType }): any {
    checkOptions(options, [...positionKeys, "form", "dtype"], "cache");
    const { dtype: named, ...rest } = options;
    const dtype = dtypeIfGiven(named);
    if (dtype === "float32") return super.cache(rest as CacheOptions<"onnx">);
    const form = text("form", options.form ?? "onnx");
    const handle = ModuleRotary.addressOf("rotary", this);
    const row = unwrap(this.#module.rotaryCacheRow(handle, form));
    return borrow(this.#module, (memory) => {
      const { list, count, offset, shape: rows } = lendNamedPositions(memory, options);
      const shape = cacheShape(form, rows, row);
      const shapes = form === "ggml" ? [shape] : [shape, [...shape]];
      const [cos, sin] = resultsOf(memory, dtype, shapes, "length * rotaryDim", ([cosines, sines]) =>
        this.#module.storedCache(
          handle,
          dtype,
          form,
          list,
          count,
          offset,
          cosines?.address ?? 0,
          cosines?.length ?? 0,
          sines?.address ?? 0,
          sines?.length ?? 0,
        ),
      );
      return form === "ggml" ? { cosSin: cos } : { cos, sin };
    });
  }
}

/** A rotary of the entry posenc/full, whose overloads tie the results' types to the dtype. */
export function storedRotary(module: FullModule, options: RotaryOptions, made: Handle | Failure): StoredRotary {
  return new ModuleStoredRotary(module, options, made) as unknown as StoredRotary;
}
