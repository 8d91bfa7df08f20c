import bytes from "posenc-module.wasm";
import { hasSimd } from "./simd.js";

/** The bytes in this file, or, where the engine has no SIMD, in the one beside it. */
export const inside = async (): Promise<Uint8Array> =>
  hasSimd() ? bytes : (await import("posenc-module-scalar.wasm")).default;
