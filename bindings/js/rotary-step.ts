import type { Handle, Module } from "posenc-module";
import { ModuleBuffer } from "./buffer.js";
import { options as checkOptions, flag, number, unwrap } from "./check.js";
import { borrow } from "./memory.js";
import { Owned, Releasing } from "./owned.js";
import { axesKeys, lendAxes } from "./rotation.js";
import type { FloatBuffer, RotaryStep, StepOptions } from "./types/index.js";

/**
 * The same rotation again and again. `rotary` gives the rotary's address as long as it is alive, `otherwise` does what
 * `apply` does, slower, and tells what is wrong.
 */
export class ModuleRotaryStep extends Releasing implements RotaryStep {
  readonly #module: Module;
  readonly #rotary: () => Handle;
  readonly #otherwise: (position: number) => void;
  readonly #x: FloatBuffer;
  readonly #owned: Owned;

  constructor(
    module: Module,
    rotary: () => Handle,
    x: FloatBuffer,
    options: StepOptions,
    otherwise: (position: number) => void,
  ) {
    super();
    options = checkOptions(options, [...axesKeys, "inverse"], "step");
    const inverse = flag("inverse", options.inverse ?? false);
    const address = ModuleBuffer.addressOf(module, "x", x);
    const handle = borrow(module, (memory) => {
      const { shape, rank } = lendAxes(memory, options);
      return unwrap(module.rotaryStepMake(rotary(), address, x.view.length, shape.address, rank, inverse));
    });
    this.#module = module;
    this.#rotary = rotary;
    this.#otherwise = otherwise;
    this.#x = x;
    this.#owned = new Owned("step", handle, (step) => module.rotaryStepFree(step));
  }

  apply(position: number): void {
    this.#rotary();
    ModuleBuffer.addressOf(this.#module, "x", this.#x);
    const step = this.#owned.address;
    if (this.#module._rotary_step(step, number("position", position)) === 0) this.#otherwise(position);
  }

  delete(): void {
    this.#owned.delete();
  }
}
