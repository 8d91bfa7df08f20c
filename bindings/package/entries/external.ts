// The .wasm as a file of its own, which browsers cache and compile while it arrives; bundlers find it by the URL.

import { hasSimd, loadFrom } from "posenc-api";
import { scalar, simd } from "posenc-module.places";

/** Vite 7's development server moves modules into a folder of its own, and not the files beside them. */
const beforeVite = ({ href }: URL) => new URL(href.replace(/\/\.vite\/deps\/(?=[^/]*$)/, "/posenc/dist/"));

export const load = loadFrom(() => beforeVite(hasSimd() ? simd() : scalar()));
