// How an entry that has no .wasm inside gets one of those beside it.

import { readFile } from "node:fs/promises";
import { hasSimd, loadFrom } from "posenc-api";
import wasm from "posenc-module.compiled";
import { scalar, simd } from "posenc-module.places";
import { beforeVite } from "../../js/base/before-vite.js";

/** A file of its own, which browsers cache and compile while it arrives; bundlers find it by the URL. */
export const external = /* @__PURE__ */ loadFrom(() => beforeVite(hasSimd() ? simd() : scalar()));

/** Reads the .wasm from the file system, in Node. */
export const externalNode = /* @__PURE__ */ loadFrom(() => readFile(hasSimd() ? simd() : scalar()));

/** As the platform compiled it: where code must not compile any (workerd, edge runtimes). */
export const compiled = /* @__PURE__ */ loadFrom(() => wasm);
