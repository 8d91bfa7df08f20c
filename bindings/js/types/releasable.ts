/// <reference lib="esnext.disposable" preserve="true" />

/** Something that has memory in the module. */
export interface Releasable {
  /**
   * Frees that memory; afterwards neither this nor a view of it may be used, which is a TypeError. Again: nothing happens.
   * Optional: what is forgotten is also collected.
   */
  delete(): void;
  /** Another name of `delete`. */
  dispose(): void;
  /** The same at the end of a block: `using`. */
  [Symbol.dispose](): void;
}
