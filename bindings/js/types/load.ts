import type { Posenc } from "./posenc.js";
import type { PosencFull } from "./posenc-full.js";

/** What `name` is in the user's environment; `never` where its types have no such thing. */
export type Global<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer Instance }> ? Instance : never;

/** A compiled WebAssembly module. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Instance } } }
  ? Instance
  : never;

/** What the library's .wasm may be given as: compiled, its bytes, where it is, or what a server answered. */
export type WasmSource = WasmModule | ArrayBuffer | ArrayBufferView | Global<"URL"> | string | Global<"Response">;

/** What a call of `load` is given: which .wasm, until when, and whether it is the one that others share. */
export interface LoadOptions {
  /**
   * The .wasm to run, in place of what the entry brings: `posenc.wasm` or `posenc-scalar.wasm` for `posenc`,
   * `posenc-full.wasm` or `posenc-full-scalar.wasm` for `posenc/full`, of the same version. In Node, a string that is no
   * URL is the path of a file. A shared instance is made of what the first call gave.
   */
  readonly wasm?: WasmSource | PromiseLike<WasmSource> | undefined;
  /** Ends the wait: the call rejects with the signal's reason. What nobody waits for any more is also stopped. */
  readonly signal?: Global<"AbortSignal"> | undefined;
  /**
   * Whether to get the one instance that calls share; true if not given. `false`: an instance with memory of its own,
   * which works on nothing of another's.
   */
  readonly shared?: boolean | undefined;
}

/**
 * Compiles and starts the library. Rejects with a TypeError for a wrong option, a RangeError for a .wasm of another
 * version or entry, an Error where WebAssembly is missing or forbidden. After a failure it can be called again.
 */
export type Load = (options?: LoadOptions) => Promise<Posenc>;

/** The same for `posenc/full`. */
export type LoadFull = (options?: LoadOptions) => Promise<PosencFull>;
