// A classic script: `posenc.load()` in a page without modules, opened as a file too.

import { loadFrom } from "posenc-api";
import { inside } from "./inside.js";

/** A page opened as a file may import nothing. */
const missing = (cause: unknown): never => {
  throw new Error("WebAssembly: without SIMD, expected load({ wasm }) with the bytes of the scalar .wasm", { cause });
};

export const load = loadFrom(() => inside().catch(missing));
