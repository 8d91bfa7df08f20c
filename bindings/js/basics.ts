import { add, attention, linear } from "./attention/attention.js";
import { kvCacheWith } from "./attention/kv-cache.js";
import { buffer } from "./base/buffer.js";
import { bind } from "./base/call.js";
import { beyondBasics, without } from "./base/elsewhere.js";
import { loader } from "./base/load.js";
import { frequencies } from "./frequencies/frequencies.js";
import { rotary } from "./rotary/rotary.js";
import { sinusoidal, sinusoidalPlan } from "./sinusoidal/sinusoidal.js";
import type { Posenc } from "./types/index.js";

export { hasSimd } from "./base/compile.js";

/** The API of the small entry. */
const functions = {
  sinusoidal,
  sinusoidalPlan,
  frequencies,
  rotary,
  buffer,
  add,
  linear,
  attention,
  kvCache: kvCacheWith({ attend: attention }),
};

type All = { [Name in keyof Posenc]: unknown };

/** Loads the small entry, with its .wasm. A call's type does not depend on options that add to its results. */
export const loadFrom = (own: () => unknown) =>
  loader((module) => bind(module, functions satisfies All, without(beyondBasics)) as never, own);
