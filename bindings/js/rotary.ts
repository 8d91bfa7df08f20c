import type { Module } from "posenc-module";
import {
  options as checkOptions,
  shape as checkShape,
  flag,
  float32Array,
  number,
  text,
  unwrap,
  whole,
  wrongType,
} from "./check.js";
import { borrow } from "./memory.js";
import { lendNamedPositions, lendPositions, positionKeys } from "./positions.js";
import { given, scalingArguments, scalingKeys } from "./scaling.js";
import type { ApplyOptions, Layout, Positions, Rotary, RotaryOptions, Tensor } from "./types/index.js";

/** Frees the core's object when nobody called `delete` and the JavaScript one is gone. */
const forgotten = new FinalizationRegistry<() => void>((free) => free());

class ModuleRotary implements Rotary {
  readonly dim: number;
  readonly rotaryDim: number;
  readonly layout: Layout;
  readonly attentionFactor: number;
  readonly #module: Module;
  #handle: number;

  constructor(module: Module, options: RotaryOptions) {
    checkOptions(options, ["dim", "layout", "base", "rotaryDim", "exponent", ...scalingKeys], "rotary");
    const { dim, layout, base = 10000, rotaryDim, exponent = "paper" } = options;
    this.#module = module;
    this.#handle = unwrap(
      module.rotaryMake(
        whole("dim", dim),
        text("layout", layout, "the name of a layout; it has no default"),
        number("base", base),
        given("rotaryDim", rotaryDim),
        text("exponent", exponent),
        ...scalingArguments(options),
      ),
    );
    this.dim = dim;
    this.layout = layout;
    this.rotaryDim = module.rotaryDim(this.#handle);
    this.attentionFactor = module.rotaryAttentionFactor(this.#handle);
    const handle = this.#handle;
    forgotten.register(this, () => module.rotaryFree(handle), this);
  }

  apply(x: Float32Array, options: ApplyOptions): Float32Array {
    float32Array("x", x);
    checkOptions(options, ["shape", "offset", "positions", "seqAxis", "inverse"], "apply");
    const extents = checkShape("shape", options.shape);
    const axis = given("seqAxis", options.seqAxis);
    const inverse = flag("inverse", options.inverse ?? false);
    const handle = this.#alive();
    return borrow(this.#module, (memory) => {
      const shape = memory.doublesFrom(extents, "shape");
      const { list, count, offset } = lendPositions(memory, options.offset, options.positions, 0);
      const data = memory.floatsFrom(x, "x");
      unwrap(
        this.#module.rotaryApply(
          handle,
          data.address,
          data.length,
          shape.address,
          shape.length,
          axis,
          list,
          count,
          offset,
          inverse,
        ),
      );
      x.set(memory.viewFloats(data));
      return x;
    });
  }

  cache(positions: Positions): { cos: Tensor; sin: Tensor } {
    checkOptions(positions, positionKeys, "cache");
    const handle = this.#alive();
    return borrow(this.#module, (memory) => {
      const { list, count, offset } = lendNamedPositions(memory, positions);
      const shape = [count, this.rotaryDim / 2];
      const cos = memory.floats(count * (this.rotaryDim / 2), "length * rotaryDim / 2");
      const sin = memory.floats(cos.length, "length * rotaryDim / 2");
      unwrap(this.#module.rotaryCache(handle, list, count, offset, cos.address, sin.address));
      return {
        cos: { data: memory.viewFloats(cos).slice(), shape },
        sin: { data: memory.viewFloats(sin).slice(), shape: [...shape] },
      };
    });
  }

  delete(): void {
    if (this.#handle === 0) return;
    forgotten.unregister(this);
    this.#module.rotaryFree(this.#handle);
    this.#handle = 0;
  }

  /** Where an engine has no Symbol.dispose this is a method nobody calls. */
  [Symbol.dispose](): void {
    this.delete();
  }

  #alive(): number {
    if (this.#handle === 0) throw wrongType("rotary", "a deleted one", "one that is still alive");
    return this.#handle;
  }
}

export function rotary(module: Module, options: RotaryOptions): Rotary {
  return new ModuleRotary(module, options);
}
