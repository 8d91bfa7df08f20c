import type { Failure, Handle, Module } from "posenc-module";
import { options as checkOptions, flag, number, text, unwrap, whole, wrongType } from "./check.js";
import { borrowForAll, lendResult } from "./memory.js";
import { Owned, Releasing } from "./owned.js";
import { lendNamedPositions, positionKeys } from "./positions.js";
import { ModuleRotaryStep } from "./rotary-step.js";
import { rotateInPlace, rotationKeys, tokenPositions } from "./rotation.js";
import { given, scalingArguments, scalingKeys } from "./scaling.js";
import type {
  ApplyOptions,
  FloatBuffer,
  Layout,
  OutOption,
  Positions,
  Rotary,
  RotaryOptions,
  RotaryOuts,
  RotaryStep,
  StepOptions,
  Tensor,
} from "./types/index.js";

export const rotaryKeys = ["dim", "layout", "base", "rotaryDim", "exponent", ...scalingKeys] as const;

export const rotaryOuts = ["out.cos", "out.sin"] as const;

/** The options as the module takes them, with their defaults. */
export function rotaryArguments(options: RotaryOptions) {
  const { dim, layout, base = 10000, rotaryDim, exponent = "paper" } = options;
  return [
    whole("dim", dim),
    text("layout", layout, "the name of a layout; it has no default"),
    number("base", base),
    given("rotaryDim", rotaryDim),
    text("exponent", exponent),
    ...scalingArguments(options),
  ] as const;
}

export class ModuleRotary extends Releasing implements Rotary {
  readonly dim: number;
  readonly rotaryDim: number;
  readonly layout: Layout;
  readonly attentionFactor: number;
  readonly #module: Module;
  readonly #owned: Owned;

  constructor(module: Module, { dim, layout }: RotaryOptions, made: Handle | Failure) {
    super();
    const handle = unwrap(made);
    this.#module = module;
    this.#owned = new Owned("rotary", handle, (address) => module.rotaryFree(address));
    this.dim = dim;
    this.layout = layout;
    this.rotaryDim = module.rotaryDim(handle);
    this.attentionFactor = module.rotaryAttentionFactor(handle);
  }

  /** The address of what `argument` must be: a rotary of this module, still alive. */
  static addressOf(module: Module, argument: string, value: unknown): Handle {
    if (!(value instanceof ModuleRotary) || value.#module !== module)
      throw wrongType(argument, value, "what rotary() of this entry made");
    return value.#owned.address;
  }

  apply(x: Float32Array, options: ApplyOptions): Float32Array {
    options = checkOptions(options, [...rotationKeys, "inverse"], "apply");
    const inverse = flag("inverse", options.inverse ?? false);
    return rotateInPlace(this.#module, x, options, tokenPositions(options), (lent) =>
      this.#module.rotaryApply(
        this.#owned.address,
        lent.x.address,
        lent.x.length,
        lent.shape.address,
        lent.rank,
        lent.positions.address,
        inverse,
      ),
    );
  }

  step(x: FloatBuffer, options: StepOptions): RotaryStep {
    return new ModuleRotaryStep(
      this.#module,
      () => this.#owned.address,
      x,
      options,
      (offset) => this.apply(x.view, { ...options, offset }),
    );
  }

  cache(positions: Positions & OutOption<RotaryOuts>): { cos: Tensor; sin: Tensor } {
    positions = checkOptions(positions, [...positionKeys, "out"], "cache");
    return borrowForAll(this.#module, positions.out, rotaryOuts, (memory) => {
      const { list, count, offset } = lendNamedPositions(memory, positions);
      const handle = this.#owned.address;
      const shape = [count, this.#module.rotaryDim(handle) / 2];
      const cos = lendResult(memory, shape, "length * rotaryDim / 2", "out.cos");
      const sin = lendResult(memory, shape, "length * rotaryDim / 2", "out.sin");
      unwrap(this.#module.rotaryCache(handle, list, count, offset, cos.address, sin.address));
      return { cos: cos.taken(), sin: sin.taken() };
    });
  }

  delete(): void {
    this.#owned.delete();
  }
}

export function rotary(module: Module, options: RotaryOptions): Rotary {
  options = checkOptions(options, rotaryKeys, "rotary");
  return new ModuleRotary(module, options, module.rotaryMake(...rotaryArguments(options)));
}
