// The modules that bundle.mjs answers by name.

/** The compiled module's glue. */
declare module "posenc-module" {
  import type { Module } from "../js/base/module.js";

  export default function createModule(options: {
    instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): object;
  }): Promise<Module>;
}

/** The .wasm as text, which entries/inside.ts reads. */
declare module "posenc-module.wasm" {
  const text: string;
  export default text;
}

/** Notes about engines in Chinese, by the English ones; a file beside that of the entry. */
declare module "posenc-module-notes" {
  const notes: { readonly [note: string]: string };
  export default notes;
}

/** The module for engines without SIMD. */
declare module "posenc-module-scalar.wasm" {
  const text: string;
  export default text;
}

/** The name of the section in the .wasm that identifies its glue. */
declare module "posenc-module.mark" {
  const mark: string;
  export default mark;
}

/** Where the two .wasm files are, seen from an entry that has none inside. */
declare module "posenc-module.places" {
  export const simd: () => URL;
  export const scalar: () => URL;
}

/** The .wasm, compiled by the platform before it starts the program. */
declare module "posenc-module.compiled" {
  const module: WebAssembly.Module;
  export default module;
}

/** js/basics.ts, js/everything.ts, js/tools.ts or js/lab.ts: an API without a .wasm. */
declare module "posenc-api" {
  import type { LoadLab, LoadTools } from "../js/types/index.js";

  export const loadFrom: (own: () => unknown) => LoadTools & LoadLab;
  export const hasSimd: () => boolean;
}

/** The part of Node that load.ts uses; the types of all of Node would let the other sources use it too. */
declare module "node:fs/promises" {
  export function readFile(file: URL): Promise<Uint8Array<ArrayBuffer>>;
}

/** The tests of js/ports, which esbuild imports as text. */
declare module "*.cpp" {
  const text: string;
  export default text;
}

declare module "*.py" {
  const text: string;
  export default text;
}

declare module "*.mjs" {
  const text: string;
  export default text;
}
