import type { WasmModule } from "./types/index.js";

/** A .wasm of the library, as platforms give it that compile what is imported: for `load({ wasm })`. */
declare const wasm: WasmModule;
export default wasm;
