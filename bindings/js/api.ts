// The API of `posenc` without a .wasm: what the entries share that bring it each in its own way.

import { basics } from "./basics.js";
import { loader } from "./load.js";
import type { Load } from "./types/index.js";

export { hasSimd } from "./simd.js";

export const loadFrom = (own: () => unknown): Load => loader(basics, own);
