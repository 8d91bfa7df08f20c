import { wrongType } from "./check.js";
import type { Module } from "./module.js";

/** Frees the core's object when nobody called `delete` and the JavaScript one is gone. */
const forgotten = new FinalizationRegistry<() => void>((free) => free());

/** What has something to free: `delete` by its other names. */
export abstract class Releasing {
  abstract delete(): void;

  dispose(): void {
    this.delete();
  }

  /** Where an engine has no Symbol.dispose this is a method nobody calls. */
  [Symbol.dispose](): void {
    this.delete();
  }
}

/** An object of the core that lives until it is deleted or forgotten, and what is known of it. */
export class Owned<Made extends { handle: number } = { handle: number }> {
  readonly module: Module;
  readonly made: Made;
  readonly #what: string;
  readonly #free: () => void;
  #isAlive = true;

  constructor(module: Module, what: string, made: Made, free: () => void) {
    this.module = module;
    this.made = made;
    this.#what = what;
    this.#free = free;
    forgotten.register(this, free, this);
  }

  get address(): number {
    if (!this.#isAlive) throw wrongType(this.#what, "a deleted one", "one that is still alive");
    return this.made.handle;
  }

  delete(): void {
    if (!this.#isAlive) return;
    forgotten.unregister(this);
    this.#free();
    this.#isAlive = false;
  }
}

/** What a function of the core's has made. */
export const owned = <Made extends { handle: number }>(module: Module, what: string, made: Made): Owned<Made> =>
  new Owned(module, what, made, () => module.release(made.handle));
