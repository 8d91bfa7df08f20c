import { add, attention, linear } from "./attention/attention.js";
import { buffer } from "./base/buffer.js";
import { bind } from "./base/call.js";
import { loader } from "./base/load.js";
import { frequencies } from "./frequencies/frequencies.js";
import { rotary } from "./rotary/rotary.js";
import { sinusoidal, sinusoidalPlan } from "./sinusoidal/sinusoidal.js";
import type { Posenc } from "./types/index.js";

export { hasSimd } from "./base/compile.js";

/** What the small entry offers. */
const functions = { sinusoidal, sinusoidalPlan, frequencies, rotary, buffer, add, linear, attention };

type All = { [Name in keyof Posenc]: unknown };

/** Loads it, with the .wasm that an entry brings. A call's type does not say what an option adds to its results. */
export const loadFrom = (own: () => unknown) =>
  loader((module) => bind(module, functions satisfies All) as unknown as Posenc, own);
