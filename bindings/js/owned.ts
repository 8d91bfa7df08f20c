import { wrongType } from "./check.js";

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

/** An object of the core that lives until it is deleted or forgotten. */
export class Owned {
  readonly #what: string;
  readonly #free: (address: number) => void;
  #address: number;

  constructor(what: string, address: number, free: (address: number) => void) {
    this.#what = what;
    this.#address = address;
    this.#free = free;
    forgotten.register(this, () => free(address), this);
  }

  get address(): number {
    if (this.#address === 0) throw wrongType(this.#what, "a deleted one", "one that is still alive");
    return this.#address;
  }

  delete(): void {
    if (this.#address === 0) return;
    forgotten.unregister(this);
    this.#free(this.#address);
    this.#address = 0;
  }
}
