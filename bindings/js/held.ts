import { wrongType } from "./check.js";

/** Frees the core's object when nobody called `delete` and the JavaScript one is gone. */
const forgotten = new FinalizationRegistry<() => void>((free) => free());

/** What holds an object of the core. */
export class Held {
  readonly #what: string;
  readonly #free: () => void;
  readonly #handle: number;
  #isAlive = true;

  constructor(what: string, handle: number, free: (handle: number) => void) {
    this.#what = what;
    this.#handle = handle;
    this.#free = () => free(handle);
    forgotten.register(this, this.#free, this);
  }

  /** The handle; a TypeError when the object has been deleted. */
  protected alive(): number {
    if (!this.#isAlive) throw wrongType(this.#what, "a deleted one", "one that is still alive");
    return this.#handle;
  }

  delete(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    forgotten.unregister(this);
    this.#free();
  }

  /** Where an engine has no Symbol.dispose this is a method nobody calls. */
  [Symbol.dispose](): void {
    this.delete();
  }
}
