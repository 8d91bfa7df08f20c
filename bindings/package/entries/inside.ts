import text from "posenc-module.wasm";
import { hasSimd } from "../../js/base/compile.js";

/** Reads what `textOf` in ../wasm.mjs writes: the first byte of a .wasm is zero, so the first character is the key. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const key = text.charCodeAt(0);
  const bytes = new Uint8Array(text.length);
  for (let i = 0, { length } = bytes; i < length; ++i) bytes[i] = text.charCodeAt(i) ^ key;
  return bytes;
}

/** The bytes in this file, or, where the engine has no SIMD, in the one beside it. */
export const inside = async (): Promise<Uint8Array> =>
  bytesOf(hasSimd() ? text : (await import("posenc-module-scalar.wasm")).default);
