// The .wasm as a file of its own, which browsers cache and compile while it arrives; bundlers find it by the URL.

import { hasSimd, loadFrom } from "posenc-api";
import { scalar, simd } from "posenc-module.places";

export const load = loadFrom(() => (hasSimd() ? simd() : scalar()));
