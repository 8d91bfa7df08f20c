import { buffer } from "./base/buffer.js";
import { bind } from "./base/call.js";
import { loader } from "./base/load.js";
import { training } from "./learning/training.js";
import type { PosencLab } from "./types/index.js";

export { hasSimd } from "./base/compile.js";

/** What the entry of the lab offers. */
const functions = { training, buffer };

type All = { [Name in keyof PosencLab]: unknown };

/** Loads it, with the .wasm that an entry brings. */
export const loadFrom = (own: () => unknown) =>
  loader((module) => bind(module, functions satisfies All) as unknown as PosencLab, own);
