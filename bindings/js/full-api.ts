// The same for `posenc/full`.

import { everything } from "./everything.js";
import { loader } from "./load.js";
import type { LoadFull } from "./types/index.js";

export { hasSimd } from "./simd.js";

export const loadFrom = (own: () => unknown): LoadFull => loader(everything, own);
